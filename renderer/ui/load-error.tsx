import { useTranslation } from 'react-i18next';
import { isApiError } from '../api/problem.ts';
import { ErrorNote } from './error-note.tsx';
import { Note } from './note.tsx';

/**
 * Values that could not be loaded. If Sluice does not respond, the page shows no error: the bar and the opening
 * sentence report it once (page-head.tsx), and the previous values remain. `alone`: the page has no other content.
 */
export function LoadError({ error, title, alone = false }: { error: unknown; title?: string; alone?: boolean }) {
  const { t } = useTranslation();
  if (!isApiError(error, 'unreachable')) return <ErrorNote error={error} {...(title !== undefined && { title })} />;
  return alone ? <Note>{t('error.waiting')}</Note> : null;
}
