import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { ConnectionAnswer } from '#api/connections-queries.ts';
import { Note } from '#ui/note.tsx';
import { numberText } from '#ui/quantity.ts';

interface Props {
  target: string;
  pending: boolean;
  answer: ConnectionAnswer | undefined;
}

/** The result of a test, and where to fix a problem if that is known. */
export function TestAnswer({ target, pending, answer }: Props) {
  const { t, i18n } = useTranslation();
  const ms = numberText(answer?.durationMs ?? 0, i18n.language);
  return (
    <output className="test-answer">
      {pending && <p className="t2">{t('connections.form.dialling', { target })}</p>}
      {!pending && answer?.ok === true && (
        <Note title={t('connections.form.ok', { ms })}>
          <p className="t2 break">{answer.text}</p>
        </Note>
      )}
      {!pending && answer?.ok === false && (
        <Note kind="warning" title={t('connections.form.notOk', { ms })}>
          <p className="break">{answer.text}</p>
          <WhereMended answer={answer} />
        </Note>
      )}
    </output>
  );
}

/** The page on which a refused target can be allowed. */
export function WhereMended({ answer }: { answer: ConnectionAnswer }) {
  const { t } = useTranslation();
  if (answer.ok || !/allowed internal targets/i.test(answer.text)) return null;
  return (
    <Link href="/settings/gateway" className="touch">
      {t('connections.form.allow')}
    </Link>
  );
}
