import { Button } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { KindManifest } from '#common/control/messages.ts';
import { readPath } from '#common/model/message-path.ts';
import { CodeEditor } from '#ui/code/code-editor.tsx';
import { Note } from '#ui/note.tsx';
import { useEditorContext } from '../editor-context.tsx';
import { sampleSettings } from '../model/choices.ts';
import type { DraftNode, Settings } from '../model/draft.ts';
import { changeSettings, removeNodes, renameNode, switchNodes } from '../model/edits.ts';
import { EngineNote } from './engine-note.tsx';
import { RouteFacts } from './route-facts.tsx';
import { faultAt, ownFaults, serverFaults, type FaultText } from './faults.ts';
import { Fields } from '#ui/form/fields.tsx';
import { Findings } from './findings.tsx';
import { FormProvider, type FormContext } from '#ui/form/form-context.tsx';
import { Frame } from '#ui/form/frame.tsx';
import { useKindText } from '#ui/kind-text/use-kind-text.ts';
import { readForm, variantOf } from '#ui/form/schema.ts';
import type { Form, Variant } from '#ui/form/schema-types.ts';
import { LeftText } from '#ui/form/text-setting.tsx';
import { useMapping } from './use-mapping.ts';

interface Props {
  node: DraftNode;
  readOnly: boolean;
  stage: HTMLElement | null;
}

/** All settings of one node. */
export function NodeForm({ node, readOnly, stage }: Props) {
  const { t } = useTranslation();
  const { kinds } = useEditorContext();
  const kind = kinds.get(node.kind);
  return (
    <>
      <Findings node={node.id} readOnly={readOnly} />
      {kind === undefined ? (
        <>
          <Note title={t('editorForm.missingKind', { kind: node.kind })}>
            <p className="t2">{t('editorForm.missingKindHelp')}</p>
          </Note>
          <CodeEditor label={t('editorForm.stored')} language="json" value={JSON.stringify(node.settings, null, 2)} />
        </>
      ) : (
        <KindForm node={node} kind={kind} readOnly={readOnly} stage={stage} />
      )}
      {!readOnly && <NodeActs node={node} />}
    </>
  );
}

function KindForm({ node, kind, readOnly, stage }: Props & { kind: KindManifest }) {
  const { store, kinds } = useEditorContext();
  const form = useMemo(() => readForm(kind.settings), [kind]);
  const variant = variantOf(form, node.settings);
  const [typing, setTyping] = useState<string | null>(null);
  const context = useNodeContext({ node, kind, readOnly, stage }, variant, { typing, setTyping });
  const write = (settings: Settings, field: string) => {
    setTyping(field);
    return store.edit(
      { code: 'set', about: node.name ?? node.id },
      (draft) => changeSettings(draft, node.id, settings, kinds),
      `${node.id}/${field}`,
    );
  };
  return (
    <FormProvider value={context}>
      <EngineNote node={node.id} />
      <div className="settings-list">
        <NameField node={node} readOnly={readOnly} />
        <ModeField
          node={node}
          form={form}
          variant={variant}
          readOnly={readOnly}
          onChange={(settings) => write(settings, form.mode ?? '')}
        />
        <Fields
          key={variant.value}
          fields={variant.fields}
          values={node.settings}
          path=""
          onChange={(settings) => write(settings, changedField(node.settings, settings))}
        />
      </div>
      {node.kind === 'rest-api' && variant.value === 'ingress' && node.off !== true && <RouteFacts node={node} />}
    </FormProvider>
  );
}

/** The setting that is being edited: its field has not lost the focus since its last change. */
interface Typing {
  typing: string | null;
  setTyping: (field: string | null) => void;
}

/** The only setting in which they differ: changes are made one at a time. */
function changedField(before: Settings, after: Settings): string {
  const names = [...Object.keys(before), ...Object.keys(after)];
  return names.find((name) => before[name] !== after[name]) ?? '';
}

