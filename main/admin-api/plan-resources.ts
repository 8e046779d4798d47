import type { PlannedChange } from '#common/contract/project-apply.ts';
import { type ConnectionDefinition, EMBEDDED_CONNECTION } from '#common/model/connection.ts';
import { DATABASE_KINDS } from '#common/model/connection-kinds.ts';
import type { NamedQuery } from '#common/model/named-query.ts';
import type { Permission } from '#common/model/records.ts';
import type { TagDefinition } from '#common/model/tag.ts';
import type { DraftFamily, ResourceFamily, StoredConnection, StoredResources } from '../contracts.ts';
import { planFileSecrets, withSecrets } from '../projects/connection-secrets.ts';
import { usersOf, type Users } from '../projects/resource-users.ts';
import { differences, inParentheses } from './differences.ts';
import { newest } from './drafts.ts';
import { isRunning, lackingFor, neededFor } from './in-force.ts';
import { emptyPart, type PartPlan, type PlanInput } from './plan-part.ts';
import { WORDS } from './resource-change.ts';

/** The resources of a project plan. They are in force at once, except for drafts of scripts and queries. */

interface Compared<T> {
  action: PlannedChange['action'];
  id: string;
  before: T | null;
  after: T | null;
  fields: string[];
}

export function compare<T>(before: readonly T[], after: readonly T[], idOf: (item: T) => string): Compared<T>[] {
  const old = new Map(before.map((item) => [idOf(item), item]));
  const now = new Map(after.map((item) => [idOf(item), item]));
  const ids = [...new Set([...old.keys(), ...now.keys()])].toSorted();
  return ids.flatMap((id): Compared<T>[] => {
    const [was, is] = [old.get(id) ?? null, now.get(id) ?? null];
    if (was === null || is === null) {
      const action = is === null ? 'delete' : 'create';
      return [{ action, id, before: was, after: is, fields: [] }];
    }
    const fields = differences(was, is);
    return fields.length === 0 ? [] : [{ action: 'change', id, before: was, after: is, fields }];
  });
}

/** `active`: the queries in force after the apply. */
export function planConnections(input: PlanInput, active: readonly NamedQuery[]): PartPlan {
  const { services, context, file, isNew } = input;
  const { secrets } = services;
  const { resources: store } = services.projects;
  const { id: project } = file.project;
  const part = emptyPart();
  const stored = isNew ? [] : store.list('connections', project);
  const before = new Map(stored.map((connection) => [connection.definition.id, connection]));
  const bare = stored.map(({ definition }) => withSecrets(definition, {}));
  const users = usersAfter(input, 'connections', active);
  for (const one of compare(bare, file.connections, ({ id }) => id)) {
    const { id, after } = one;
    const used = usedBy(users.get(id));
    if (after === null) {
      if (used !== '') part.refused.push(stillUsed('connection', id, used));
      part.removals.push(() => store.remove('connections', project, id));
      said(part, 'connection', one, '', ['access_settings']);
      continue;
    }
    const old = before.get(id) ?? null;
    const { kept, cleared } = planFileSecrets(after.settings, old, secrets);
    part.toFillIn.push(...(old === null ? openSecrets(after) : cleared).map((field) => ({ connection: id, field })));
    refuseOtherKind(part, after, active);
    const lost =
      cleared.length === 0
        ? ''
        : ` The stored ${cleared.join(' and ')} is deleted, because it was entered for another server.`;
    said(part, 'connection', one, `${used === '' ? '' : ` It is used by ${used}.`}${lost}`, ['access_settings']);
    part.puts.push(() =>
      store.put('connections', project, { definition: after, secrets: kept } satisfies StoredConnection),
    );
  }
  const isAllowed = context.session.permissions.has('access_settings');
  if (part.changes.length > 0 && !isAllowed) part.refused.push(missing('access_settings', 'changes of connections'));
  return part;
}

type DraftedPlan<F extends DraftFamily> = PartPlan & { active: StoredResources[F][] };

