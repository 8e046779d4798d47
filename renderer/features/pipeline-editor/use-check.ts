import { useEffect, useState } from 'react';
import { useCheckDraft } from '#api/pipeline-queries.ts';
import type { CheckResult } from '#common/model/pipeline.ts';
import type { EditorStore } from './model/store.ts';

/** After the last change, milliseconds (editor.md, Problems). */
const QUIET_MS = 400;

/** What `check` says of the draft as it is drawn; the last answer stands while a newer one is waited for. */
export function useCheck(store: EditorStore, project: string, id: string, mayEdit: boolean): CheckResult | null {
  const { mutateAsync: check } = useCheckDraft();
  const [result, setResult] = useState<CheckResult | null>(null);
  useEffect(() => {
    let ended = false;
    let asked = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let seen = store.snapshot().draft;
    const ask = async () => {
      const turn = ++asked;
      const answer = await check({ project, id, definition: mayEdit ? store.snapshot().draft : null }).catch(
        () => null,
      );
      // Without an answer (no gateway, no right) what was known stands; an answer that was overtaken is dropped.
      if (!ended && turn === asked && answer !== null) setResult(answer);
    };
    const stop = store.subscribe(() => {
      if (store.snapshot().draft === seen) return;
      seen = store.snapshot().draft;
      clearTimeout(timer);
      timer = setTimeout(() => void ask(), QUIET_MS);
    });
    void ask();
    return () => {
      ended = true;
      stop();
      clearTimeout(timer);
    };
  }, [store, check, project, id, mayEdit]);
  return result;
}
