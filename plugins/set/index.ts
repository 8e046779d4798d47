import {
  attempt,
  defineKind,
  fillTemplate,
  type Message,
  type NodeInstance,
  removePath,
  targetPath,
  templateField,
  valueSource,
  valueSourceFields,
  withPayload,
  writePath,
  z,
} from '#sdk';
import { expected } from '#common/errors/rules.ts';

const ASSIGNMENTS_MAX = 200;
const SOURCES = ['value', 'from', 'template', 'remove'] as const;
const SOURCE_EXPECTED = expected('exactly_one', { fields: SOURCES });

const target = z
  .string({ error: expected('form', { what: 'a path below payload,', example: 'payload.status' }) })
  .transform((text, context) => attempt(() => targetPath(text), context))
  .meta({
    title: 'Path',
    description: 'Where to write: a path below payload, such as payload.body.total.',
  });

const assignment = z
  .strictObject({
    path: target,
    ...valueSourceFields({ from: 'A path to copy the value from, such as payload.params.id.' }),
    template: templateField.optional().meta({
      title: 'Template',
      control: 'template',
      choice: 'source',
      description: 'A text that may contain {{payload.…}}.',
    }),
    remove: z
      .literal(true, { error: expected('one_of', { values: ['true'] }) })
      .optional()
      .meta({ title: 'Remove', choice: 'source', description: 'Removes the value.' }),
  })
  .refine((given) => SOURCES.filter((source) => source in given && given[source] !== undefined).length === 1, {
    error: SOURCE_EXPECTED,
  });

const settings = z.strictObject({
  assign: z
    .array(assignment, { error: expected('list_of', { of: 'assignments' }) })
    .max(ASSIGNMENTS_MAX, expected('count_max', { max: ASSIGNMENTS_MAX, of: 'assignments' }))
    .meta({ title: 'Assignments', description: 'Applied in order; each sees the results of the previous ones.' }),
});

type Settings = z.output<typeof settings>;
type Assignment = Settings['assign'][number];

export const set = defineKind({
  id: 'set',
  version: '1.0.0',
  title: 'Set',
  summary: 'Writes, copies and removes values below payload.',
  category: 'data',
  settings,
  examples: [
    {
      title: 'Create a reply from a path parameter',
      settings: {
        assign: [
          { path: 'payload.status', value: 200 },
          { path: 'payload.body', value: {} },
          { path: 'payload.body.line', from: 'payload.params.line' },
        ],
      },
      payload: { params: { line: '7' } },
      expect: { port: 'out', payload: { params: { line: '7' }, status: 200, body: { line: '7' } } },
    },
    {
      title: 'Build a text and remove the rest',
      settings: {
        assign: [
          { path: 'payload.body.label', template: 'Order {{payload.body.id}} on line {{payload.query.line}}' },
          { path: 'payload.query', remove: true },
        ],
      },
      payload: { body: { id: 4711 }, query: { line: '7' } },
      expect: { port: 'out', payload: { body: { id: 4711, label: 'Order 4711 on line 7' } } },
    },
    {
      title: 'A text cannot have values below it',
      settings: { assign: [{ path: 'payload.body.id', value: 1 }] },
      payload: { body: 'plain text' },
      expect: { error: 'path_invalid' },
    },
  ],
  create: createSet,
});

function createSet({ assign }: Settings): NodeInstance {
  const steps = assign.map((entry) => makeStep(entry));
  return {
    run(message) {
      let current = message;
      for (const step of steps) current = withPayload(current, step(current));
      return { port: 'out', message: current };
    },
  };
}

type PayloadStep = (message: Message) => unknown;

/** The payload after one assignment; the original is unchanged. */
function makeStep(entry: Assignment): PayloadStep {
  const below = entry.path.slice(1);
  if (entry.remove) return (message) => removePath(message.payload, below);
  const source = makeSource(entry);
  return (message) => writePath(message.payload, below, source(message));
}

function makeSource({ template, ...given }: Assignment): (message: Message) => unknown {
  return template === undefined ? valueSource(given) : (message) => fillTemplate(template, message);
}