export function planDrafted<F extends DraftFamily>(
  input: PlanInput,
  family: F,
  wanted: readonly StoredResources[F][],
): DraftedPlan<F> {
  const { services, context, file, isNew } = input;
  const { resources: store } = services.projects;
  const { id: project } = file.project;
  const by = context.session.user.name;
  const what = WORDS[family];
  const inForce = new Map((isNew ? [] : store.list(family, project)).map((one) => [one.id, one]));
  const active = new Map(inForce);
  const needs = isNew ? [] : neededFor(services, family, project);
  const lacking = isNew ? [] : lackingFor(services, context, family, project);
  const part = emptyPart();
  const users = usersAfter(input, family, []);
  for (const one of compare<StoredResources[F]>(isNew ? [] : newest(store, family, project), wanted, ({ id }) => id)) {
    const { id, after } = one;
    const used = usedBy(users.get(id));
    if (after === null) {
      if (used !== '') part.refused.push(stillUsed(what, id, used));
      if (inForce.has(id) && lacking.length > 0)
        part.refused.push(missing(lacking.join(', '), `the deletion of the active ${what} "${id}"`));
      active.delete(id);
      part.removals.push(
        () => store.remove(family, project, id),
        () => store.removeDraft(family, project, id),
      );
      said(part, what, one, '', inForce.has(id) ? needs : []);
      continue;
    }
    const isBack = differences(inForce.get(id) ?? null, after).length === 0;
    if (isBack) {
      part.puts.push(() => store.removeDraft(family, project, id));
      said(part, what, one, ' Its draft is discarded: the file has the active version.', []);
    } else if (lacking.length === 0) {
      active.set(id, after);
      part.puts.push(
        () => store.put(family, project, after),
        () => store.removeDraft(family, project, id),
      );
      said(part, what, one, ` It is in force at once${used === '' ? '' : `, for ${used}`}.`, needs);
    } else {
      part.puts.push(() => store.putDraft(family, project, after, by));
      const kept = inForce.has(id) ? ' The active version stays in force until then.' : '';
      said(
        part,
        what,
        one,
        ` It is saved as a draft: a user with ${needs.join(' and ')} has to activate it.${kept}`,
        needs,
      );
    }
  }
  return { ...part, active: [...active.values()] };
}

export function planTags(input: PlanInput): PartPlan {
  const { services, context, file, isNew } = input;
  const { resources: store } = services.projects;
  const { id: project } = file.project;
  const part = emptyPart();
  const isInUse = !isNew && isRunning(services, project);
  const needs: Permission[] = isInUse ? ['run_pipelines'] : [];
  const users = usersAfter(input, 'tags', []);
  const stored = isNew ? [] : store.list('tags', project);
  const changes = compare<TagDefinition>(stored, file.tags, ({ path }) => path);
  for (const one of changes) {
    const used = usedBy(users.get(one.id));
    if (one.after === null && used !== '') part.refused.push(stillUsed('tag', one.id, used));
    const effect = isInUse && one.after !== null ? ` It is in force at once${used === '' ? '' : `, for ${used}`}.` : '';
    said(part, 'tag', one, effect, needs);
  }
  const isEffective = changes.some(({ fields, action }) => action !== 'change' || fields.join() !== 'title');
  if (isInUse && isEffective && !context.session.permissions.has('run_pipelines'))
    part.refused.push(missing('run_pipelines', 'changes of tags while a pipeline of the project is started'));
  if (changes.length > 0) part.puts.push(() => store.replaceTags(project, file.tags));
  return part;
}

/** The users of each resource once the file is applied: running pipelines, queries that are in force, and tags. */
function usersAfter({ services, file }: PlanInput, family: ResourceFamily, queries: readonly NamedQuery[]): Users {
  const { projects, starting } = services;
  const running = [...projects.wanted(), ...starting].filter(({ project }) => project === file.project.id);
  return usersOf(family, { running: running.map(({ definition }) => definition), queries, tags: file.tags });
}

/** A query that stays in force although the file has another version of it. The file itself is already checked. */
function refuseOtherKind(part: PartPlan, { id, settings }: ConnectionDefinition, active: readonly NamedQuery[]): void {
  if (id === EMBEDDED_CONNECTION || DATABASE_KINDS.some((kind) => kind === settings.kind)) return;
  for (const query of active)
    if (query.connection === id)
      part.refused.push({
        code: 'conflict',
        text: `The active query "${query.id}" needs the connection "${id}" to be a database.`,
      });
}

/** Secrets that a new connection seems to need. */
function openSecrets({ settings }: ConnectionDefinition): ('password' | 'clientKey')[] {
  const open: ('password' | 'clientKey')[] = [];
  if ('user' in settings && settings.user !== '') open.push('password');
  if ('clientCertificate' in settings && settings.clientCertificate !== null) open.push('clientKey');
  return open;
}

const ACTIONS = { create: 'is created', change: 'changes', delete: 'is deleted' } as const;

function said(
  part: PartPlan,
  what: PlannedChange['what'],
  { id, action, fields }: Pick<Compared<unknown>, 'id' | 'action' | 'fields'>,
  effect: string,
  needs: readonly Permission[],
): void {
  const text = `The ${what} "${id}" ${ACTIONS[action]}${inParentheses(fields)}.${effect}`;
  part.changes.push({ what, id, action, fields: fields.slice(0, FIELDS_MAX), text, needs: [...needs] });
}
const FIELDS_MAX = 100;

const USERS_LISTED_MAX = 5;

function usedBy(users: readonly string[] = []): string {
  const more = users.length > USERS_LISTED_MAX ? ` and ${users.length - USERS_LISTED_MAX} more` : '';
  return users.slice(0, USERS_LISTED_MAX).join(', ') + more;
}

function stillUsed(what: string, id: string, users: string): PartPlan['refused'][number] {
  return { code: 'conflict', text: `The ${what} "${id}" cannot be deleted: it is used by ${users}.` };
}

function missing(permission: string, act: string): PartPlan['refused'][number] {
  return { code: 'permission_missing', text: `The permission ${permission} is needed for ${act}.` };
}
