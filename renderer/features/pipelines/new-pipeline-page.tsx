import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useSearchParams } from 'wouter';
import { useCreatePipeline, useProjects } from '#api/queries.ts';
import { ErrorNote } from '#ui/error-note.tsx';
import { NativeSelect } from '#ui/native-select.tsx';
import { Note } from '#ui/note.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { Empty, Panel } from '#ui/panel.tsx';
import { definitionText, parseDefinition } from './definition-text.ts';
import { JsonField } from './json-field.tsx';
import { SAMPLE_PIPELINE } from './sample-pipeline.ts';

/** A pipeline from pasted JSON; a small one that works stands there to begin with. */
export function NewPipelinePage() {
  const { t } = useTranslation();
  const projects = useProjects();
  return (
    <>
      <PageHead title={t('pipelines.newTitle')} answer={t('pipelines.newAnswer')} />
      {projects.isError && <ErrorNote error={projects.error} />}
      {projects.data?.length === 0 && (
        <Panel>
          <Empty title={t('pipelines.noProject')} help={t('pipelines.noProjectHelp')}>
            <Button component={Link} href="/projects/new" variant="filled">
              {t('pipelines.createProject')}
            </Button>
          </Empty>
        </Panel>
      )}
      {projects.data && projects.data.length > 0 && <NewPipelineForm projects={projects.data} />}
    </>
  );
}

function NewPipelineForm({ projects }: { projects: { id: string; name: string }[] }) {
  const { t } = useTranslation();
  const [, go] = useLocation();
  const [search] = useSearchParams();
  const create = useCreatePipeline();
  const [project, setProject] = useState(search.get('project') ?? projects[0]?.id ?? '');
  const [text, setText] = useState(definitionText(SAMPLE_PIPELINE));
  const parsed = parseDefinition(text);
  const submit = () => {
    if (!parsed.ok) return;
    create.mutate(
      { project, definition: parsed.value },
      { onSuccess: (record) => go(`/pipelines/${record.project}/${record.id}`) },
    );
  };
  return (
    <>
      <div className="row">
        <span className="t2">{t('common.project')}</span>
        <NativeSelect
          label={t('common.project')}
          value={project}
          onChange={setProject}
          options={projects.map(({ id, name }) => ({ value: id, label: name }))}
        />
      </div>
      <JsonField label={t('pipelines.json')} text={text} onChange={setText} />
      {!parsed.ok && <Note kind="error" title={t('pipelines.jsonBad', { reason: parsed.reason })} />}
      {create.isError && <ErrorNote error={create.error} />}
      <div className="row">
        <Button variant="filled" onClick={submit} loading={create.isPending} disabled={!parsed.ok}>
          {t('pipelines.newSubmit')}
        </Button>
        <Button component={Link} href="/pipelines">
          {t('common.cancel')}
        </Button>
      </div>
    </>
  );
}
