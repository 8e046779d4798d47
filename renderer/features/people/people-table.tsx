import { Menu } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { UserRecord } from '#common/model/records.ts';
import { useChangePerson, useRoles } from '#api/people-queries.ts';
import { useSession } from '#api/session.ts';
import { Chip } from '#ui/chip.tsx';
import type { Notice } from '#ui/notice-line.tsx';
import { Panel } from '#ui/panel.tsx';
import { ListTable } from '#ui/list-table.tsx';
import { Tags } from '#ui/tags.tsx';
import { Ago } from '#ui/time.tsx';
import { RowMenu } from '#ui/row-menu.tsx';
import { isLastAdministrator, mayActAs } from './people-view.ts';

export type PersonAct = 'roles' | 'password' | 'own-password' | 'deactivate';

interface Props {
  people: UserRecord[];
  onOpen: (act: PersonAct, person: UserRecord) => void;
  onNotice: (notice: Notice) => void;
}

/** Active users by name, then deactivated ones. */
export function PeopleTable({ people, onOpen, onNotice }: Props) {
  const { t } = useTranslation();
  const sorted = people.toSorted((a, b) => Number(b.active) - Number(a.active) || a.name.localeCompare(b.name));
  return (
    <Panel title={t('people.people')}>
      <ListTable
        columns={[
          t('people.name'),
          t('people.roles'),
          t('people.lastLogin'),
          { text: t('people.made'), className: 'wide' },
          t('people.state'),
        ]}
        actions={t('people.actionsShort')}
      >
        {sorted.map((person) => (
          <PersonRow key={person.id} {...{ person, people, onOpen, onNotice }} />
        ))}
      </ListTable>
    </Panel>
  );
}

function PersonRow({ person, people, onOpen, onNotice }: Props & { person: UserRecord }) {
  const { t } = useTranslation();
  const session = useSession().data;
  const isSelf = session?.kind === 'in' && session.user.id === person.id;
  return (
    <tr className={person.active ? '' : 'dim'}>
      <td>
        <span className="strong">{person.name}</span> {isSelf && <span className="t3">({t('people.you')})</span>}
      </td>
      <td>
        <Tags plain names={person.roles} none={t('people.noRole')} />
      </td>
      <td>
        <Ago iso={person.lastLoginAt} />
      </td>
      <td className="wide">
        <Ago iso={person.createdAt} />
      </td>
      <td>
        <Chip shape={person.active ? 'running' : 'stopped'} quiet={!person.active}>
          {person.active ? t('people.active') : t('people.inactive')}
        </Chip>
      </td>
      <td className="number-cell tight-cell">
        <PersonMenu {...{ person, people, onOpen, onNotice, isSelf }} />
      </td>
    </tr>
  );
}

function PersonMenu({ person, people, onOpen, onNotice, isSelf }: Props & { person: UserRecord; isSelf: boolean }) {
  const { t } = useTranslation();
  const session = useSession().data;
  const held = session?.kind === 'in' ? session.permissions : [];
  const mayAct = mayActAs(person, useRoles(true).data ?? [], held);
  const activate = useActivate(onNotice);
  return (
    <RowMenu label={t('people.actions', { name: person.name })}>
      <Menu.Item onClick={() => onOpen('roles', person)}>{t('people.changeRoles')}</Menu.Item>
      {isSelf && <Menu.Item onClick={() => onOpen('own-password', person)}>{t('people.ownPassword')}</Menu.Item>}
      {!isSelf && mayAct && <Menu.Item onClick={() => onOpen('password', person)}>{t('people.setPassword')}</Menu.Item>}
      <Shut {...{ person, people, isSelf }} onDeactivate={() => onOpen('deactivate', person)} />
      {!person.active && mayAct && <Menu.Item onClick={() => activate(person)}>{t('people.reactivate')}</Menu.Item>}
    </RowMenu>
  );
}

/** The button to deactivate, or the reason why it is disabled. */
function Shut({
  person,
  people,
  isSelf,
  onDeactivate,
}: Pick<Props, 'people'> & { person: UserRecord; isSelf: boolean; onDeactivate: () => void }) {
  const { t } = useTranslation();
  if (!person.active) return null;
  if (isLastAdministrator(person, people)) return <Menu.Label>{t('people.lastAdministrator')}</Menu.Label>;
  if (isSelf) return <Menu.Label>{t('people.notYourself')}</Menu.Label>;
  return <Menu.Item onClick={onDeactivate}>{t('people.deactivate')}</Menu.Item>;
}

function useActivate(onNotice: (notice: Notice) => void) {
  const { t } = useTranslation();
  const change = useChangePerson();
  return ({ id, name }: UserRecord) =>
    change.mutate(
      { id, patch: { active: true } },
      {
        onSuccess: () => onNotice({ kind: 'done', text: t('people.done.activated', { name }) }),
        onError: (error) => onNotice({ kind: 'failed', text: t('people.failed.activate', { name }), error }),
      },
    );
}
