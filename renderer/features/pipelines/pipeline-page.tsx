import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { PipelineRecord } from '#common/model/records.ts';
import { usePipeline, useSavePipeline } from '#api/queries.ts';
import { isApiError } from '#api/problem.ts';
import { usePermission } from '#api/session.ts';
import { ErrorNote } from '#ui/error-note.tsx';
import { Note } from '#ui/note.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { PipelineStateChip } from '#ui/pipeline-state.tsx';
import { CheckButton } from './check.tsx';
import { definitionText, parseDefinition } from './definition-text.ts';
import { JsonField } from './json-field.tsx';
import { revisionText } from './revision-text.ts';
import { RunControls } from './run-controls.tsx';
import { RunFault, type RunFaultState } from './run-fault.tsx';

/** One pipeline: its state and its definition as JSON, to read, change, check and start. */
export function PipelinePage({ project, id }: { project: string; id: string }) {
  const { t } = useTranslation();
  const pipeline = usePipeline(project, id);
  const [fault, setFault] = useState<RunFaultState | null>(null);
  const [saved, setSaved] = useState<PipelineRecord | null>(null);
  const record = pipeline.data;
  return (
    <>
      <p className="xs">
        <Link href="/pipelines" className="touch">
          {t('common.back', { page: t('pipelines.title') })}
        </Link>
      </p>
      <PageHead
        title={record?.name ?? id}
        answer={record && <Summary record={record} />}
        actions={record && <RunControls pipeline={record} onFault={setFault} />}
      />
      {pipeline.isError && <ErrorNote error={pipeline.error} />}
      {fault && <RunFault fault={fault} />}
      {saved && <SavedNote saved={saved} />}
      {record && (
        <Editor key={record.revision} record={record} onSaved={setSaved} onReload={() => void pipeline.refetch()} />
      )}
    </>
  );
}

function Summary({ record }: { record: PipelineRecord }) {
  const { t } = useTranslation();
  return (
    <span className="row">
      <PipelineStateChip state={record.state} />
      <span>
        {t('pipelines.revision')} {revisionText(t, record)}
      </span>
    </span>
  );
}

function SavedNote({ saved }: { saved: PipelineRecord }) {
  const { t } = useTranslation();
  const { revision, runningRevision } = saved;
  const text =
    runningRevision === null
      ? t('pipelines.saved', { revision })
      : t('pipelines.savedRunning', { revision, running: runningRevision });
  return (
    <output>
      <Note title={text} />
    </output>
  );
}

interface EditorProps {
  record: PipelineRecord;
  onSaved: (saved: PipelineRecord) => void;
  onReload: () => void;
}

function Editor({ record, onSaved, onReload }: EditorProps) {
  const { t } = useTranslation();
  const mayEdit = usePermission('edit_pipelines');
  const save = useSavePipeline();
  const original = definitionText(record);
  const [text, setText] = useState(original);
  const parsed = parseDefinition(text);
  const { project, id, revision } = record;
  const store = () =>
    parsed.ok && save.mutate({ project, id, revision, definition: parsed.value }, { onSuccess: onSaved });
  return (
    <>
      <JsonField
        label={t('pipelines.json')}
        help={mayEdit ? t('pipelines.jsonHelp') : undefined}
        text={text}
        onChange={mayEdit ? setText : undefined}
      />
      {!parsed.ok && <Note kind="error" title={t('pipelines.jsonBad', { reason: parsed.reason })} />}
      {isApiError(save.error, 'revision_changed') ? (
        <Note
          kind="error"
          title={t('pipelines.revisionChanged')}
          action={<Button onClick={onReload}>{t('pipelines.readNewer')}</Button>}
        />
      ) : (
        save.isError && <ErrorNote error={save.error} />
      )}
      <div className="row wrap">
        {mayEdit && (
          <Button variant="filled" onClick={store} loading={save.isPending} disabled={!parsed.ok || text === original}>
            {t('pipelines.save')}
          </Button>
        )}
        <CheckButton project={project} id={id} />
      </div>
    </>
  );
}
