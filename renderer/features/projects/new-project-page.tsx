import type { FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import { errorBesides, fieldFault } from '#api/field-fault.ts';
import { useCreateProject, useProjects } from '#api/queries.ts';
import { usePermission } from '#api/session.ts';
import { CreateButtons } from '#ui/create-buttons.tsx';
import { ErrorNote } from '#ui/error-note.tsx';
import { useFirstFocus } from '#ui/first-focus.ts';
import { NameAndIdFields, useNameAndId } from '#ui/name-and-id.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { Panel } from '#ui/panel.tsx';

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
  const taken = new Set((useProjects().data ?? []).map((project) => project.id));
  const named = useNameAndId({ kind: 'project', taken });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const asked = named.ask();
    if (asked !== null) create.mutate(asked, { onSuccess: () => go('/pipelines/new?project=' + asked.id) });
  };
  const rest = errorBesides(create.error, ['id']);
  return (
    <form onSubmit={submit} noValidate className="stack body form">
      <NameAndIdFields
        of={named}
        nameLabel={t('projects.name')}
        nameHelp={t('projects.nameHelp')}
        idFault={fieldFault(create.error, 'id')}
        nameRef={first}
      />
      {rest !== null && <ErrorNote error={rest} />}
      <CreateButtons submit={t('projects.submit')} pending={create.isPending} />
    </form>
  );
}
