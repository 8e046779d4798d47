import { useEffect, useState } from 'react';
import { onResourceChange } from '#api/live.ts';
import { useCheckDraft } from '#api/pipeline-queries.ts';
import { useStatus } from '#api/queries.ts';
import type { CheckResult } from '#common/model/pipeline.ts';
import type { EditorStore } from './model/store.ts';

/** After the last change, milliseconds (editor.md, Problems). */
const QUIET_MS = 400;
/** After a missing response, milliseconds. */
const AGAIN_MS = 3_000;

/** The result of `check` for the current draft; the last result is kept while a newer one is pending. */
export function useCheck(store: EditorStore, project: string, id: string, mayEdit: boolean): CheckResult | null {
  const { mutateAsync: check } = useCheckDraft();
  const [result, setResult] = useState<CheckResult | null>(null);
  // A new gateway may have other kinds, and conflicts depend on the other running pipelines.
  const gateway = useStatus().data?.gateway;
  const pid = gateway?.state === 'running' ? gateway.pid : null;
  useEffect(() => {
    // No gateway: the last result is kept.
    if (pid === null) return undefined;
    let ended = false;
    let asked = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let seen = store.snapshot().draft;
    const wait = (ms: number) => {
      clearTimeout(timer);
      timer = setTimeout(() => void ask(), ms);
    };
    const ask = async () => {
      const turn = ++asked;
      const answer = await check({ project, id, definition: mayEdit ? store.snapshot().draft : null }).catch(
        () => null,
      );
      // An outdated response is dropped; without a response (no gateway), the last result is kept, and the check is
      // repeated.
      if (ended || turn !== asked) return;
      if (answer === null) wait(AGAIN_MS);
      else setResult(answer);
    };
    const stop = store.subscribe(() => {
      if (store.snapshot().draft === seen) return;
      seen = store.snapshot().draft;
      wait(QUIET_MS);
    });
    // A resource that was missing may exist now.
    const stopResources = onResourceChange(() => wait(QUIET_MS));
    void ask();
    return () => {
      ended = true;
      stop();
      stopResources();
      clearTimeout(timer);
    };
  }, [store, check, project, id, mayEdit, pid]);
  return result;
}
