import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RoleRecord, UserRecord } from '#common/model/records.ts';
import { useChangePerson } from '#api/people-queries.ts';
import { useSession } from '#api/session.ts';
import { FormDialog } from '#ui/form-dialog.tsx';
import type { DoneProps } from '#ui/dialog-props.ts';
import { Note } from '#ui/note.tsx';
import { useEditConflict } from '#ui/edit-conflict.tsx';
import { isLastAdministrator } from './people-view.ts';
import { RoleTicks } from './role-ticks.tsx';

interface Props extends DoneProps {
  person: UserRecord;
  people: UserRecord[];
  roles: RoleRecord[];
}

export function RolesOfDialog({ person, people, roles, onDone, onClose }: Props) {
  const { t } = useTranslation();
  const change = useChangePerson();
  const session = useSession().data;
  const [chosen, setChosen] = useState(person.roles);
  const { id, name } = person;
  const others = useEditConflict({
    place: `roles of ${id}`,
    saved: person.roles.toSorted(),
    mine: chosen.toSorted(),
    take: () => setChosen(person.roles),
  });
  const isSelf = session?.kind === 'in' && session.user.id === id;
  const fixed = isLastAdministrator(person, people) ? { name: 'Administrator', why: t('people.rolesOf.last') } : null;
  const submit = () => {
    if (chosen.toSorted().join() === person.roles.toSorted().join()) return onClose();
    change.mutate({ id, patch: { roles: chosen } }, { onSuccess: () => onDone(t('people.done.roles', { name })) });
  };
  return (
    <FormDialog
      wide
      others={others}
      title={t('people.rolesOf.title', { name })}
      act={t('people.rolesOf.submit')}
      failed={t('people.rolesOf.failed')}
      call={change}
      onSubmit={submit}
      onClose={onClose}
    >
      {isSelf ? <Note kind="warning">{t('people.rolesOf.self')}</Note> : <p>{t('people.rolesOf.lead', { name })}</p>}
      <RoleTicks roles={roles} chosen={chosen} had={person.roles} fixed={fixed} onChange={setChosen} />
    </FormDialog>
  );
}
