import type { TFunction } from 'i18next';
import type { PipelineRecord } from '#common/model/records.ts';

/** "41 runs, draft 42": the running revision, and the newer draft. */
export function revisionText(t: TFunction, { revision, runningRevision }: PipelineRecord): string {
  if (runningRevision === null) return String(revision);
  const runs = t('pipelines.revisionRuns', { revision: runningRevision });
  return runningRevision === revision ? runs : `${runs}, ${t('pipelines.draft', { revision })}`;
}
