import type { PipelineDefinition } from '#common/model/pipeline.ts';
import type { ProjectRecord } from '#common/model/records.ts';
import type { HeldSecret, PipelineStamp, StoredPipeline, StoredRevision, StoredStart } from '../contracts.ts';
import type { Row } from './transactions.ts';

export function projectOf(row: Row): ProjectRecord {
  return { id: text(row, 'id'), name: text(row, 'name'), createdAt: text(row, 'created_at') };
}

export function pipelineOf(row: Row): StoredPipeline {
  return {
    project: text(row, 'project'),
    definition: definitionOf(row),
    secrets: secretsOf(row),
    revision: whole(row, 'revision'),
    updatedAt: text(row, 'saved_at'),
    updatedBy: text(row, 'saved_by'),
    wantedRevision: row['wanted'] === null ? null : whole(row, 'wanted'),
    wantedSince: row['wanted_at'] === null ? null : text(row, 'wanted_at'),
    approvedRevision: row['approved'] === null ? null : whole(row, 'approved'),
  };
}

export function stampOf(row: Row): PipelineStamp {
  return {
    project: text(row, 'project'),
    id: text(row, 'id'),
    revision: whole(row, 'newest'),
    wantedRevision: row['wanted'] === null ? null : whole(row, 'wanted'),
    updatedAt: text(row, 'saved_at'),
  };
}

export function revisionOf(row: Row): StoredRevision {
  return {
    revision: whole(row, 'revision'),
    savedAt: text(row, 'saved_at'),
    savedBy: text(row, 'saved_by'),
    definition: definitionOf(row),
    secrets: secretsOf(row),
  };
}

export function startOf(row: Row): StoredStart {
  const [project, revision] = [text(row, 'project'), whole(row, 'revision')];
  return { project, revision, definition: definitionOf(row), secrets: secretsOf(row) };
}

export function stoppedOf(row: Row): Pick<StoredStart, 'project' | 'definition'> {
  return { project: text(row, 'project'), definition: definitionOf(row) };
}

/**
 * As saved, without another check: the gateway checks every start, and a rule of a later release must not prevent the
 * other pipelines from being read.
 */
function definitionOf(row: Row): PipelineDefinition {
  const definition: PipelineDefinition = JSON.parse(text(row, 'definition'));
  return definition;
}

function secretsOf(row: Row): HeldSecret[] {
  const secrets: HeldSecret[] = JSON.parse(text(row, 'secrets'));
  return secrets;
}

function text(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== 'string') throw new Error(`the project store's column ${column} holds no text`);
  return value;
}

function whole(row: Row, column: string): number {
  const value = row[column];
  if (typeof value !== 'number') throw new Error(`the project store's column ${column} holds no number`);
  return value;
}
