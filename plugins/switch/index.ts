import {
  attempt,
  defineKind,
  type Emission,
  MATCH_WORK_AT_ONCE_MAX,
  type NodeInstance,
  type Path,
  pathField,
  readPath,
  type Run,
  z,
} from '#sdk';
import { OPERATORS, type Test, testFor } from './operators.ts';
import { expected } from '#common/errors/rules.ts';

const CASES_MAX = 100;
const OTHERWISE = 'otherwise';
/** Characters or entries. */
const LONG_VALUE = 1_000;
const TURN_MS_MAX = 5;
const PORT_EXPECTED = expected('port_name');

const port = z
  .string({ error: PORT_EXPECTED })
  .regex(/^[A-Za-z0-9_-]{1,64}$/, PORT_EXPECTED)
  .refine((name) => name !== 'error', expected('port_reserved'))
  .meta({ title: 'Port', description: 'Name of the port through which a matching message leaves.' });

const switchCase = z
  .strictObject({
    port,
    operator: z
      .enum(OPERATORS, { error: expected('one_of', { values: OPERATORS }) })
      .meta({ title: 'Operator', description: 'How the value at the path is compared.' }),
    value: z
      .json({ error: expected('json') })
      .optional()
      .meta({
        title: 'Value',
        description: 'The value to compare with; a list for "in", omitted for "exists" and "missing".',
      }),
  })
  .transform(({ port: name, operator, value }, context): Case => ({
    port: name,
    test: attempt(() => testFor(operator, value), context),
  }));

interface Case {
  readonly port: string;
  readonly test: Test;
}

const settings = z.strictObject({
  path: pathField.meta({
    title: 'Path',
    control: 'path',
    description: 'The value that is compared, such as payload.body.priority.',
  }),
  cases: z
    .array(switchCase, { error: expected('list_of', { of: 'cases' }) })
    .max(CASES_MAX, expected('count_max', { max: CASES_MAX, of: 'cases' }))
    .meta({
      title: 'Cases',
      description:
        'Checked in order; the first match applies. If none matches, the message leaves through "otherwise".',
    }),
});

const byPriority = {
  path: 'payload.body.priority',
  cases: [
    { port: 'urgent', operator: 'ge' as const, value: 8 },
    { port: 'normal', operator: 'exists' as const },
  ],
};

export const switchKind = defineKind({
  id: 'switch',
  version: '1.0.0',
  title: 'Switch',
  summary: 'Sends a message to one of several ports, depending on a value in it.',
  category: 'flow',
  settings,
  ports: ({ cases }: z.output<typeof settings>) => [...new Set([...cases.map((one) => one.port), OTHERWISE])],
  examples: [
    {
      title: 'The first case that matches wins',
      settings: byPriority,
      payload: { body: { priority: 9 } },
      expect: { port: 'urgent', payload: { body: { priority: 9 } } },
    },
    {
      title: 'A later case',
      settings: byPriority,
      payload: { body: { priority: 2 } },
      expect: { port: 'normal', payload: { body: { priority: 2 } } },
    },
    {
      title: 'No case matches',
      settings: byPriority,
      payload: { body: {} },
      expect: { port: 'otherwise', payload: { body: {} } },
    },
    {
      title: 'By a pattern',
      settings: { path: 'payload.params.id', cases: [{ port: 'order', operator: 'matches', value: '^ORD-[0-9]{6}$' }] },
      payload: { params: { id: 'ORD-004711' } },
      expect: { port: 'order', payload: { params: { id: 'ORD-004711' } } },
    },
  ],
  create: createSwitch,
});

function createSwitch({ path, cases }: { path: Path; cases: readonly Case[] }): NodeInstance {
  return {
    run(message, run) {
      const value = readPath(message, path);
      const leave = (found: Case | null): Emission => ({ port: found?.port ?? OTHERWISE, message });
      if (!cases.some((one) => isLong(one, value))) return leave(cases.find((one) => one.test(value)) ?? null);
      return inTurns(cases, value, run).then(leave);
    },
  };
}

/** Whether a case can take milliseconds: with a long text or list, or an expensive pattern. */
function isLong(one: Case, value: unknown): boolean {
  return (
    ((typeof value === 'string' || Array.isArray(value)) && value.length > LONG_VALUE) || isCostly(one.test, value)
  );
}

function isCostly({ pattern }: Test, value: unknown): value is string {
  return pattern !== undefined && typeof value === 'string' && value.length * pattern.size > MATCH_WORK_AT_ONCE_MAX;
}

/** Tries the cases in order; the event loop runs in between when they have taken TURN_MS_MAX together. */
async function inTurns(cases: readonly Case[], value: unknown, run: Run): Promise<Case | null> {
  let endMs = performance.now() + TURN_MS_MAX;
  for (const [index, one] of cases.entries()) {
    if (await tryCase(one.test, value, run)) return one;
    if (performance.now() <= endMs || index === cases.length - 1) continue;
    await run.nextTurn();
    endMs = performance.now() + TURN_MS_MAX;
  }
  return null;
}

/** An expensive match is made in the pattern thread. */
async function tryCase(test: Test, value: unknown, run: Run): Promise<boolean> {
  if (test.pattern === undefined || !isCostly(test, value)) return test(value);
  test.pattern.checkLength(value);
  const { matches } = await run.matches(test.pattern.source, value);
  return matches;
}
