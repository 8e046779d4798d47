import { z } from 'zod';
import { CALLS } from '../capabilities/calls.ts';
import { tagDefinition, type TagDefinition, tagPath, TAGS_PER_PROJECT_MAX } from '../model/tag.ts';
import { declareCall } from './declaration.ts';
import { listOf } from './records.ts';
import { expected } from '../errors/rules.ts';
import { textUpTo } from '../model/bounds.ts';

/** Tags by path. In a URL the path is one segment, with `/` encoded as `%2F`. The gateway provides the live values. */
const TAGS = '/projects/:project/tags';
const TAG = `${TAGS}/:tag`;
/** Ten thousand tags with every field present. */
const TAGS_BODY_BYTES_MAX = 16 * 1024 * 1024;

const NEEDS_RUN =
  'While a pipeline of the project is started, it needs `run_pipelines` too, unless only the title of a tag changes.';

const LIMIT_EXPECTED = expected('range', { what: 'a number', from: 1, to: TAGS_PER_PROJECT_MAX });
const filter = z.strictObject({
  prefix: textUpTo(520).default(''),
  cursor: tagPath.optional(),
  limit: z
    .string({ error: LIMIT_EXPECTED })
    .regex(/^\d{1,5}$/, LIMIT_EXPECTED)
    .transform(Number)
    .pipe(z.number().min(1, LIMIT_EXPECTED).max(TAGS_PER_PROJECT_MAX, LIMIT_EXPECTED))
    .optional(),
});

const tagValue = z.strictObject(CALLS['tags.read'].returns.shape);

function eachPathOnce(tags: readonly TagDefinition[], context: z.RefinementCtx): void {
  const seen = new Set<string>();
  for (const [index, { path }] of tags.entries()) {
    if (seen.has(path))
      context.addIssue({ code: 'custom', path: [index, 'path'], message: `"${path}" is there twice` });
    seen.add(path);
  }
}

export const tagContract = {
  list: declareCall({
    method: 'get',
    path: TAGS,
    access: 'view',
    summary: 'List tag definitions',
    description: 'Lists the tags of a project by path. `prefix` limits the list to tags whose path begins with it.',
    query: filter,
    response: listOf(tagDefinition),
  }),
  replaceAll: declareCall({
    method: 'put',
    path: TAGS,
    access: 'edit_pipelines',
    audit: ['tag.import'],
    summary: 'Replace all tag definitions',
    description: `Replaces every tag of the project by the given list. If one of them is not valid, nothing changes. ${NEEDS_RUN}`,
    body: z.strictObject({
      items: z
        .array(tagDefinition, { error: expected('list_of', { of: 'tags' }) })
        .max(TAGS_PER_PROJECT_MAX, expected('count_max', { max: TAGS_PER_PROJECT_MAX, of: 'tags' }))
        .superRefine(eachPathOnce),
    }),
    bodyBytesMax: TAGS_BODY_BYTES_MAX,
    response: z.strictObject({ count: z.number(), removed: z.number() }),
  }),
  create: declareCall({
    method: 'post',
    path: TAGS,
    access: 'edit_pipelines',
    audit: ['tag.create'],
    summary: 'Create a tag',
    description: `Creates a tag. Pipelines can use it once the reply has come. ${NEEDS_RUN}`,
    body: tagDefinition,
    status: 201,
    response: tagDefinition,
  }),
  read: declareCall({
    method: 'get',
    path: TAG,
    access: 'view',
    summary: 'Read a tag definition',
    description:
      'Shows the definition of one tag, not its value. The path of the tag is one segment of the URL, with `/` written as `%2F`.',
    response: tagDefinition,
  }),
  change: declareCall({
    method: 'put',
    path: TAG,
    access: 'edit_pipelines',
    audit: ['tag.change'],
    summary: 'Change a tag',
    description: `Replaces the definition of a tag. The path of the tag is one segment of the URL, with \`/\` written as \`%2F\`. ${NEEDS_RUN}`,
    body: tagDefinition,
    response: tagDefinition,
  }),
  remove: declareCall({
    method: 'delete',
    path: TAG,
    access: 'edit_pipelines',
    audit: ['tag.delete'],
    summary: 'Delete a tag',
    description: `Deletes a tag. It is refused while a running pipeline names the tag by its path. ${NEEDS_RUN}`,
    response: null,
  }),
  readValues: declareCall({
    method: 'post',
    path: `${TAGS}/read`,
    access: 'view',
    audit: { none: 'Reads live values.' },
    summary: 'Read live values',
    description:
      'Reads the current values of tags with quality, source time and unit. In a path `*` matches any characters of one name; `**` at the end matches everything below a folder.',
    body: CALLS['tags.readMany'].args,
    response: listOf(tagValue),
  }),
  writeValues: declareCall({
    method: 'post',
    path: `${TAGS}/write`,
    access: 'edit_pipelines',
    audit: ['tag.write'],
    summary: 'Write values',
    description: 'Writes values to tags. The reply comes once the sources of all tags have accepted their values.',
    body: CALLS['tags.writeMany'].args,
    errors: ['interlock', 'write_stopped'],
    response: null,
  }),
};
