import { SluiceError } from '#common/errors/catalogue.ts';
import type { ResourceFamily, StoredResources } from '../contracts.ts';
import { usersOf, type Users } from '../projects/resource-users.ts';
import { type ActRow, performAct } from './acts.ts';
import type { Context, Services } from './call.ts';
import type { ResourceWord } from './events.ts';
import { projectOf } from './project-calls.ts';
import { withoutGateway } from './without-gateway.ts';
import { stated } from '#common/errors/rules.ts';

/**
 * Changes of a project's resources: one after another per project, recorded in the journal, saved, then applied. The
 * response is sent when the gateway has acknowledged; a refused change is undone. Without a gateway the change is saved
 * and applied at its start.
 */
export const WORDS = {
  connections: 'connection',
  queries: 'query',
  tags: 'tag',
  scripts: 'script',
} as const satisfies Record<ResourceFamily, ResourceWord>;

/** Runs `perform` in turn and notifies open pages. */
export async function inTurn<T>(
  services: Services,
  context: Context<unknown, unknown>,
  { what, ...row }: ActRow & { project: string; what: ResourceWord },
  perform: () => Promise<T>,
  outcome: (value: T) => Partial<ActRow> = () => ({}),
): Promise<T> {
  const { project } = row;
  const value = await services.locks.resources(project, () =>
    performAct(
      services,
      context,
      row,
      () => {
        // Checked again: this may have waited, and the project may have been deleted since.
        projectOf(services, context);
        return perform();
      },
      outcome,
    ),
  );
  services.hub.publish({ kind: 'changed', what, project });
  return value;
}

/** The gateway has the saved state now, or `undo` was called and the refusal is thrown. */
export async function putIntoForce(services: Services, project: string, undo: () => void): Promise<void> {
  const { gateway, resources, log } = services;
  const publish = (): Promise<void> =>
    withoutGateway(() => gateway.change({ kind: 'resources', project, resources: resources.of(project) }));
  try {
    await publish();
  } catch (error) {
    undo();
    await publish().catch((again: unknown) =>
      log.error('the former resources could not be restored in the gateway', { project, error: again }),
    );
    throw error;
  }
}

export async function putResource<F extends ResourceFamily>(
  services: Services,
  family: F,
  project: string,
  resource: StoredResources[F],
): Promise<void> {
  const { resources: store } = services.projects;
  const id = idOf(resource);
  const before = store.get(family, project, id);
  store.put(family, project, resource);
  await putIntoForce(services, project, () => {
    if (before === null) store.remove(family, project, id);
    else store.put(family, project, before);
  });
}

export async function removeResource(
  services: Services,
  family: ResourceFamily,
  project: string,
  id: string,
): Promise<void> {
  const { resources: store } = services.projects;
  const before = store.get(family, project, id);
  if (before === null) return;
  store.remove(family, project, id);
  await putIntoForce(services, project, () => store.put(family, project, before));
}

export function refuseTaken(services: Services, family: ResourceFamily, project: string, id: string): void {
  const { resources: store } = services.projects;
  const isDraft = (family === 'queries' || family === 'scripts') && store.draft(family, project, id) !== null;
  if (isDraft || store.get(family, project, id) !== null)
    throw new SluiceError('conflict', stated(`${WORDS[family]}_taken`, { id }));
}

const USERS_LISTED_MAX = 5;

/** Refuses to delete a resource that is still referenced. */
export function refuseWhileUsed(
  services: Services,
  family: ResourceFamily,
  project: string,
  ids: readonly string[],
): void {
  const users = usersIn(services, family, project);
  const used = ids.find((id) => users.has(id));
  if (used === undefined) return;
  const names = users.get(used) ?? [];
  const more = names.length > USERS_LISTED_MAX ? ` and ${names.length - USERS_LISTED_MAX} more` : '';
  const shown = names.slice(0, USERS_LISTED_MAX).join(', ');
  throw new SluiceError('conflict', stated('in_use', { what: WORDS[family], name: used, users: `${shown}${more}` }));
}

export function usersIn({ projects, starting }: Services, family: ResourceFamily, project: string): Users {
  const { resources: store } = projects;
  const running = [...projects.wanted(), ...starting].filter((start) => start.project === project);
  return usersOf(family, {
    running: running.map(({ definition }) => definition),
    queries: store.list('queries', project),
    tags: store.list('tags', project),
  });
}

export function idOf(resource: StoredResources[ResourceFamily]): string {
  if ('definition' in resource) return resource.definition.id;
  return 'path' in resource ? resource.path : resource.id;
}
