import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { ConnectionUser } from './connection-users.ts';

const SHOWN_MAX = 2;

/** The first few as text, the rest as a number. */
export function ConnectionUsers({ users }: { users: readonly ConnectionUser[] }) {
  const { t } = useTranslation();
  if (users.length === 0) return <span className="t3">{t('connections.nobody')}</span>;
  const names = users.slice(0, SHOWN_MAX).map(({ kind, name }) => t(`connections.userKind.${kind}`, { name }));
  const rest = users.length - SHOWN_MAX;
  return (
    <span className="break">
      {names.join(', ')} {rest > 0 && <span className="t2">{t('connections.more', { count: rest })}</span>}
    </span>
  );
}

const LISTED_MAX = 20;

/** Each with a link to where it is changed. */
export function ConnectionUserList({ users }: { users: readonly ConnectionUser[] }) {
  const { t } = useTranslation();
  const rest = users.length - LISTED_MAX;
  return (
    <ul className="user-list">
      {users.slice(0, LISTED_MAX).map(({ kind, id, name, href }) => (
        <li key={`${kind} ${id}`}>
          <Link href={href}>{t(`connections.userKind.${kind}`, { name })}</Link>
        </li>
      ))}
      {rest > 0 && <li>{t('connections.more', { count: rest })}</li>}
    </ul>
  );
}
