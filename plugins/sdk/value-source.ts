import { z } from 'zod';
import type { Message } from '#common/model/message.ts';
import { pathField } from './fields.ts';
import { readPath } from '#common/model/message-path.ts';
import { expected } from '#common/errors/rules.ts';

/**
 * The settings `value` and `from` with these descriptions, to be spread into those of a kind; `exactlyOne` ensures that
 * one of them is given.
 */
export const valueSourceFields = ({
  value = 'A fixed JSON value.',
  from = 'A path to take the value from, such as payload.body.id.',
} = {}) => ({
  value: z
    .json({ error: expected('json') })
    .optional()
    .meta({ title: 'Value', choice: 'source', description: value }),
  from: pathField.optional().meta({ title: 'From', control: 'path', choice: 'source', description: from }),
});

type ValueSource = z.output<z.ZodObject<ReturnType<typeof valueSourceFields>>>;

/** For `refine`: whether one of these settings is given and the others are not. Null counts as given. */
export function exactlyOne(given: Readonly<Record<string, unknown>>, names: readonly string[]): boolean {
  return names.filter((name) => isGiven(given, name)).length === 1;
}

export function isGiven(given: Readonly<Record<string, unknown>>, name: string): boolean {
  return Object.hasOwn(given, name) && given[name] !== undefined;
}

/** Returns the value for a message. JSON has no undefined: a missing value is null. */
export function valueSource({ value, from }: ValueSource): (message: Message) => unknown {
  if (from === undefined) return () => value ?? null;
  return (message) => readPath(message, from) ?? null;
}
