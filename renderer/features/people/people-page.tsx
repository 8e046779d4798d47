import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RoleRecord, UserRecord } from '#common/model/records.ts';
import { usePeople, useRoles } from '#api/people-queries.ts';
import { LoadError } from '#ui/load-error.tsx';
import { Icon } from '#ui/icon.tsx';
import { LoadingRows } from '#ui/loading-rows.tsx';
import { NoticeLine, type Notice } from '#ui/notice-line.tsx';
import { OwnPasswordDialog } from '#ui/own-password-dialog.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { permittedPage } from '#ui/permitted-page.tsx';
import { SettingsTabs } from '#ui/settings-tabs.tsx';
import { AddPersonDialog } from './add-person-dialog.tsx';
import { DeactivateDialog } from './deactivate-dialog.tsx';
import { PasswordDialog } from './password-dialog.tsx';
import { PeopleTable, type PersonAct } from './people-table.tsx';
import { isAdministrator } from './people-view.ts';
import { RoleDialog } from './role-dialog.tsx';
import { RoleTable } from './role-table.tsx';
import { RolesOfDialog } from './roles-of-dialog.tsx';

type Open =
  | { kind: 'none' }
  | { kind: 'add' }
  | { kind: PersonAct; person: UserRecord }
  | { kind: 'role'; role: RoleRecord | null };

export const PeoplePage = permittedPage('manage_users', People, {
  title: (t) => t('settingsTabs.people'),
  only: (t) => t('people.only'),
});

function People() {
  const { t } = useTranslation();
  const people = usePeople(true);
  const roles = useRoles(true);
  const [open, setOpen] = useState<Open>({ kind: 'none' });
  const [notice, setNotice] = useState<Notice | null>(null);
  return (
    <>
      <PageHead
        title={t('settingsTabs.people')}
        answer={people.data && <Answer people={people.data} />}
        actions={
          <Button variant="filled" leftSection={<Icon name="plus" />} onClick={() => setOpen({ kind: 'add' })}>
            {t('people.add')}
          </Button>
        }
      />
      <SettingsTabs />
      <NoticeLine notice={notice} onClose={() => setNotice(null)} />
      <LoadingRows of={people} />
      {people.data && (
        <PeopleTable people={people.data} onNotice={setNotice} onOpen={(kind, person) => setOpen({ kind, person })} />
      )}
      {roles.isError && <LoadError error={roles.error} />}
      {roles.data && (
        <RoleTable roles={roles.data} people={people.data ?? []} onOpen={(role) => setOpen({ kind: 'role', role })} />
      )}
      <Dialogs
        open={open}
        people={people.data ?? []}
        roles={roles.data ?? []}
        onOpen={setOpen}
        onDone={(text) => {
          setNotice({ kind: 'done', text });
          setOpen({ kind: 'none' });
        }}
      />
    </>
  );
}

function Answer({ people }: { people: UserRecord[] }) {
  const { t } = useTranslation();
  const active = people.filter((person) => person.active);
  const administrators = active.filter(isAdministrator).length;
  return (
    <>
      {t('people.answer', { count: active.length })}{' '}
      {administrators === 1 ? (
        <b>{t('people.oneAdministrator')}</b>
      ) : (
        t('people.administrators', { count: administrators })
      )}
    </>
  );
}

interface DialogsProps {
  open: Open;
  people: UserRecord[];
  roles: RoleRecord[];
  onOpen: (open: Open) => void;
  onDone: (text: string) => void;
}

function Dialogs({ open, people, roles, onOpen, onDone }: DialogsProps) {
  const onClose = () => onOpen({ kind: 'none' });
  const now = (person: UserRecord) => people.find(({ id }) => id === person.id) ?? person;
  switch (open.kind) {
    case 'none':
      return null;
    case 'add':
      return <AddPersonDialog {...{ people, roles, onDone, onClose }} />;
    case 'roles':
      return <RolesOfDialog person={now(open.person)} {...{ people, roles, onDone, onClose }} />;
    case 'password':
      return <PasswordDialog person={now(open.person)} {...{ onDone, onClose }} />;
    case 'own-password':
      return <OwnPasswordDialog onClose={onClose} />;
    case 'deactivate':
      return (
        <DeactivateDialog
          person={now(open.person)}
          onRoles={() => onOpen({ kind: 'roles', person: open.person })}
          {...{ onDone, onClose }}
        />
      );
    case 'role':
      return <RoleDialog role={open.role} {...{ people, onDone, onClose }} />;
  }
}
