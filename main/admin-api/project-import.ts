import { SluiceError } from '#common/errors/catalogue.ts';
import { freeId } from '#common/model/free-id.ts';
import type { PipelineFile, ProjectFile, SecretPlaceInFile } from '#common/model/project-file.ts';
import type { ProjectRecord } from '#common/model/records.ts';
import type { StoredPipeline } from '../contracts.ts';
import { bare } from '../projects/pipeline-secrets.ts';
import { performAct } from './acts.ts';
import { type Context, invalid, type Services } from './call.ts';
import { expectDiskRoom, storedBytes } from './expect-disk-room.ts';
import { connectionErrors, pipelineErrors, toFillIn } from './project-file.ts';
import { clearWay, drop } from './project-calls.ts';
import { storeDraft } from './store-draft.ts';
import { withoutGateway } from './without-gateway.ts';

/**
 * Imports files, completely or not at all: everything is checked first, a project is then written in one transaction,
 * and undone if the gateway refuses it. Nothing is started.
 */
export interface Imported {
  project: ProjectRecord;
  toFillIn: SecretPlaceInFile[];
}

/** Throws SluiceError `invalid` with paths below `file`, `conflict` for an ID that is taken, with a free one. */
export async function importProject(
  services: Services,
  context: Context<unknown, unknown>,
  sent: ProjectFile,
  as: { id?: string | undefined; name?: string | undefined } = {},
): Promise<Imported> {
  const bytes = storedBytes(sent);
  expectDiskRoom(services, bytes);
  const { id = sent.project.id, name = sent.project.name } = as;
  const file: ProjectFile = { ...sent, project: { id, name } };
  refuseFaults(file);
  if (file.connections.length > 0 && !context.session.permissions.has('access_settings'))
    throw new SluiceError(
      'permission_missing',
      'This file has connections: importing it needs the permission access_settings.',
    );
  const counts = `${file.pipelines.length} pipelines, ${file.connections.length} connections, ${file.queries.length} queries, ${file.tags.length} tags, ${file.scripts.length} scripts`;
  const row = { act: 'project.import', project: id, target: id, detail: `${name}: ${counts}` };
  const project = await services.locks.project(id, () =>
    performAct(services, context, row, () => make(services, file, context.session.user.name)),
  );
  services.uploads.note(id, bytes);
  services.hub.publish({ kind: 'changed', what: 'project', project: id });
  return { project, toFillIn: toFillIn(file) };
}

export async function importPipeline(
  services: Services,
  context: Context<unknown, unknown>,
  project: string,
  { pipeline }: PipelineFile,
  as: { id?: string | undefined } = {},
): Promise<{ stored: StoredPipeline; toFillIn: SecretPlaceInFile[] }> {
  const bytes = storedBytes(pipeline);
  expectDiskRoom(services, bytes);
  services.uploads.note(project, bytes);
  const errors = pipelineErrors(pipeline, 'file.pipeline');
  if (errors.length > 0) throw invalid(errors);
  const definition = { ...bare(pipeline), id: as.id ?? pipeline.id };
  const { id, name } = definition;
  const row = { project, pipeline: id, target: id, detail: name };
  const { stored } = await services.locks.pipeline(project, id, () =>
    performAct(services, context, row, () => {
      const taken = services.projects.pipelines(project).map((other) => other.definition.id);
      refuseTaken('pipeline', id, taken);
      const by = context.session.user.name;
      return storeDraft(services, { project, definition, by, before: null }, (draft, secrets) =>
        services.projects.createPipeline(project, draft, by, secrets),
      );
    }),
  );
  services.hub.publish({ kind: 'changed', what: 'pipeline', project, pipeline: id });
  return { stored, toFillIn: toFillIn({ leftOut: [], connections: [], pipelines: [definition] }) };
}

/** Throws `invalid` with paths below `file`. */
export function refuseFaults(file: ProjectFile): void {
  const ofPipelines = file.pipelines.flatMap((pipeline, index) => pipelineErrors(pipeline, `file.pipelines.${index}`));
  const ofConnections = connectionErrors(file).map((error) => ({ ...error, path: `file.${error.path}` }));
  const errors = [...ofConnections, ...ofPipelines];
  if (errors.length > 0) throw invalid(errors);
}

async function make(services: Services, file: ProjectFile, by: string): Promise<ProjectRecord> {
  const { projects, gateway, resources } = services;
  const { id } = file.project;
  refuseTaken(
    'project',
    id,
    projects.projects().map((other) => other.id),
  );
  await clearWay(services, id);
  const project = projects.atOnce(() => write(services, file, by));
  try {
    await withoutGateway(() => gateway.change({ kind: 'resources', project: id, resources: resources.of(id) }));
  } catch (error) {
    await drop(services, id);
    throw error;
  }
  return project;
}

/** Tags last: each of the others is counted against the bytes of everything that exists. */
function write({ projects }: Services, file: ProjectFile, by: string): ProjectRecord {
  const { id } = file.project;
  const project = projects.createProject(file.project);
  for (const definition of file.connections) projects.resources.put('connections', id, { definition, secrets: {} });
  for (const query of file.queries) projects.resources.put('queries', id, query);
  for (const script of file.scripts) projects.resources.put('scripts', id, script);
  projects.resources.replaceTags(id, file.tags);
  for (const pipeline of file.pipelines) projects.createPipeline(id, bare(pipeline), by);
  return project;
}

function refuseTaken(what: string, id: string, taken: readonly string[]): void {
  if (!taken.includes(id)) return;
  const free = freeId(id, new Set(taken));
  throw new SluiceError('conflict', `There is already a ${what} "${id}"; "${free}" is free.`, {
    errors: [{ path: 'id', message: `expected an id that is not taken, such as ${free}` }],
  });
}
