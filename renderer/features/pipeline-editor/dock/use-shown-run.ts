import { useRuns } from '#api/pipeline-queries.ts';
import type { RunRecord } from '#common/model/records.ts';
import { useEditor, useEditorContext } from '../editor-context.tsx';

/** The selected run, else the latest. */
export function useShownRun(live: boolean): { run: RunRecord | null; runs: readonly RunRecord[] | undefined } {
  const { record } = useEditorContext();
  const chosen = useEditor((state) => state.run);
  const runs = useRuns(record.project, record.id, live).data;
  const run = runs?.find(({ id }) => id === chosen) ?? (chosen === null ? runs?.[0] : undefined) ?? null;
  return { run, runs };
}
