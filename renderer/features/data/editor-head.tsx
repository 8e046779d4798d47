import { Button } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { usePermission } from '#api/session.ts';
import { Chip } from '#ui/chip.tsx';

interface Props {
  title: string;
  /** Where the way back leads. */
  back: string;
  changed: boolean;
  saveLabel: string;
  saving: boolean;
  side?: ReactNode;
  onSave: () => void;
  onBack: () => void;
}

/** Over an editor: the way back, what is open, whether it is saved, and the button that saves it. */
export function EditorHead({ title, back, changed, saveLabel, saving, side, onSave, onBack }: Props) {
  const { t } = useTranslation();
  const mayEdit = usePermission('edit_pipelines');
  useLeaveGuard(mayEdit && changed);
  return (
    <div className="row wrap">
      <Button onClick={onBack}>{back}</Button>
      <h2 className="mono grow">{title}</h2>
      {mayEdit && (
        <>
          {changed && <Chip shape="starting">{t('data.unsaved')}</Chip>}
          {side}
          <Button variant="filled" loading={saving} disabled={!changed} onClick={onSave}>
            {saveLabel}
          </Button>
        </>
      )}
    </div>
  );
}

/** The browser asks before it drops what was not saved. */
function useLeaveGuard(active: boolean): void {
  useEffect(() => {
    if (!active) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [active]);
}
