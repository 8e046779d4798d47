import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import type { ProjectRecord } from '#common/model/records.ts';
import { useChosenProject } from '#api/chosen-project.ts';
import { useCreatePipeline } from '#api/queries.ts';
import { usePermission } from '#api/session.ts';
import { CreateButtons } from '#ui/create-buttons.tsx';
import { ErrorNote } from '#ui/error-note.tsx';
import { TextField } from '#ui/form-fields.tsx';
import { NoProject } from '#ui/no-project.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { Panel } from '#ui/panel.tsx';
import { idFrom } from '#ui/id-from.ts';
import { PROJECT_ID } from '#ui/project-id.ts';
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
  const [name, setName] = useState('Orders');
  const [beginning, setBeginning] = useState<Beginning>('sample');
  const [asked, setAsked] = useState(false);
  const id = idFrom(name);
  const nameOk = PROJECT_ID.test(id) && name.trim().length <= 64;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
    if (!nameOk) return;
    const definition = (beginning === 'sample' ? samplePipeline : emptyPipeline)(id, name.trim());
    create.mutate(
      { project: project.id, definition },
      { onSuccess: (record) => go(`/pipelines/${record.project}/${record.id}`) },
    );
  };
  return (
    <Panel>
      <form onSubmit={submit} noValidate className="stack body form">
        <TextField
          label={t('pipelines.newName')}
          help={t('pipelines.newNameHelp', { id: nameOk ? id : '–' })}
          fault={asked && !nameOk ? t('pipelines.newNameBad') : null}
          value={name}
          onChange={setName}
          first
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
        {create.isError && <ErrorNote error={create.error} />}
        <CreateButtons submit={t('pipelines.newSubmit')} pending={create.isPending} />
      </form>
    </Panel>
  );
}
