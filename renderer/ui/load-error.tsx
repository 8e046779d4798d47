import { useTranslation } from 'react-i18next';
import { isApiError } from '../api/problem.ts';
import { ErrorNote } from './error-note.tsx';
import { Note } from './note.tsx';

/**
 * Values that could not be read. That Sluice does not answer is no error of a page: the bar and the opening sentence
 * say it once (page-head.tsx), and the values that were read before stay. `alone`: nothing else is on the page.
 */
export function LoadError({ error, title, alone = false }: { error: unknown; title?: string; alone?: boolean }) {
  const { t } = useTranslation();
  if (!isApiError(error, 'unreachable')) return <ErrorNote error={error} {...(title !== undefined && { title })} />;
  return alone ? <Note>{t('error.waiting')}</Note> : null;
}
