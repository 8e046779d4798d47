import { writtenVariableName } from '#common/capabilities/calls.ts';
import {
  defineKind,
  exactlyOne,
  fillTemplate,
  intoField,
  isGiven,
  type Message,
  nameTemplateField,
  type NodeInstance,
  type Run,
  valueSource,
  valueSourceFields,
  writeInto,
  z,
} from '#sdk';
import { expected } from '#common/errors/rules.ts';

const SOURCES = ['value', 'from', 'increment'] as const;

const settings = z
  .strictObject({
    name: nameTemplateField(writtenVariableName).meta({
      title: 'Name',
      control: 'template',
      description: 'The variable to write, such as shift/current. May contain {{payload.…}}.',
    }),
    ...valueSourceFields(),
    increment: z
      .number({ error: expected('number') })
      .optional()
      .meta({
        title: 'Increment',
        choice: 'source',
        description: 'A number to add in one atomic step. The sum is written to Into.',
      }),
    ifEquals: z
      .json({ error: expected('json') })
      .optional()
      .meta({
        title: 'If equals',
        more: true,
        description:
          'Writes only if the variable has this value (null = never set). Whether it was written is stored in Into.',
      }),
    into: intoField,
  })
  .refine((given) => exactlyOne(given, SOURCES), { error: expected('exactly_one', { fields: SOURCES }) })
  .refine((given) => !(isGiven(given, 'ifEquals') && isGiven(given, 'increment')), {
    path: ['ifEquals'],
    error: expected('compare_with_value'),
  });

type Settings = z.output<typeof settings>;

/**
 * Reads nothing itself, so a plain write leaves the message unchanged; an increment writes the sum to `into`, a write
 * with `ifEquals` whether it was done (true or false).
 */
export const variableWrite = defineKind({
  id: 'variable-write',
  version: '1.0.0',
  title: 'Write variable',
  summary: 'Sets a variable of the project, adds to it, or sets it only if it has an expected value.',
  category: 'data',
  settings,
  scopes: ['vars:write'],
  examples: [
    {
      title: 'Store the received order',
      settings: { name: 'line/{{payload.params.line}}/order', from: 'payload.body' },
      payload: { params: { line: '7' }, body: { orderId: 'ORD-004711' } },
      answers: { 'vars.set': null },
      expect: { port: 'out', payload: { params: { line: '7' }, body: { orderId: 'ORD-004711' } } },
    },
    {
      title: 'Count, and return the number',
      settings: { name: 'orders/count', increment: 1, into: 'payload.body.number' },
      payload: { body: { orderId: 'ORD-004711' } },
      answers: { 'vars.increment': 42 },
      expect: { port: 'out', payload: { body: { orderId: 'ORD-004711', number: 42 } } },
    },
    {
      title: 'Take a lock that nobody holds',
      settings: { name: 'filler/lock', value: 'order pipeline', ifEquals: null },
      payload: { body: null },
      answers: { 'vars.compareAndSet': false },
      expect: { port: 'out', payload: { body: null, result: false } },
    },
  ],
  create: createVariableWrite,
});

function createVariableWrite(given: Settings): NodeInstance {
  const write = writing(given);
  return { run: async (message, run) => ({ port: 'out', message: await write(message, run) }) };
}

type Write = (message: Message, run: Run) => Promise<Message>;

function writing(given: Settings): Write {
  const { name, increment, ifEquals, into } = given;
  const source = valueSource(given);
  if (increment !== undefined) {
    return async (message, { capabilities }) => {
      const args = { name: fillTemplate(name, message), by: increment };
      return writeInto(message, into, await capabilities.call('vars.increment', args));
    };
  }
  if (ifEquals !== undefined) {
    return async (message, { capabilities }) => {
      const args = { name: fillTemplate(name, message), expected: ifEquals, value: source(message) };
      return writeInto(message, into, await capabilities.call('vars.compareAndSet', args));
    };
  }
  return async (message, { capabilities }) => {
    await capabilities.call('vars.set', { name: fillTemplate(name, message), value: source(message) });
    return message;
  };
}
