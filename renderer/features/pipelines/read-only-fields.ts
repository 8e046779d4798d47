/** As in `common/model/pipeline.ts`, repeated because that file brings the schemas' library into the first download. */
export const READ_ONLY_PIPELINE_FIELDS = [
  'project',
  'revision',
  'state',
  'runningRevision',
  'runningSince',
  'approvedRevision',
  'updatedAt',
  'updatedBy',
] as const;
export type ReadOnlyField = (typeof READ_ONLY_PIPELINE_FIELDS)[number];
