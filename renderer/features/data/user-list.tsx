import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { Chip } from '#ui/chip.tsx';
import type { User } from './users.ts';

/** Pipelines that refer to a resource, each a link to its editor. */
export function UserList({ project, users, none }: { project: string; users: readonly User[]; none: string }) {
  const { t } = useTranslation();
  if (users.length === 0) return <p className="t2">{none}</p>;
  return (
    <ul className="user-list">
      {users.map(({ id, name, running }) => (
        <li key={id} className="row wrap">
          <Link className="touch" href={`/pipelines/${encodeURIComponent(project)}/${encodeURIComponent(id)}`}>
            {name}
          </Link>
          <Chip shape={running ? 'running' : 'stopped'} quiet>
            {running ? t('data.users.running') : t('data.users.stopped')}
          </Chip>
        </li>
      ))}
    </ul>
  );
}
