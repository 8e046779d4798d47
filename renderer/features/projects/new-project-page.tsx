import { TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import { useCreateProject } from '#api/queries.ts';
import { usePermission } from '#api/session.ts';
import { CreateButtons } from '#ui/create-buttons.tsx';
import { ErrorNote } from '#ui/error-note.tsx';
import { useFirstFocus } from '#ui/first-focus.ts';
import { FieldFault } from '#ui/field-error.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { Panel } from '#ui/panel.tsx';
import { idFrom } from '#ui/id-from.ts';
import { PROJECT_ID } from '#ui/project-id.ts';

export function NewProjectPage() {
  const { t } = useTranslation();
  const mayEdit = usePermission('edit_pipelines');
  if (!mayEdit) return <PageHead title={t('projects.title')} answer={t('pipelines.mayNot')} />;
  return (
    <>
      <PageHead title={t('projects.title')} answer={t('projects.answer')} />
      <Panel>
        <ProjectForm />
      </Panel>
    </>
  );
}

function ProjectForm() {
  const { t } = useTranslation();
  const first = useFirstFocus<HTMLInputElement>();
  const [, go] = useLocation();
  const create = useCreateProject();
  const [name, setName] = useState('');
  const [ownId, setOwnId] = useState<string | null>(null);
  const [asked, setAsked] = useState(false);
  const id = ownId ?? idFrom(name);
  const nameOk = name.trim() !== '' && name.trim().length <= 64;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
    if (nameOk && PROJECT_ID.test(id))
      create.mutate({ id, name: name.trim() }, { onSuccess: () => go('/pipelines/new?project=' + id) });
  };
  const order = ['label' as const, 'input' as const, 'error' as const, 'description' as const];
  return (
    <form onSubmit={submit} noValidate className="stack body form">
      <TextInput
        label={t('projects.name')}
        description={t('projects.nameHelp')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={asked && !nameOk && <FieldFault text={t('projects.nameBad')} />}
        inputWrapperOrder={order}
        ref={first}
      />
      <TextInput
        label={t('projects.id')}
        description={t('projects.idHelp')}
        value={id}
        onChange={(event) => setOwnId(event.currentTarget.value)}
        error={asked && !PROJECT_ID.test(id) && <FieldFault text={t('projects.idBad')} />}
        inputWrapperOrder={order}
        className="mono-field"
      />
      {create.isError && <ErrorNote error={create.error} />}
      <CreateButtons submit={t('projects.submit')} pending={create.isPending} />
    </form>
  );
}
