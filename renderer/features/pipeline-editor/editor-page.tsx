import { useCallback, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { definitionOf, useKinds, usePipelineTraffic, useRevisions } from '#api/pipeline-queries.ts';
import { usePipeline } from '#api/queries.ts';
import { usePermission, useSession } from '#api/session.ts';
import type { PipelineDefinition } from '#common/model/pipeline.ts';
import type { PipelineRecord } from '#common/model/records.ts';
import { LoadError } from '#ui/load-error.tsx';
import { Loading } from '#ui/loading.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { showToast } from '#ui/toast.tsx';
import { useNarrow } from '#ui/use-narrow.ts';
import { CanvasProvider } from './canvas/canvas-provider.tsx';
import { Canvas } from './canvas/canvas.tsx';
import { Palette } from './canvas/palette.tsx';
import { Dock } from './dock/dock.tsx';
import { EditorProvider, useEditor, type EditorContext } from './editor-context.tsx';
import './editor.css';
import { SettingsPanel } from './form/settings-panel.tsx';
import { Header } from './head/header.tsx';
import { PaneTabs } from './head/pane-tabs.tsx';
import { spread } from './model/layout.ts';
import type { Kinds } from './model/ports.ts';
import { EditorStore } from './model/store.ts';
import { leftDraftOf, useAutosave } from './use-autosave.ts';
import { useCheck } from './use-check.ts';
import { useRegions } from './use-regions.ts';

/** The editor of one pipeline. */
export function EditorPage({ project, id }: { project: string; id: string }) {
  const pipeline = usePipeline(project, id);
  const kinds = useKinds();
  const error = pipeline.error ?? kinds.error;
  if (pipeline.data && kinds.data) return <Editor record={pipeline.data} kinds={kinds.data} />;
  return (
    <>
      <PageHead title={id} />
      <Loading of={pipeline.isPending ? pipeline : kinds} />
      {error && <LoadError error={error} alone />}
    </>
  );
}

function Editor({ record, kinds }: { record: PipelineRecord; kinds: Kinds }) {
  const { project, id } = record;
  const mayEdit = usePermission('edit_pipelines');
  const mayRun = usePermission('run_pipelines');
  const session = useSession().data;
  // The user of the page does not change during its lifetime.
  const [user] = useState(session?.kind === 'in' ? session.user.id : '');
  const [left] = useState(() => (mayEdit ? leftDraftOf(record, user) : null));
  const [store] = useState(() => new EditorStore(left?.draft ?? spread(definitionOf(record), kinds)));
  const { saving, saveNow, take } = useAutosave({ store, record, mayEdit, user, left, onTaken: useTakenToast() });
  const check = useCheck(store, project, id, mayEdit);
  const traffic = usePipelineTraffic(project, id).data ?? null;
  const running = useRunning(record, kinds);
  const isStopped = record.runningRevision === null;
  useEffect(() => {
    // A stopped revision cannot be shown.
    if (isStopped) store.showRunning(false);
  }, [store, isStopped]);
  const context = useMemo<EditorContext>(
    () => ({ store, record, kinds, running, saving, saveNow, take, check, traffic, mayEdit, mayRun }),
    [store, record, kinds, running, saving, saveNow, take, check, traffic, mayEdit, mayRun],
  );
  return (
    <EditorProvider value={context}>
      <CanvasProvider>
        <Frame />
      </CanvasProvider>
    </EditorProvider>
  );
}

function useTakenToast() {
  const { t } = useTranslation();
  return useCallback(
    ({ revision, by }: { revision: number; by: string }) =>
      showToast({ text: t('editorDock.toast.taken', { revision, name: by }) }),
    [t],
  );
}

function Frame() {
  const regions = useRegions();
  const canvasOnly = useEditor((state) => state.canvasOnly);
  const pane = useEditor((state) => state.pane);
  const narrow = useNarrow();
  return (
    <div className={`editor ${canvasOnly ? 'canvas-only' : ''} ${narrow ? `pane-${pane}` : ''}`} ref={regions}>
      <Header />
      {narrow && <PaneTabs />}
      <Palette />
      <Canvas />
      <SettingsPanel />
      <Dock />
    </div>
  );
}

function useRunning({ project, id, runningRevision }: PipelineRecord, kinds: Kinds): PipelineDefinition | null {
  const revisions = useRevisions(project, id).data;
  const runs = revisions?.find(({ revision }) => revision === runningRevision)?.definition ?? null;
  return useMemo(() => runs && spread(runs, kinds), [runs, kinds]);
}
