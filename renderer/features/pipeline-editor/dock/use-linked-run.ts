import { useEffect } from 'react';
import { useSearchParams } from 'wouter';
import { useEditorStore } from '../editor-context.tsx';

/** `?run=…`: a link to a run, such as from the journal. */
export function useLinkedRun(): void {
  const store = useEditorStore();
  const [search] = useSearchParams();
  const run = search.get('run');
  useEffect(() => {
    if (run === null) return;
    store.openDock('runs');
    store.showRun(run);
  }, [store, run]);
}
