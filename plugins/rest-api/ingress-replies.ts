import type { RouteSettings } from '#common/model/route-settings.ts';
import { NodeError, readSchema, schemaCheck, type SettingWarning, type z } from '#sdk';
import { expected } from '#common/errors/rules.ts';

type Replies = NonNullable<RouteSettings['replies']>;

/**
 * Values in the schemas of all replies together. Each takes about 0.3 ms to compile on the gateway's main thread, which
 * does other work between nodes, but not within one: a gateway that is silent for 10 s is replaced.
 */
const SCHEMA_VALUES_MAX = 2_000;

/** A described reply has a schema that tools can parse. */
export function refuseBadSchemas({ replies = [] }: RouteSettings, context: z.RefinementCtx): void {
  let values = 0;
  const beyond = replies.findIndex(({ schema }) => (values += valuesOf(schema)) > SCHEMA_VALUES_MAX);
  if (beyond >= 0) {
    const message = expected('count_max', {
      max: SCHEMA_VALUES_MAX,
      of: 'values in the schemas of all replies together',
    });
    context.addIssue({ code: 'custom', path: ['replies', beyond, 'schema'], message });
    return;
  }
  for (const [index, { schema }] of replies.entries()) {
    if (schema === undefined) continue;
    const fault = faultOf(schema);
    if (fault !== null) context.addIssue({ code: 'custom', path: ['replies', index, 'schema'], message: fault });
  }
}

/** Objects, lists and plain values. */
function valuesOf(schema: unknown): number {
  let count = 0;
  const open: unknown[] = schema === undefined ? [] : [schema];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    count += 1;
    if (typeof part === 'object' && part !== null) open.push(...Object.values(part));
  }
  return count;
}

function faultOf(schema: object): string | null {
  try {
    readSchema(schema);
    return null;
  } catch (error) {
    if (error instanceof RangeError) return error.message;
    throw error;
  }
}

/** Warns about an example that does not match its own schema, because callers copy examples. */
export function replyWarnings({ replies = [] }: RouteSettings): SettingWarning[] {
  return replies.flatMap((reply, index) => {
    if (fits(reply)) return [];
    const message = `the example of the reply ${reply.status} does not fit its schema`;
    return [{ code: 'example_misfit', field: `replies.${index}.example`, message }];
  });
}

function fits({ schema, example }: Replies[number]): boolean {
  if (schema === undefined || example === undefined) return true;
  try {
    return schemaCheck(readSchema(schema))(example) === null;
  } catch (error) {
    // Too expensive or too deep to be checked: no warning.
    if (error instanceof NodeError) return true;
    throw error;
  }
}
