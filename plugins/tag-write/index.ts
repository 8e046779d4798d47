import {
  attempt,
  defineKind,
  fillTagRef,
  type Message,
  NodeError,
  type NodeInstance,
  parseTagRef,
  readPath,
  valueSourceFields,
  z,
} from '#sdk';
import { expected } from '#common/errors/rules.ts';

/** The limit of one write call. */
const WRITES_MAX = 1_000;

const write = z
  .strictObject({
    tag: z
      .string({ error: expected('form', { what: 'a tag path', example: 'line7/filler/setpoint' }) })
      .transform((text, context) => attempt(() => parseTagRef(text, { patterns: false }), context))
      .meta({ title: 'Tag', control: 'tag', description: 'Path of the tag; it may contain {{payload.…}}.' }),
    ...valueSourceFields({
      value: 'A fixed value, of the type of the tag.',
      from: 'A path to take the value from, such as payload.body.setpoint.',
    }),
  })
  .refine(({ value, from }) => (value === undefined) !== (from === undefined), {
    error: expected('exactly_one', { fields: ['value', 'from'] }),
  });

const settings = z.strictObject({
  writes: z
    .array(write, { error: expected('list_of', { of: 'writes' }) })
    .min(1, expected('one_at_least', { of: 'write' }))
    .max(WRITES_MAX, expected('count_max', { max: WRITES_MAX, of: 'writes' }))
    .meta({
      title: 'Writes',
      description:
        'Performed in order, each after the source has accepted the previous one. The first failure ends the list.',
    }),
});

type Settings = z.output<typeof settings>;
type Write = Settings['writes'][number];

export const tagWrite = defineKind({
  id: 'tag-write',
  version: '1.0.0',
  title: 'Write tags',
  summary: 'Writes values to tags and passes the message on once they are accepted.',
  category: 'plant',
  settings,
  scopes: ['tag:write'],
  examples: [
    {
      title: 'A setpoint from the request',
      settings: { writes: [{ tag: 'line{{payload.params.line}}/filler/setpoint', from: 'payload.body.setpoint' }] },
      payload: { params: { line: '7' }, body: { setpoint: 120 } },
      answers: { 'tags.write': null },
      expect: { port: 'out', payload: { params: { line: '7' }, body: { setpoint: 120 } } },
    },
    {
      title: 'An order number and a start',
      settings: {
        writes: [
          { tag: 'line7/order', from: 'payload.body.orderId' },
          { tag: 'line7/run', value: true },
        ],
      },
      payload: { body: { orderId: 'ORD-004711' } },
      answers: { 'tags.writeMany': null },
      expect: { port: 'out', payload: { body: { orderId: 'ORD-004711' } } },
    },
    {
      title: 'Nothing to write',
      settings: { writes: [{ tag: 'line7/order', from: 'payload.body.orderId' }] },
      payload: { body: {} },
      expect: { error: 'value_missing' },
    },
  ],
  create: createTagWrite,
});

/** All values are read from the message before the first one is written. */
function createTagWrite({ writes }: Settings): NodeInstance {
  return {
    async run(message, { capabilities }) {
      const wanted = writes.map((one) => ({ path: fillTagRef(one.tag, message), value: valueOf(one, message) }));
      const [only] = wanted;
      if (wanted.length === 1 && only !== undefined) await capabilities.call('tags.write', only);
      else await capabilities.call('tags.writeMany', { writes: wanted });
      return { port: 'out', message };
    },
  };
}

function valueOf({ tag, value, from }: Write, message: Message): unknown {
  if (from === undefined) return value;
  const found = readPath(message, from);
  if (found !== undefined) return found;
  throw new NodeError('value_missing', `${tag.text}: there is nothing at ${from.join('.')} to write`);
}
