import { useCallback, useMemo, useRef, useState } from 'react';
import { useTestPipeline, type TestRights } from '#api/pipeline-queries.ts';
import { isApiError } from '#api/problem.ts';
import type { TestPart } from '#common/model/test-part.ts';
import type { RunRecord } from '#common/model/records.ts';
import { useEditor, useEditorContext } from '../editor-context.tsx';
import { nameOf, type Draft } from '../model/draft.ts';
import type { EditorState, TestedPart } from '../model/store.ts';
import {
  entriesOf,
  readRequest,
  sampleRequest,
  type Entry,
  type ReadMessage,
  type TestRequest,
} from './test-request.ts';

/** The content of the form, and the result of the last test; both are kept while another part is shown. */
export interface TestForm {
  readonly entries: readonly Entry[];
  /** Null: there is no entry. A single node is an entry that takes a payload. */
  readonly entry: Entry | null;
  /** The route or trigger from which the rights come. */
  readonly start: string;
  /** The part of the pipeline that is run. */
  readonly part: TestPart;
  readonly request: TestRequest | null;
  setRequest(request: TestRequest): void;
  /** Puts the sample of that entry into the form. */
  begin(node: string): void;
  /** The source of the run's scopes: `route`, `pipeline`, or the id of a key. */
  readonly rights: string;
  setRights(rights: string): void;
  /** Writes are simulated. */
  readonly rehearsal: boolean;
  setRehearsal(on: boolean): void;
  readonly state: TestState;
  /** The reason why it did not run is also in `state`. */
  run(request?: TestRequest): Promise<RunRecord | NotRun>;
  cancel(): void;
}

/** `gone`: the entry no longer exists. */
export type NotRun = 'gone' | 'refused' | 'cancelled';

export type TestState =
  | { kind: 'none' }
  | { kind: 'faulty'; fault: Exclude<ReadMessage, { ok: true }> }
  | { kind: 'running'; since: number }
  | { kind: 'cancelled' }
  | { kind: 'done'; run: RunRecord; request: TestRequest }
  | { kind: 'refused'; error: Error };

/**
 * As a caller with the scopes that the route requires; for a trigger and a public route: with the grants of the
 * pipeline.
 */
export const ROUTE_RIGHTS = 'route';
export const PIPELINE_RIGHTS = 'pipeline';

function rightsOf(chosen: string): TestRights {
  return chosen === ROUTE_RIGHTS || chosen === PIPELINE_RIGHTS ? { rights: chosen } : { keyId: chosen };
}

/** Without nodes that were deleted since. */
function partIn(draft: Draft, tested: TestedPart, pins: EditorState['pins']): TestPart {
  const isThere = (id: string) => draft.nodes.some((node) => node.id === id && node.off !== true);
  const pinned = Object.entries(pins).filter(([id]) => isThere(id));
  return {
    ...(tested.kind !== 'whole' && isThere(tested.node) && { [tested.kind]: tested.node }),
    ...(pinned.length > 0 && { pins: Object.fromEntries(pinned) }),
  };
}

/** A single node starts with what it got in the last test. */
function sampleFor(draft: Draft, entry: Entry, lastRun: RunRecord | null): TestRequest {
  const sample = sampleRequest(draft, entry);
  const input = entry.route === null ? lastRun?.steps.find(({ node }) => node === entry.node)?.input : undefined;
  if (typeof input !== 'object' || input === null || !('payload' in input)) return sample;
  return { ...sample, body: JSON.stringify(input.payload, null, 2) };
}

function single(draft: Draft, node: string): Entry {
  return { node, name: nameOf(draft, node), route: null };
}

export function useTestForm(): TestForm {
  const { record, store, kinds, saveNow, mayEdit } = useEditorContext();
  const draft = useEditor((state) => state.draft);
  const entries = useMemo(() => entriesOf(draft, kinds), [draft, kinds]);
  const [typed, setRequest] = useState<TestRequest | null>(null);
  const [rights, setRights] = useState<string>(ROUTE_RIGHTS);
  const [rehearsal, setRehearsal] = useState(false);
  const [state, setState] = useState<TestState>({ kind: 'none' });
  const { mutateAsync: test } = useTestPipeline();
  const waiting = useRef<AbortController | null>(null);
  const tested = useEditor((state) => state.tested);
  const pins = useEditor((state) => state.pins);
  const [start, setStart] = useState('');
  const drawn = entries.find(({ node }) => node === start) ?? entries[0] ?? null;
  const part = useMemo(() => partIn(draft, tested, pins), [draft, tested, pins]);
  const entry = useMemo(
    () => (part.only === undefined || drawn === null ? drawn : single(draft, part.only)),
    [part, drawn, draft],
  );
  const lastRun = state.kind === 'done' ? state.run : null;
  const request = useMemo(
    () => (typed !== null && typed.node === entry?.node ? typed : entry && sampleFor(draft, entry, lastRun)),
    [typed, entry, draft, lastRun],
  );
  const { project, id } = record;

  const run = useCallback(
    async (wanted: TestRequest | null = request): Promise<RunRecord | NotRun> => {
      // A saved test runs everything.
      const isForm = wanted === request;
      const from = isForm ? entry : entries.find(({ node }) => node === wanted?.node);
      if (wanted === null || from === null || from === undefined || drawn === null) return 'gone';
      if (waiting.current !== null) return 'refused';
      const read = readRequest(wanted, from);
      if (!read.ok) {
        setState({ kind: 'faulty', fault: read });
        return 'refused';
      }
      const controller = new AbortController();
      waiting.current = controller;
      setState({ kind: 'running', since: Date.now() });
      try {
        if (mayEdit) await saveNow({ passing: true });
        const isOnly = isForm && part.only !== undefined;
        const message = isOnly ? { ...read.message, node: drawn.node } : read.message;
        const signal = controller.signal;
        const whole = { project, id, message, rights: rightsOf(rights), rehearsal, signal };
        const done = await test(isForm && Object.keys(part).length > 0 ? { ...whole, part } : whole);
        setState({ kind: 'done', run: done, request: wanted });
        store.showRun(done.id);
        return done;
      } catch (error) {
        if (controller.signal.aborted) {
          setState({ kind: 'cancelled' });
          return 'cancelled';
        }
        setState({ kind: 'refused', error: isApiError(error) ? error : new Error(String(error)) });
        return 'refused';
      } finally {
        waiting.current = null;
      }
    },
    [entries, entry, drawn, part, request, mayEdit, saveNow, test, project, id, rights, rehearsal, store],
  );

  const begin = (node: string) => {
    const wanted = entries.find((one) => one.node === node);
    if (wanted === undefined) return setRequest(null);
    setStart(node);
    setRequest(sampleRequest(draft, wanted));
  };
  const fill = (next: TestRequest) => {
    if (entries.some(({ node }) => node === next.node)) setStart(next.node);
    setRequest(next);
  };
  const cancel = () => waiting.current?.abort();
  return {
    entries,
    entry,
    start: drawn?.node ?? '',
    part,
    request,
    setRequest: fill,
    begin,
    rights,
    setRights,
    rehearsal,
    setRehearsal,
    state,
    run,
    cancel,
  };
}
