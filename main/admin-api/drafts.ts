import { SluiceError } from '#common/errors/catalogue.ts';
import type { Permission } from '#common/model/records.ts';
import type { DraftFamily, ResourceDraft, ResourceStore, StoredResources } from '../contracts.ts';
import { type Context, type Services, unknown } from './call.ts';
import { expectDiskRoom, storedBytes } from './expect-disk-room.ts';
import { lackingFor, neededFor } from './in-force.ts';
import { putResource, removeResource, WORDS } from './resource-change.ts';
import { admitAgain } from './still-admitted.ts';
import { stated } from '#common/errors/rules.ts';

/**
 * The last saved versions of library scripts and named queries: active, or as a draft that waits for a user who may
 * activate it (in-force.ts). Called in the queue of the project's resources, except for reads.
 */
export type Saved<F extends DraftFamily> = StoredResources[F] & {
  draft?: { savedAt: string; savedBy: string; needs: Permission[] } | undefined;
};

/** The last saved version of each resource of the type, by ID. */
export function newest<F extends DraftFamily>(
  store: Pick<ResourceStore, 'list' | 'drafts'>,
  family: F,
  project: string,
): StoredResources[F][] {
  const all = new Map(store.list(family, project).map((one) => [one.id, one]));
  for (const { resource } of store.drafts(family, project)) all.set(resource.id, resource);
  return [...all.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

export function savedList<F extends DraftFamily>(services: Services, family: F, project: string): Saved<F>[] {
  const { resources: store } = services.projects;
  const drafts = new Map(store.drafts(family, project).map((draft) => [draft.resource.id, draft]));
  const needs = drafts.size > 0 ? neededFor(services, family, project) : [];
  return newest(store, family, project).map((resource) => {
    const draft = drafts.get(resource.id);
    return draft === undefined ? resource : withDraft(draft, needs);
  });
}

/** Throws `unknown` if there is none. */
export function savedOne<F extends DraftFamily>(services: Services, family: F, project: string, id: string): Saved<F> {
  const { resources: store } = services.projects;
  const draft = store.draft(family, project, id);
  if (draft !== null) return withDraft(draft, neededFor(services, family, project));
  const resource = store.get(family, project, id);
  if (resource === null) throw unknown(WORDS[family]);
  return resource;
}

/** Activates it, or saves a draft if the user lacks a permission for that. Throws `disk_reserve` for a draft. */
export async function save<F extends DraftFamily>(
  services: Services,
  context: Context<unknown, unknown>,
  { family, project, resource }: { family: F; project: string; resource: StoredResources[F] },
): Promise<Saved<F>> {
  const { resources: store } = services.projects;
  admitAgain(services, context, 'edit_pipelines');
  const lacking = lackingFor(services, context, family, project);
  if (lacking.length === 0) await putResource(services, family, project, resource);
  const inForce = lacking.length === 0 || isSame(store.get(family, project, resource.id), resource);
  if (inForce) store.removeDraft(family, project, resource.id);
  else {
    const bytes = storedBytes(resource);
    expectDiskRoom(services, bytes);
    services.uploads.note(project, bytes);
    store.putDraft(family, project, resource, context.session.user.name);
  }
  return savedOne(services, family, project, resource.id);
}

/** Throws `conflict` if there is no draft, or a different one from the one that the user saw. */
export async function activate<F extends DraftFamily>(
  services: Services,
  context: Context<unknown, { savedAt?: string | undefined }>,
  { family, project, id }: { family: F; project: string; id: string },
  check: (resource: StoredResources[F]) => void | Promise<void>,
): Promise<Saved<F>> {
  const { resources: store } = services.projects;
  admitAgain(services, context, 'run_pipelines');
  const draft = store.draft(family, project, id);
  if (draft === null)
    throw new SluiceError('conflict', `The ${WORDS[family]} "${id}" has no draft; it is active as it was saved.`);
  const { savedAt = draft.savedAt } = context.body;
  if (savedAt !== draft.savedAt)
    throw new SluiceError('conflict', stated('draft_changed', { what: WORDS[family], name: id }));
  await check(draft.resource);
  refuseLacking(services, context, family, project);
  await putResource(services, family, project, draft.resource);
  store.removeDraft(family, project, id);
  return draft.resource;
}

/** Users who may edit can delete a draft; only users who may change the active version can delete that. */
export async function remove(
  services: Services,
  context: Context<unknown, unknown>,
  { family, project, id }: { family: DraftFamily; project: string; id: string },
): Promise<void> {
  const { resources: store } = services.projects;
  admitAgain(services, context, 'edit_pipelines');
  if (store.get(family, project, id) !== null) {
    refuseLacking(services, context, family, project);
    await removeResource(services, family, project, id);
  }
  store.removeDraft(family, project, id);
}

/** For the journal row of a save. */
export function draftDetail({ draft }: Pick<Saved<DraftFamily>, 'draft'>): { detail?: string } {
  return draft === undefined ? {} : { detail: `saved as a draft; needs ${draft.needs.join(', ')}` };
}

/** A client may send a response back. */
export function withoutDraft(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  return Object.fromEntries(Object.entries(body).filter(([field]) => field !== 'draft'));
}

function refuseLacking(
  services: Services,
  context: Context<unknown, unknown>,
  family: DraftFamily,
  project: string,
): void {
  const lacking = lackingFor(services, context, family, project);
  if (lacking.length === 0) return;
  throw new SluiceError(
    'permission_missing',
    `This needs the permission ${lacking.join(', ')}, because pipelines of this project may use the ${WORDS[family]}.`,
  );
}

function withDraft<F extends DraftFamily>(
  { resource, savedAt, savedBy }: ResourceDraft<F>,
  needs: Permission[],
): Saved<F> {
  // The call itself requires `run_pipelines`, even if nothing is running any more.
  return { ...resource, draft: { savedAt, savedBy, needs: needs.length > 0 ? needs : ['run_pipelines'] } };
}

function isSame(before: object | null, now: object): boolean {
  return before !== null && JSON.stringify(before) === JSON.stringify(now);
}
