import { tagContract } from '#common/contract/tag.ts';
import type { TagDefinition } from '#common/model/tag.ts';
import { performAct } from './acts.ts';
import { type Context, defineCall, invalid, type Services, unknown } from './call.ts';
import { capability } from './capability.ts';
import { capabilityPage } from './capability-page.ts';
import { projectOf } from './project-calls.ts';
import { inTurn, putIntoForce, putResource, refuseTaken, refuseWhileUsed, removeResource } from './resource-change.ts';
import { refuseTagChanges } from './tag-changes.ts';

/** Tags by path. In a URL the path is one segment, with `/` encoded as `%2F`. The gateway provides the live values. */

const TAGS_PER_PAGE = 1_000;

export const tagCalls = [
  defineCall(tagContract.list, {
    handle(services, context) {
      const { id } = projectOf(services, context);
      const { prefix, cursor = '', limit = TAGS_PER_PAGE } = context.query;
      const found = services.projects.resources.tagsAfter(id, prefix, cursor, limit + 1);
      const items = found.slice(0, limit);
      return { items, next: found.length > limit ? (items.at(-1)?.path ?? null) : null };
    },
  }),
  defineCall(tagContract.replaceAll, {
    async handle(services, context) {
      const { id: project } = projectOf(services, context);
      const { items } = context.body;
      const row = { what: 'tag' as const, project, target: project };
      return inTurn(
        services,
        context,
        { ...row, detail: `${items.length} tags` },
        () => replaceAll(services, context, project, items),
        ({ count, removed }) => ({ detail: `${count} tags; ${removed} removed` }),
      );
    },
  }),
  defineCall(tagContract.create, {
    async handle(services, context) {
      const { id: project } = projectOf(services, context);
      const tag = context.body;
      const row = { what: 'tag' as const, project, target: tag.path };
      await inTurn(services, context, row, async () => {
        refuseTaken(services, 'tags', project, tag.path);
        refuseTagChanges(services, context, project, { before: [], after: [tag] });
        expectSource(services, project, [tag]);
        await putResource(services, 'tags', project, tag);
      });
      return tag;
    },
  }),
  defineCall(tagContract.read, {
    handle: tagOf,
  }),
  defineCall(tagContract.change, {
    async handle(services, context) {
      const { id: project } = projectOf(services, context);
      const { path } = tagOf(services, context);
      const tag = context.body;
      if (tag.path !== path)
        throw invalid([{ path: 'path', message: `expected "${path}", as in the URL; a path cannot be changed` }]);
      const row = { what: 'tag' as const, project, target: path };
      await inTurn(services, context, row, async () => {
        refuseTagChanges(services, context, project, { before: [tagOf(services, context)], after: [tag] });
        expectSource(services, project, [tag]);
        await putResource(services, 'tags', project, tag);
      });
      return tag;
    },
  }),
  defineCall(tagContract.remove, {
    async handle(services, context) {
      const { id: project } = projectOf(services, context);
      const { path } = tagOf(services, context);
      const row = { what: 'tag' as const, project, target: path };
      await inTurn(services, context, row, async () => {
        const before = [tagOf(services, context)];
        refuseWhileUsed(services, 'tags', project, [path]);
        refuseTagChanges(services, context, project, { before, after: [] });
        await removeResource(services, 'tags', project, path);
      });
      return null;
    },
  }),
  defineCall(tagContract.readValues, {
    handle: (services, context) => capabilityPage(services, context, 'tags.readMany', context.body),
  }),
  defineCall(tagContract.writeValues, {
    async handle(services, context) {
      const { id: project } = projectOf(services, context);
      const { writes } = context.body;
      const row = { project, target: writes[0]?.path ?? '', detail: written(writes) };
      await performAct(services, context, row, () =>
        capability(services, project, 'tags.writeMany', { writes }, context.who),
      );
      return null;
    },
  }),
];

function tagOf(services: Services, context: Pick<Context<unknown, unknown>, 'param'>): TagDefinition {
  const { id } = projectOf(services, context);
  const tag = services.projects.resources.get('tags', id, context.param('tag'));
  if (tag === null) throw unknown('tag');
  return tag;
}

async function replaceAll(
  services: Services,
  context: Pick<Context<unknown, unknown>, 'credential'>,
  project: string,
  items: readonly TagDefinition[],
): Promise<{ count: number; removed: number }> {
  const { resources: store } = services.projects;
  expectSource(services, project, items, 'items');
  const before = store.list('tags', project);
  const stay = new Set(items.map(({ path }) => path));
  const gone = before.map(({ path }) => path).filter((path) => !stay.has(path));
  refuseWhileUsed(services, 'tags', project, gone);
  refuseTagChanges(services, context, project, { before, after: items });
  store.replaceTags(project, items);
  await putIntoForce(services, project, () => store.replaceTags(project, before));
  return { count: items.length, removed: gone.length };
}

/** The connection of a device tag exists and is of the type that its provider needs. */
function expectSource(services: Services, project: string, tags: readonly TagDefinition[], list = ''): void {
  const stored = services.projects.resources.list('connections', project);
  const kinds = new Map(stored.map(({ definition }) => [definition.id, definition.settings.kind]));
  const errors = tags.flatMap(({ source }, index) => {
    if (!('connection' in source) || kinds.get(source.connection) === source.provider) return [];
    const path = `${list === '' ? '' : `${list}.${index}.`}source.connection`;
    return [{ path, message: `expected a connection of this project of the kind ${source.provider}` }];
  });
  if (errors.length > 0) throw invalid(errors);
}

const VALUE_CHARS_MAX = 60;
const WRITES_LISTED_MAX = 5;

/** The written tags and values, for the journal. */
function written(writes: readonly { path: string; value: unknown }[]): string {
  const listed = writes
    .slice(0, WRITES_LISTED_MAX)
    .map(({ path, value }) => `${path} = ${(JSON.stringify(value) ?? 'null').slice(0, VALUE_CHARS_MAX)}`);
  const more = writes.length - listed.length;
  return listed.join('; ') + (more > 0 ? `; and ${more} more` : '');
}