function useNodeContext(
  { node, kind, readOnly, stage }: Props & { kind: KindManifest },
  variant: Variant,
  { typing, setTyping }: Typing,
): FormContext {
  const { t } = useTranslation();
  const { store, record, check } = useEditorContext();
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [enlarged, enlarge] = useState<string | null>(null);
  // A fault is shown when its field has lost the focus: not during typing, and not in a field that is still empty.
  const isWaiting = (path: string) => {
    const [top = ''] = path.split('.');
    return top === typing || (node.settings[top] === undefined && ![...left].some((one) => one.split('.')[0] === top));
  };
  const serverIssues = useMemo(() => serverFaults(check, node.id), [check, node.id]);
  const own = useMemo(() => {
    const text: FaultText = (code, values) => t(`editorForm.fault.${code}`, values);
    return ownFaults(variant.schema, node.settings, text);
  }, [variant.schema, node.settings, t]);
  const samples = useMemo(() => sampleSettings(kind, variant.value), [kind, variant.value]);
  return {
    project: record.project,
    pipeline: record.id,
    node: node.id,
    readOnly,
    typed: null,
    mapping: useMapping(node),
    sampleAt: (path) => sampleAt(samples, path),
    settings: node.settings,
    savedUrls: record.nodes.map(({ settings }) => settings['url']).filter((url) => typeof url === 'string'),
    faultAt: (path, inside) => {
      if (isWaiting(path)) return null;
      return faultAt(serverIssues, path, inside) ?? (left.has(path) ? faultAt(own, path, inside) : null);
    },
    leave: (path) => {
      setTyping(null);
      setLeft((before) => (before.has(path) ? before : new Set([...before, path])));
    },
    settle: () => store.settle(),
    enlarged,
    enlarge,
    stage,
    Fields,
  };
}

/** In an example's list, the first entry is the example for each entry. */
function sampleAt(samples: Settings, path: string): unknown {
  const names = path.split('.').map((name) => (/^\d+$/.test(name) ? '0' : name));
  return readPath(samples, names);
}

function NameField({ node, readOnly }: Pick<Props, 'node' | 'readOnly'>) {
  const { t } = useTranslation();
  const { store } = useEditorContext();
  return (
    <Frame path="node.name" title={t('editorForm.name')} help="" required={false}>
      {(wiring) => (
        <LeftText
          wiring={wiring}
          value={node.name ?? ''}
          placeholder={node.id}
          readOnly={readOnly}
          onChange={(name) =>
            store.edit({ code: 'rename', about: node.name ?? node.id }, (draft) => renameNode(draft, node.id, name))
          }
        />
      )}
    </Frame>
  );
}

interface ModeProps {
  node: DraftNode;
  form: Form;
  variant: Variant;
  readOnly: boolean;
  onChange: (settings: Settings) => void;
}

/** Selects the mode of the node. Common settings of both modes are kept. */
function ModeField({ node, form, variant, readOnly, onChange }: ModeProps) {
  const { t } = useTranslation();
  const kindText = useKindText();
  const { store } = useEditorContext();
  const { mode, variants } = form;
  if (mode === null) return null;
  const choose = (value: string) => {
    const next = variants.find((one) => one.value === value);
    if (next === undefined || readOnly || value === variant.value) return;
    const kept = Object.entries(node.settings).filter(([name]) => next.fields.some((field) => field.name === name));
    store.settle();
    onChange({ [mode]: value, ...Object.fromEntries(kept) });
    store.settle();
  };
  return (
    <Frame path={mode} title={t('editorForm.mode')} help={kindText(variant.help)} required={false} group>
      {() => (
        <span className="segments">
          {variants.map(({ value, title }) => (
            <button
              key={value}
              type="button"
              aria-pressed={value === variant.value}
              disabled={readOnly && value !== variant.value}
              onClick={() => choose(value ?? '')}
            >
              {kindText(title)}
            </button>
          ))}
        </span>
      )}
    </Frame>
  );
}

function NodeActs({ node }: { node: DraftNode }) {
  const { t } = useTranslation();
  const { store, kinds } = useEditorContext();
  const about = node.name ?? node.id;
  const ids = new Set([node.id]);
  return (
    <div className="row wrap setting-acts">
      <Button onClick={() => store.edit({ code: 'switch', about }, (draft) => switchNodes(draft, ids))}>
        {t(node.off === true ? 'editorForm.switchOn' : 'editorForm.switchOff')}
      </Button>
      <Button onClick={() => store.edit({ code: 'delete', about }, (draft) => removeNodes(draft, ids, kinds))}>
        {t('editorForm.deleteNode')}
      </Button>
    </div>
  );
}
