import { projectContract } from '#common/contract/project.ts';
import { page } from '#common/contract/records.ts';
import { SluiceError } from '#common/errors/catalogue.ts';
import type { ProjectRecord } from '#common/model/records.ts';
import { refsOf } from '../projects/connection-secrets.ts';
import { performAct } from './acts.ts';
import { type Context, defineCall, type Services, unknown } from './call.ts';
import { withoutGateway } from './without-gateway.ts';
import { stated } from '#common/errors/rules.ts';

export const projectCalls = [
  defineCall(projectContract.list, {
    handle: ({ projects }) => page(projects.projects()),
  }),
  defineCall(projectContract.create, {
    async handle(services, context) {
      const { id, name } = context.body;
      const project = await performAct(services, context, { project: id, target: id, detail: name }, () => {
        refuseTaken(services, id);
        // Exclusively: a deletion that is still in progress would remove data of the new project.
        return services.locks.project(id, () => make(services, id, name));
      });
      services.hub.publish({ kind: 'changed', what: 'project', project: id });
      return project;
    },
  }),
  defineCall(projectContract.read, {
    handle: projectOf,
  }),
  defineCall(projectContract.change, {
    async handle(services, context) {
      const { id } = projectOf(services, context);
      const { name } = context.body;
      const act = { project: id, target: id, detail: `name: ${name}` };
      const project = await performAct(services, context, act, () => services.projects.renameProject(id, name));
      services.hub.publish({ kind: 'changed', what: 'project', project: id });
      return project;
    },
  }),
  defineCall(projectContract.remove, {
    async handle(services, context) {
      const { id } = projectOf(services, context);
      await services.locks.project(id, () =>
        performAct(services, context, { project: id, target: id }, () => remove(services, id)),
      );
      services.hub.publish({ kind: 'changed', what: 'project', project: id });
      return null;
    },
  }),
];

export function projectOf({ projects }: Services, { param }: Pick<Context<unknown, unknown>, 'param'>): ProjectRecord {
  const project = projects.project(param('project'));
  if (project === null) throw unknown('project');
  return project;
}

async function make(services: Services, id: string, name: string): Promise<ProjectRecord> {
  const { projects, resources, gateway } = services;
  refuseTaken(services, id);
  await clearWay(services, id);
  const project = projects.createProject({ id, name });
  await withoutGateway(() => gateway.change({ kind: 'resources', project: id, resources: resources.of(id) }));
  return project;
}

function refuseTaken({ projects }: Services, id: string): void {
  if (projects.project(id)) throw new SluiceError('conflict', stated('project_taken', { id }));
}

/** Data of a deleted project must not become that of a new one with the same id. */
export async function clearWay(services: Services, id: string): Promise<void> {
  if (services.projects.removals().includes(id)) await services.removeProjectFolder(id);
  await services.keys.forgetRevoked(id);
  // A gateway that was down during the deletion still has the history.
  await withoutGateway(() => services.gateway.change({ kind: 'resources', project: id, resources: null }));
}

async function remove(services: Services, id: string): Promise<void> {
  refuseWhileUsed(services, id);
  await drop(services, id);
}

/**
 * The store forgets the project first, so that a crash cannot leave half of it; data outside the store is removed once
 * the gateway has closed it. Data that cannot be removed now is removed at the next start.
 */
export async function drop(services: Services, id: string): Promise<void> {
  const { projects, secrets, gateway, log } = services;
  const refs = [...projects.resources.list('connections', id).flatMap(refsOf), ...projects.secretRefs(id)];
  projects.deleteProject(id);
  try {
    // The stops of the project were deleted with it, and must not stop the writes of a new one with the same ID.
    await withoutGateway(() => gateway.change({ kind: 'write-stops', stops: projects.writeStops.list() }));
    await withoutGateway(() => gateway.change({ kind: 'resources', project: id, resources: null }));
    await secrets.remove(refs);
    await services.removeProjectFolder(id);
  } catch (error) {
    log.error('data of a deleted project could not be removed; the next start removes it', { project: id, error });
  }
}

function refuseWhileUsed({ projects, keys }: Services, id: string): void {
  const running = projects.pipelines(id).filter((pipeline) => pipeline.wantedRevision !== null);
  if (running.length > 0) {
    const names = running.slice(0, 5).map((pipeline) => pipeline.definition.id);
    throw new SluiceError('conflict', stated('pipelines_running', { names }));
  }
  const valid = keys.list(id).filter((key) => key.revokedAt === null);
  if (valid.length === 0) return;
  const names = valid.slice(0, 5).map((key) => key.name);
  throw new SluiceError('conflict', stated('keys_valid', { names }));
}
