import { Button } from '@mantine/core';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'wouter';
import { useStopPipeline } from '#api/queries.ts';
import { DeletePipelineDialog } from '#ui/delete-pipeline-dialog.tsx';
import { useHeadingFocus } from '#ui/focus-return.ts';
import { Icon } from '#ui/icon.tsx';
import { Shape } from '#ui/shape.tsx';
import { StopDialog } from '#ui/stop-dialog.tsx';
import { CompareDialog } from '../dock/compare-dialog.tsx';
import { useEditor, useEditorContext } from '../editor-context.tsx';
import { countOf, differenceOf } from '../model/difference.ts';
import './head.css';
import { MoreMenu } from './more-menu.tsx';
import { Others } from './others.tsx';
import { StartDialog } from './start-dialog.tsx';
import { FaultStrip, SavingStrip } from './strip.tsx';
import { UndoButtons } from './undo-buttons.tsx';
import { useHeadKeys } from './use-head-keys.ts';
import { useStart } from './use-start.ts';
import { Versions } from './versions.tsx';
import { useTitle } from '#ui/use-title.ts';

type Asked = 'start' | 'stop' | 'compare' | 'theirs' | 'delete' | null;

/** The running revision and the draft, side by side; undo, redo, Test, Stop, Start. */
export function Header() {
  const { t } = useTranslation();
  const context = useEditorContext();
  const [, go] = useLocation();
  const name = useEditor((state) => state.draft.name);
  const [asked, setAsked] = useState<Asked>(null);
  const starting = useStart();
  const { start } = starting;
  const { record, running } = context;
  const stop = useStopPipeline();
  const heading = useHeadingFocus();
  const close = () => setAsked(null);
  const askStart = useCallback(() => {
    start.reset();
    setAsked('start');
  }, [start]);
  useHeadKeys(context, askStart);
  useTitle(name);
  return (
    <header className="editor-head" data-region="header">
      <div className="editor-bar">
        <div className="editor-name">
          <Link href="/pipelines">{t('pipelines.title')}</Link>
          <h1 ref={heading} tabIndex={-1} className="cut" title={name}>
            {name}
          </h1>
        </div>
        <Versions onCompare={() => setAsked('compare')} />
        <span className="grow" />
        <Others />
        <Acts onAsk={setAsked} onStart={askStart} />
      </div>
      <SavingStrip onCompare={() => setAsked('theirs')} />
      {starting.backFault && (
        <FaultStrip
          title={t('editorDock.strip.notStarted')}
          error={starting.backFault}
          onClose={starting.clearBackFault}
        />
      )}
      {stop.error && (
        <FaultStrip
          title={t('pipelines.stopRefused', { name: record.name })}
          error={stop.error}
          onClose={() => stop.reset()}
        />
      )}
      {asked === 'start' && <StartDialog starting={starting} onClose={close} />}
      {asked === 'stop' && (
        <StopDialog
          pipeline={{ ...(running ?? record), project: record.project }}
          pending={stop.isPending}
          onConfirm={() => stop.mutate(record, { onSettled: close })}
          onClose={close}
        />
      )}
      {asked === 'compare' && <CompareDialog from="running" to="draft" onClose={close} />}
      {asked === 'theirs' && <CompareDialog from="draft" to="newest" onClose={close} />}
      {asked === 'delete' && <DeletePipelineDialog pipeline={record} onDone={() => go('/pipelines')} onClose={close} />}
    </header>
  );
}

/** Not highlighted while the running revision is equal to the draft. */
function StartButton({ revision, onStart }: { revision: number; onStart: () => void }) {
  const { t } = useTranslation();
  const { record, running, mayEdit } = useEditorContext();
  const draft = useEditor((state) => state.draft);
  const isSame = useMemo(() => running !== null && countOf(differenceOf(running, draft)) === 0, [running, draft]);
  // Another revision may differ in a secret, which is not part of the draft.
  if (isSame && record.state === 'running' && record.runningRevision === revision)
    return (
      <span className="start-none" title={t('editorDock.startNoneHelp', { revision })}>
        <Shape name="running" small />
        {t('editorDock.startNone')}
      </span>
    );
  return (
    <Button variant="filled" leftSection={<Icon name="start" />} onClick={onStart}>
      {mayEdit ? t('editorDock.start', { revision }) : t('editorDock.startRevision', { revision })}
    </Button>
  );
}

function Acts({ onAsk, onStart }: { onAsk: (asked: Asked) => void; onStart: () => void }) {
  const { t } = useTranslation();
  const { record, saving, store, mayEdit, mayRun } = useEditorContext();
  const { revision } = saving.kind === 'saved' ? saving : record;
  const runs = record.state !== 'stopped';
  return (
    <div className="row">
      {mayEdit && <UndoButtons />}
      {mayRun && (
        <Button leftSection={<Icon name="flask" />} onClick={() => store.openDock('test')}>
          {t('editorDock.test')}
        </Button>
      )}
      {mayRun && runs && (
        <Button leftSection={<Icon name="stop" />} onClick={() => onAsk('stop')}>
          {t('editorDock.stop')}
        </Button>
      )}
      {mayRun && <StartButton revision={revision} onStart={onStart} />}
      <MoreMenu onDelete={() => onAsk('delete')} />
    </div>
  );
}
