import { useTranslation } from 'react-i18next';
import { isApiError } from '../api/problem.ts';
import { Note } from './note.tsx';

/** An error as plain sentences: what happened, each field that is wrong, what to do, and the id to ask about. */
export function ErrorNote({ error, title }: { error: unknown; title?: string }) {
  const { t } = useTranslation();
  if (isApiError(error, 'unreachable')) {
    return (
      <Note kind="error" title={title ?? t('error.unreachable')}>
        <p className="t2">{t('error.unreachableMend')}</p>
      </Note>
    );
  }
  if (!isApiError(error)) {
    return (
      <Note kind="error" title={title ?? t('error.title')}>
        <p className="t2">{String(error)}</p>
      </Note>
    );
  }
  return (
    <Note kind="error" title={title ?? t('error.title')}>
      <p className="t2">{error.message}</p>
      {error.errors.length > 0 && (
        <ul>
          {error.errors.map((field) => (
            <li key={field.path + field.message}>
              {field.path !== '' && <code>{field.path}</code>} {field.message}
            </li>
          ))}
        </ul>
      )}
    </Note>
  );
}
