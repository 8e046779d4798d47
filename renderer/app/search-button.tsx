import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../ui/icon.tsx';
import { dialogPart } from '../ui/part/dialog-part.tsx';
import { addLaterTexts } from './i18n.ts';

const SearchDialog = dialogPart(
  (t) => t('bar.search'),
  async () => (await Promise.all([import('../features/search/search-dialog.tsx'), addLaterTexts()]))[0].SearchDialog,
);

/** In the bar; Ctrl+K, or Cmd+K, except in a dialog and on the canvas of the editor, where Ctrl+K finds nodes. */
export function SearchButton() {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey)
        return;
      if (document.querySelector('[role="dialog"]') !== null) return;
      if (event.target instanceof Element && event.target.closest('[data-region="canvas"]') !== null) return;
      event.preventDefault();
      setOpen(true);
    };
    // Before a code field takes it for itself.
    document.addEventListener('keydown', onKey, { capture: true });
    return () => document.removeEventListener('keydown', onKey, { capture: true });
  }, []);
  return (
    <>
      <button type="button" aria-label={t('bar.search')} title={t('bar.search')} onClick={() => setOpen(true)}>
        <Icon name="search" />
      </button>
      {isOpen && <SearchDialog onClose={() => setOpen(false)} />}
    </>
  );
}
