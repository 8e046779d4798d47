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
import { Segments } from '#ui/segments.tsx';
import { emptyPipeline, samplePipeline } from './first-drafts.ts';

/** A pipeline to draw: from nothing, or from a small one that works. */
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

const BEGINNINGS = ['sample', 'empty'] as const;
type Beginning = (typeof BEGINNINGS)[number];

function NewPipelineForm({ project }: { project: ProjectRecord }) {
  const { t } = useTranslation();
  const [, go] = useLocation();
  const create = useCreatePipeline();
  const pipelines = usePipelines().data ?? [];
  const taken = new Set(pipelines.filter((pipeline) => pipeline.project === project.id).map(({ id }) => id));
  const named = useNameAndId({ kind: 'pipeline', taken, firstName: 'Orders' });
  const [beginning, setBeginning] = useState<Beginning>('sample');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const asked = named.ask();
    if (asked === null) return;
    const definition = (beginning === 'sample' ? samplePipeline : emptyPipeline)(asked.id, asked.name);
    create.mutate(
      { project: project.id, definition },
      { onSuccess: (record) => go(`/pipelines/${record.project}/${record.id}`) },
    );
  };
  const rest = errorBesides(create.error, ['id']);
  return (
    <Panel>
      <form onSubmit={submit} noValidate className="stack body form">
        <NameAndIdFields
          of={named}
          nameLabel={t('pipelines.newName')}
          nameHelp={t('pipelines.newNameHelp')}
          idFault={fieldFault(create.error, 'id')}
        />
        <div className="field-label">
          {t('pipelines.beginning')}
          <Segments
            label={t('pipelines.beginning')}
            value={beginning}
            options={BEGINNINGS.map((value) => ({ value, label: t(`pipelines.begin.${value}`) }))}
            onChange={setBeginning}
          />
          <span className="t3">{t(`pipelines.beginHelp.${beginning}`)}</span>
        </div>
        {rest !== null && <ErrorNote error={rest} />}
        <CreateButtons submit={t('pipelines.newSubmit')} pending={create.isPending} />
      </form>
    </Panel>
  );
}
