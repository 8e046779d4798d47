import { Button } from '@mantine/core';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'wouter';
import { Icon } from '#ui/icon.tsx';
import { useNarrow } from '#ui/use-narrow.ts';
import { Glyph } from '../canvas/glyph.tsx';
import { useEditor, useEditorContext, useEditorStore, useShownDefinition } from '../editor-context.tsx';
import { nodeOf, type DraftNode } from '../model/draft.ts';
import { portsOf } from '../model/ports.ts';
import './form.css';
import { useKindText } from '#ui/kind-text/use-kind-text.ts';
import { NodeForm } from './node-form.tsx';
import { PipelineForm } from './pipeline-form.tsx';
import { SeveralForm, WireForm } from './several-form.tsx';
import { useWantedField } from './use-wanted-field.ts';

/** The settings of the selected node; follows the selection. */
export function SettingsPanel() {
  const { t } = useTranslation();
  const { isOpen, setOpen, open } = usePanelOpen();
  const [stage, setStage] = useState<HTMLElement | null>(null);
  const panel = useRef<HTMLElement>(null);
  useWantedField(panel, open);
  useLinkedNode();
  return (
    <>
      {isOpen ? (
        <aside className="editor-settings" data-region="settings" aria-label={t('editorForm.panel')} ref={panel}>
          <Chosen stage={stage} onClose={() => setOpen(false)} />
        </aside>
      ) : (
        <div className="editor-settings-closed" data-region="settings">
          <Button className="square" aria-label={t('editorForm.openPanel')} onClick={() => setOpen(true)}>
            <Icon name="settings" />
          </Button>
        </div>
      )}
      {/* Enlarged code is rendered in here, above the canvas. */}
      <div className="editor-stage-place" ref={setStage} />
    </>
  );
}

const STORED = 'sluice.editor.settings';

/**
 * The settings of what is chosen, unless somebody has closed them; this browser keeps that. While nothing is chosen, the
 * canvas has their width until the settings of the pipeline are asked for. On a narrow screen they have a tab of their own.
 */
function usePanelOpen() {
  const store = useEditorStore();
  const isChosen = useEditor(({ nodes, wire }) => nodes.size > 0 || wire !== null);
  const pipelineShown = useEditor((state) => state.pipelineShown);
  const [wanted, setWanted] = useState(() => localStorage.getItem(STORED) !== 'closed');
  const keep = useCallback((next: boolean) => {
    localStorage.setItem(STORED, next ? 'open' : 'closed');
    setWanted(next);
  }, []);
  const open = useCallback(() => keep(true), [keep]);
  const narrow = useNarrow();
  const setOpen = (next: boolean) => {
    if (narrow) return store.showPane('canvas');
    if (isChosen) return keep(next);
    return next ? store.showPipeline() : store.select([]);
  };
  return { isOpen: narrow || (isChosen ? wanted : pipelineShown), setOpen, open };
}

/** `?node=…&field=…`: a link to a node, or to a field of it. */
function useLinkedNode(): void {
  const store = useEditorStore();
  const [search] = useSearchParams();
  const node = search.get('node');
  const field = search.get('field');
  useEffect(() => {
    if (node !== null && nodeOf(store.snapshot().draft, node) !== undefined) store.goTo(node, field);
  }, [store, node, field]);
}

function Chosen({ stage, onClose }: { stage: HTMLElement | null; onClose: () => void }) {
  const { t } = useTranslation();
  const { mayEdit } = useEditorContext();
  const shown = useShownDefinition();
  const ids = useEditor((state) => state.nodes);
  const wire = useEditor((state) => state.wire);
  const showsRunning = useEditor((state) => state.showsRunning);
  const readOnly = !mayEdit || showsRunning;
  const [only = ''] = ids;
  const node = ids.size === 1 ? nodeOf(shown, only) : undefined;
  const close = (
    <Button variant="subtle" className="square" aria-label={t('editorForm.closePanel')} onClick={onClose}>
      <Icon name="close" />
    </Button>
  );
  if (node !== undefined)
    return (
      <>
        <NodeHead node={node} close={close} />
        {/* The settings of another node are scrolled to the top. */}
        <div className="settings-body" key={node.id}>
          {readOnly && <p className="t3">{t(mayEdit ? 'editorForm.readOnlyRunning' : 'editorForm.readOnly')}</p>}
          <NodeForm node={node} readOnly={readOnly} stage={stage} />
        </div>
      </>
    );
  const title = wire !== null ? t('editorForm.wire.title') : t('editorForm.several', { count: ids.size });
  return (
    <>
      <header className="settings-head">
        <h2 className="grow">{wire === null && ids.size < 2 ? t('editorForm.pipeline.title') : title}</h2>
        {close}
      </header>
      <div className="settings-body">
        {wire !== null ? (
          <WireForm wire={wire} readOnly={readOnly} />
        ) : ids.size > 1 ? (
          <SeveralForm ids={ids} readOnly={readOnly} />
        ) : (
          <PipelineForm readOnly={readOnly} />
        )}
      </div>
    </>
  );
}

function NodeHead({ node, close }: { node: DraftNode; close: React.ReactNode }) {
  const { t } = useTranslation();
  const kindText = useKindText();
  const { kinds } = useEditorContext();
  const kind = kinds.get(node.kind);
  const calls = kind?.category === 'http' && kind.modes !== undefined && portsOf(node, kinds).input;
  return (
    <header className="settings-head">
      <span className="settings-glyph">
        <Glyph kind={node.kind} category={calls ? 'calls' : (kind?.category ?? 'other')} />
      </span>
      <div className="grow">
        <h2 className="cut">{node.name ?? node.id}</h2>
        <p className="t3 cut">
          {kind === undefined ? node.kind : kindText(kind.title)}
          {node.off === true && `, ${t('editorForm.isOff')}`}
        </p>
      </div>
      {close}
    </header>
  );
}
