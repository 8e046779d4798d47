import {
  attempt,
  defineKind,
  fillTagRef,
  intoField,
  type NodeInstance,
  parseTagRef,
  textList,
  writeInto,
  z,
} from '#sdk';
import { maxAge } from '#common/capabilities/calls.ts';
import { expected } from '#common/errors/rules.ts';

/** The limit of one read call. */
const TAGS_MAX = 1_000;

const tags = textList
  .transform((entries, context) => entries.map((text) => attempt(() => parseTagRef(text, { patterns: true }), context)))
  .refine(
    (list) => list.length >= 1 && list.length <= TAGS_MAX,
    expected('range', { what: 'tags', from: 1, to: TAGS_MAX }),
  )
  .meta({
    title: 'Tags',
    control: 'tag',
    description:
      'Paths such as line7/filler/speed. "*" matches any characters of a name, "**" at the end everything below ' +
      'a folder. An entry may contain {{payload.…}}; a "*" from the message is refused.',
  });

const settings = z.strictObject({
  tags,
  maxAge: maxAge.meta({
    title: 'Maximum age',
    control: 'seconds',
    description:
      'Seconds. An older value, or a bad one, fails with tag_stale: the caller gets 503 with the tag and its device. Empty: any value.',
  }),
  into: intoField.meta({
    title: 'Into',
    description: 'Where the tags are written: one value for a single path, a list for several or a pattern.',
  }),
});

const speed = {
  path: 'line7/filler/speed',
  value: 118.5,
  quality: 'good' as const,
  reason: null,
  time: '2026-03-01T06:00:00.000Z',
  unit: 'bpm',
};
const level = {
  path: 'line7/filler/level',
  value: null,
  quality: 'bad' as const,
  reason: 'no answer from 10.0.0.7:502',
  time: '2026-03-01T05:59:58.000Z',
  unit: '%',
};

export const tagRead = defineKind({
  id: 'tag-read',
  version: '1.0.0',
  title: 'Read tags',
  summary: 'Reads live values of the plant, with quality, source time and unit.',
  category: 'plant',
  settings,
  scopes: ['tag:read'],
  examples: [
    {
      title: 'One tag, named by a path parameter, as the reply body',
      settings: { tags: ['line{{payload.params.line}}/filler/speed'], into: 'payload.body' },
      payload: { params: { line: '7' } },
      answers: { 'tags.read': speed },
      expect: { port: 'out', payload: { params: { line: '7' }, body: speed } },
    },
    {
      title: 'Everything in a folder, with the quality of a lost device',
      settings: { tags: 'line7/filler/*' },
      payload: {},
      answers: { 'tags.readMany': [speed, level] },
      expect: { port: 'out', payload: { result: [speed, level] } },
    },
    {
      title: 'A pattern from the message is refused',
      settings: { tags: ['{{payload.query.tag}}'] },
      payload: { query: { tag: '**' } },
      expect: { error: 'tag_path_invalid' },
    },
  ],
  create: createTagRead,
});

function createTagRead({ tags: refs, maxAge: seconds, into }: z.output<typeof settings>): NodeInstance {
  const [only] = refs;
  const single = only !== undefined && refs.length === 1 && !only.pattern ? only : null;
  return {
    async run(message, { capabilities }) {
      const age = seconds === undefined ? {} : { maxAge: seconds };
      const value =
        single === null
          ? await capabilities.call('tags.readMany', { paths: refs.map((ref) => fillTagRef(ref, message)), ...age })
          : await capabilities.call('tags.read', { path: fillTagRef(single, message), ...age });
      return { port: 'out', message: writeInto(message, into, value) };
    },
  };
}
