import { useTranslation } from 'react-i18next';
import { isErrorCode } from '#common/errors/catalogue.ts';
import { isApiError, type ApiError } from '../api/problem.ts';
import { ruleText, type ServerSentence } from '../api/rule-text.ts';
import { Note } from './note.tsx';

interface Props {
  error: unknown;
  title?: string;
  /** The name of a field by its path, if the page knows a better one than the path; null: it does not. */
  fieldName?: (path: string) => string | null;
}

/** An error as plain sentences: what happened, each invalid field, the remedy, and the request ID for support. */
export function ErrorNote({ error, title, fieldName }: Props) {
  const { t } = useTranslation();
  if (isApiError(error, 'unreachable')) {
    return (
      <Note kind="error" title={title ?? t('error.unreachable')}>
        <p className="t2">{t('error.unreachableHelp')}</p>
      </Note>
    );
  }
  if (!isApiError(error)) {
    return (
      <Note kind="error" title={title ?? t('error.title')}>
        <p className="t2">{error instanceof Error ? error.message : String(error)}</p>
      </Note>
    );
  }
  return (
    <Note kind="error" title={title ?? t('error.title')}>
      <CodeTitle error={error} />
      {!tellsFields(error) && (
        <p className="t2">
          <ServerText sentence={error.sentence} />
        </p>
      )}
      {error.code === 'internal' && error.requestId !== null && (
        <p className="t2">{t('error.requestId', { id: error.requestId })}</p>
      )}
      {error.errors.length > 0 && (
        <ul>
          {error.errors.map((field) => (
            <li key={field.path + field.message}>
              <FieldName path={field.path} name={fieldName?.(field.path) ?? null} /> <ServerText sentence={field} />
            </li>
          ))}
        </ul>
      )}
    </Note>
  );
}

function FieldName({ path, name }: { path: string; name: string | null }) {
  if (name !== null) return <b>{name}:</b>;
  return path === '' ? null : <code>{path}</code>;
}

/** The title of the code, if the message itself exists only in English. */
function CodeTitle({ error: { code, sentence } }: { error: ApiError }) {
  const { t, i18n } = useTranslation();
  if (!isErrorCode(code) || ruleText(sentence, i18n).isOurs) return null;
  return <p>{t(`errors.codes.${code}`)}.</p>;
}

/** The sentence only combines the messages that the list below shows field by field. */
const tellsFields = ({ message, errors }: ApiError) =>
  errors.length > 0 && errors.every((field) => message.includes(field.message));

/** A message of the admin API in the language of the UI if a translation exists, otherwise marked as English. */
function ServerText({ sentence }: { sentence: ServerSentence }) {
  const { i18n } = useTranslation();
  const said = ruleText(sentence, i18n);
  return <span lang={said.isOurs ? undefined : 'en'}>{said.text}</span>;
}
