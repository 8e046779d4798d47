import type { FieldError } from '#common/errors/catalogue.ts';
import type { PipelineDefinition } from '#common/model/pipeline.ts';
import {
  PROJECT_FILE_FORMAT,
  type PipelineFile,
  type ProjectFile,
  type SecretPlaceInFile,
} from '#common/model/project-file.ts';
import type { ProjectRecord } from '#common/model/records.ts';
import { saveErrors } from '#common/model/save-check.ts';
import type { StoredConnection, StoredPipeline } from '../contracts.ts';
import { secretFields, withSecrets } from '../projects/connection-secrets.ts';
import { bare, secretPlacesOf } from '../projects/pipeline-secrets.ts';
import type { Services } from './call.ts';
import { newest } from './drafts.ts';

/**
 * The content of a project file, and its errors (project-file.ts in the model defines its format). Files are created
 * from the store, which has no secrets: null replaces each.
 */
export function projectFileOf({ projects }: Services, { id, name }: ProjectRecord): ProjectFile {
  const { resources } = projects;
  const connections = resources.list('connections', id);
  const pipelines = projects.pipelines(id);
  return {
    sluice: 'project',
    format: PROJECT_FILE_FORMAT,
    project: { id, name },
    leftOut: [...connections.flatMap(ofConnection), ...pipelines.flatMap(ofPipeline)],
    connections: connections.map(({ definition }) => withSecrets(definition, {})),
    queries: newest(resources, 'queries', id),
    tags: resources.list('tags', id),
    scripts: newest(resources, 'scripts', id),
    pipelines: pipelines.map(({ definition }) => bare(definition)),
  };
}

export function pipelineFileOf(stored: StoredPipeline): PipelineFile {
  return {
    sluice: 'pipeline',
    format: PROJECT_FILE_FORMAT,
    leftOut: ofPipeline(stored),
    pipeline: bare(stored.definition),
  };
}

/** The fields of a file that must be filled in before its pipelines can start or its connections can log in. */
export function toFillIn(file: Pick<ProjectFile, 'leftOut' | 'connections' | 'pipelines'>): SecretPlaceInFile[] {
  const there = new Set(file.connections.map(({ id }) => id));
  const ofConnections = file.leftOut.filter((place) => 'connection' in place && there.has(place.connection));
  return [...ofConnections, ...file.pipelines.flatMap(secretsOf)];
}

/** Errors that prevent a save, and values of secret fields: an exported file has none, so they were entered by hand. */
export function pipelineErrors(definition: PipelineDefinition, path: string): FieldError[] {
  const secrets = secretPlacesOf(definition)
    .filter(({ value }) => typeof value === 'string')
    .map((place) => ({ path: `${path}.${place.path}`, message: NO_SECRETS }));
  const errors = saveErrors(definition).map((error) => ({ ...error, path: `${path}.${error.path}` }));
  return [...secrets, ...errors];
}

export function connectionErrors({ connections }: ProjectFile): FieldError[] {
  return connections.flatMap(({ settings }, index) => {
    const values = new Map(Object.entries(settings));
    const given = secretFields(settings).filter((field) => values.get(field) !== null);
    return given.map((field) => ({ path: `connections.${index}.settings.${field}`, message: NO_SECRETS }));
  });
}

const NO_SECRETS = 'expected null: a file has no secrets; put this one in after the import';

function ofConnection({ definition, secrets }: StoredConnection): SecretPlaceInFile[] {
  const fields = secretFields(definition.settings).filter((field) => secrets[field] !== undefined);
  return fields.map((field) => ({ connection: definition.id, field }));
}

function ofPipeline({ definition }: StoredPipeline): SecretPlaceInFile[] {
  return secretsOf(definition);
}

function secretsOf(definition: PipelineDefinition): SecretPlaceInFile[] {
  return secretPlacesOf(definition).map(({ node, field }) => ({ pipeline: definition.id, node, field }));
}
