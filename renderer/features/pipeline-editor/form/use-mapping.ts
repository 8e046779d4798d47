import { useMemo } from 'react';
import { useDefinitions } from '#api/definition-queries.ts';
import { useRuns } from '#api/pipeline-queries.ts';
import type { Mapping } from '#ui/form/mapping.ts';
import { useEditorContext, useShownDefinition } from '../editor-context.tsx';
import type { DraftNode } from '../model/draft.ts';
import { mappingOf } from '../model/known-paths.ts';

/** The message that the node receives; null: nothing is wired to it. */
export function useMapping({ id }: DraftNode): Mapping | null {
  const { record } = useEditorContext();
  const draft = useShownDefinition();
  const runs = useRuns(record.project, record.id, false).data;
  const queries = useDefinitions(record.project, 'queries').data;
  const isFed = draft.wires.some(({ to }) => to === id);
  return useMemo(
    () =>
      isFed ? mappingOf(draft, id, runs ?? [], new Map((queries ?? []).map((query) => [query.id, query.sql]))) : null,
    [isFed, draft, id, runs, queries],
  );
}
