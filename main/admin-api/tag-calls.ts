import { z } from 'zod';
import { CALLS } from '#common/capabilities/calls.ts';
import { tagDefinition, type TagDefinition, tagPath, TAGS_PER_PROJECT_MAX } from '#common/model/tag.ts';
import { performAct } from './acts.ts';
import { type Context, defineCall, invalid, type Services, unknown } from './call.ts';
import { capability } from './capability.ts';
import { projectOf } from './project-calls.ts';
import { inTurn, putIntoForce, putResource, refuseTaken, refuseWhileUsed, removeResource } from './resource-change.ts';
import { listOf, page } from '#common/contract/records.ts';
import { refuseTagChanges } from './tag-changes.ts';

/** Tags, by path: in a URL one segment, its `/` written `%2F`. Live values are the gateway's. */
const TAGS = '/projects/:project/tags';
const TAG = `${TAGS}/:tag`;
/** Ten thousand tags with every field written out. */
const TAGS_BODY_BYTES_MAX = 16 * 1024 * 1024;
const TAGS_PER_PAGE = 1_000;

const NEEDS_RUN =
  'While a pipeline of the project is started, it needs `run_pipelines` too, unless only the title of a tag changes.';

const LIMIT_EXPECTED = `expected a number from 1 to ${TAGS_PER_PROJECT_MAX}`;
const filter = z.strictObject({
  prefix: z.string({ error: 'expected one text' }).max(520, 'expected at most 520 characters').default(''),
  cursor: tagPath.optional(),
  limit: z
    .string({ error: LIMIT_EXPECTED })
    .regex(/^\d{1,5}$/, LIMIT_EXPECTED)
    .transform(Number)
    .pipe(z.number().min(1, LIMIT_EXPECTED).max(TAGS_PER_PROJECT_MAX, LIMIT_EXPECTED))
    .optional(),
});

const tagValue = z.strictObject(CALLS['tags.read'].returns.shape);

export const tagCalls = [
  defineCall({
    method: 'get',
    path: TAGS,
    access: 'view',
    summary: 'List tag definitions',
    description: 'Lists the tags of a project by path. `prefix` limits the list to tags whose path begins with it.',
    query: filter,
    response: listOf(tagDefinition),
    handle(services, context) {
      const { id } = projectOf(services, context);
      const { prefix, cursor = '', limit = TAGS_PER_PAGE } = context.query;
      const found = services.projects.resources.tagsAfter(id, prefix, cursor, limit + 1);
      const items = found.slice(0, limit);
      return { items, next: found.length > limit ? (items.at(-1)?.path ?? null) : null };
    },
  }),
  defineCall({
    method: 'put',
    path: TAGS,
    access: 'edit_pipelines',
    audit: ['tag.import'],
    summary: 'Replace all tag definitions',
    description: `Replaces every tag of the project by the given list. If one of them is not valid, nothing changes. ${NEEDS_RUN}`,
    body: z.strictObject({
      items: z
        .array(tagDefinition, { error: 'expected a list of tags' })
        .max(TAGS_PER_PROJECT_MAX, `expected at most ${TAGS_PER_PROJECT_MAX} tags`)
        .superRefine(eachPathOnce),
    }),
    bodyBytesMax: TAGS_BODY_BYTES_MAX,
    response: z.strictObject({ count: z.number(), removed: z.number() }),
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
  defineCall({
    method: 'post',
    path: TAGS,
    access: 'edit_pipelines',
    audit: ['tag.create'],
    summary: 'Create a tag',
    description: `Creates a tag. Pipelines can use it once the reply has come. ${NEEDS_RUN}`,
    body: tagDefinition,
    status: 201,
    response: tagDefinition,
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
  defineCall({
    method: 'get',
    path: TAG,
    access: 'view',
    summary: 'Read a tag definition',
    description:
      'Shows the definition of one tag, not its value. The path of the tag is one segment of the URL, with `/` written as `%2F`.',
    response: tagDefinition,
    handle: tagOf,
  }),
  defineCall({
    method: 'put',
    path: TAG,
    access: 'edit_pipelines',
    audit: ['tag.change'],
    summary: 'Change a tag',
    description: `Replaces the definition of a tag. The path of the tag is one segment of the URL, with \`/\` written as \`%2F\`. ${NEEDS_RUN}`,
    body: tagDefinition,
    response: tagDefinition,
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
  defineCall({
    method: 'delete',
    path: TAG,
    access: 'edit_pipelines',
    audit: ['tag.delete'],
    summary: 'Delete a tag',
    description: `Deletes a tag. It is refused while a running pipeline names the tag by its path. ${NEEDS_RUN}`,
    response: null,
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
  defineCall({
    method: 'post',
    path: `${TAGS}/read`,
    access: 'view',
    audit: { none: 'Reads live values.' },
    summary: 'Read live values',
    description:
      'Reads the current values of tags with quality, source time and unit. In a path `*` matches any characters of one name; `**` at the end matches everything below a folder.',
    body: CALLS['tags.readMany'].args,
    response: listOf(tagValue),
    async handle(services, context) {
      const { id } = projectOf(services, context);
      return page(await capability(services, id, 'tags.readMany', context.body));
    },
  }),
  defineCall({
    method: 'post',
    path: `${TAGS}/write`,
    access: 'edit_pipelines',
    audit: ['tag.write'],
    summary: 'Write values',
    description: 'Writes values to tags. The reply comes once the sources of all tags have accepted their values.',
    body: CALLS['tags.writeMany'].args,
    response: null,
    async handle(services, context) {
      const { id: project } = projectOf(services, context);
      const { writes } = context.body;
      const row = { project, target: writes[0]?.path ?? '', detail: written(writes) };
      await performAct(services, context, row, () => capability(services, project, 'tags.writeMany', { writes }));
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
  context: Pick<Context<unknown, unknown>, 'cookie'>,
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

/** A device tag's connection is there, and of its provider's kind. */
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

function eachPathOnce(tags: readonly TagDefinition[], context: z.RefinementCtx): void {
  const seen = new Set<string>();
  for (const [index, { path }] of tags.entries()) {
    if (seen.has(path))
      context.addIssue({ code: 'custom', path: [index, 'path'], message: `"${path}" is there twice` });
    seen.add(path);
  }
}

const VALUE_CHARS_MAX = 60;
const WRITES_TOLD_MAX = 5;

/** What was written where, for the journal. */
function written(writes: readonly { path: string; value: unknown }[]): string {
  const told = writes
    .slice(0, WRITES_TOLD_MAX)
    .map(({ path, value }) => `${path} = ${(JSON.stringify(value) ?? 'null').slice(0, VALUE_CHARS_MAX)}`);
  const more = writes.length - told.length;
  return told.join('; ') + (more > 0 ? `; and ${more} more` : '');
}
