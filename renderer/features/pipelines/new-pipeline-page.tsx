import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import type { ProjectRecord } from '#common/model/records.ts';
import { useChosenProject } from '#api/chosen-project.ts';
import { errorBesides, fieldFault } from '#api/field-fault.ts';
import { useCreatePipeline, usePipelines } from '#api/queries.ts';
import { usePermission } from '#api/session.ts';
import { CreateButtons } from '#ui/create-buttons.tsx';
import { ErrorNote } from '#ui/error-note.tsx';
import { NameAndIdFields, useNameAndId } from '#ui/name-and-id.tsx';
import { NoProject } from '#ui/no-project.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { Panel } from '#ui/panel.tsx';
import { ProjectPicker } from '#ui/project-picker.tsx';
import { acceptOrders } from '#ui/templates/accept-orders.ts';
import { TemplateGallery } from '#ui/templates/template-gallery.tsx';
import { pipelineFrom, type PipelineTemplate } from '#ui/templates/template.ts';

/** Creates a pipeline: empty, or from a template. */
export function NewPipelinePage() {
  const { t } = useTranslation();
  const { project, projects, choose, error } = useChosenProject();
  const mayEdit = usePermission('edit_pipelines');
  if (!mayEdit) return <PageHead title={t('pipelines.newTitle')} answer={t('pipelines.mayNot')} />;
  return (
    <>
      <PageHead
        title={t('pipelines.newTitle')}
        answer={t('pipelines.newAnswer')}
        actions={project && projects && <ProjectPicker {...{ project, projects, choose }} />}
      />
      {error && <ErrorNote error={error} />}
      {projects?.length === 0 && <NoProject />}
      {project && <NewPipelineForm project={project} />}
    </>
  );
}

const EMPTY = { nodes: [], wires: [] };

function NewPipelineForm({ project }: { project: ProjectRecord }) {
  const { t } = useTranslation();
  const [, go] = useLocation();
  const create = useCreatePipeline();
  const pipelines = usePipelines().data ?? [];
  const taken = new Set(pipelines.filter((pipeline) => pipeline.project === project.id).map(({ id }) => id));
  const named = useNameAndId({ kind: 'pipeline', taken, firstName: 'Orders' });
  const [template, setTemplate] = useState<PipelineTemplate | null>(acceptOrders);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const asked = named.ask();
    if (asked === null) return;
    const definition = pipelineFrom(template ?? EMPTY, asked.id, asked.name);
    create.mutate(
      { project: project.id, definition, isOpen: template !== null && template.open.length > 0 },
      { onSuccess: (record) => go(`/pipelines/${record.project}/${record.id}`) },
    );
  };
  const rest = errorBesides(create.error, ['id']);
  return (
    <Panel>
      <form onSubmit={submit} noValidate className="stack body">
        <NameAndIdFields
          of={named}
          nameLabel={t('pipelines.newName')}
          nameHelp={t('pipelines.newNameHelp')}
          idFault={fieldFault(create.error, 'id')}
        />
        <TemplateGallery chosen={template?.id ?? null} onChoose={setTemplate} withEmpty />
        {rest !== null && <ErrorNote error={rest} />}
        <CreateButtons submit={t('pipelines.newSubmit')} pending={create.isPending} />
      </form>
    </Panel>
  );
}
