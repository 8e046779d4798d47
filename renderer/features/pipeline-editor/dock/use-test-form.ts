import { useCallback, useMemo, useRef, useState } from 'react';
import { useTestPipeline, type TestRights } from '#api/pipeline-queries.ts';
import { isApiError } from '#api/problem.ts';
import type { RunRecord } from '#common/model/records.ts';
import { useEditor, useEditorContext } from '../editor-context.tsx';
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
  /** Null: there is no entry. */
  readonly entry: Entry | null;
  readonly request: TestRequest | null;
  setRequest(request: TestRequest): void;
  /** Puts the sample of that entry into the form. */
  begin(node: string): void;
  /** The source of the run's scopes: `route`, `pipeline`, or the id of a key. */
  readonly rights: string;
  setRights(rights: string): void;
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

export function useTestForm(): TestForm {
  const { record, store, kinds, saveNow, mayEdit } = useEditorContext();
  const draft = useEditor((state) => state.draft);
  const entries = useMemo(() => entriesOf(draft, kinds), [draft, kinds]);
  const [typed, setRequest] = useState<TestRequest | null>(null);
  const [rights, setRights] = useState<string>(ROUTE_RIGHTS);
  const [state, setState] = useState<TestState>({ kind: 'none' });
  const { mutateAsync: test } = useTestPipeline();
  const waiting = useRef<AbortController | null>(null);
  const entry = entries.find(({ node }) => node === typed?.node) ?? entries[0] ?? null;
  const request = useMemo(
    () => (typed !== null && typed.node === entry?.node ? typed : entry && sampleRequest(draft, entry)),
    [typed, entry, draft],
  );
  const { project, id } = record;

  const run = useCallback(
    async (wanted: TestRequest | null = request): Promise<RunRecord | NotRun> => {
      const start = entries.find(({ node }) => node === wanted?.node);
      if (wanted === null || start === undefined) return 'gone';
      if (waiting.current !== null) return 'refused';
      const read = readRequest(wanted, start);
      if (!read.ok) {
        setState({ kind: 'faulty', fault: read });
        return 'refused';
      }
      const controller = new AbortController();
      waiting.current = controller;
      setState({ kind: 'running', since: Date.now() });
      try {
        if (mayEdit) await saveNow({ passing: true });
        const { message } = read;
        const done = await test({ project, id, message, rights: rightsOf(rights), signal: controller.signal });
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
    [entries, request, mayEdit, saveNow, test, project, id, rights, store],
  );

  const begin = (node: string) => {
    const start = entries.find((one) => one.node === node);
    if (start !== undefined) setRequest(sampleRequest(draft, start));
  };
  const cancel = () => waiting.current?.abort();
  return { entries, entry, request, setRequest, begin, rights, setRights, state, run, cancel };
}
