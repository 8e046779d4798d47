import { z } from 'zod';
import type { Message } from '#common/model/message.ts';
import { attempt } from './fields.ts';
import { withPayload } from './message.ts';
import type { Path } from '#common/model/message-path.ts';
import { targetPath, writePath } from './write-path.ts';
import { expected } from '#common/errors/rules.ts';

const INTO_EXPECTED = expected('form', { what: 'a path below payload,', example: 'payload.result' });
const INTO_CHARS_MAX = 1_024;

/**
 * Where a kind that fetches data writes the result (docs/spec/nodes.md#what-a-node-changes): `payload.result` by
 * default.
 */
export const intoField = z
  .string({ error: INTO_EXPECTED })
  .max(INTO_CHARS_MAX, expected('length_max', { max: INTO_CHARS_MAX }))
  .default('payload.result')
  .transform((text, context): Path => attempt(() => targetPath(text), context))
  .meta({ title: 'Into', description: 'Where the result is written: a path below payload.' });

/**
 * The same message with `value` at the path of an `intoField`; everything else is shared with the original. Throws
 * NodeError `path_invalid` if a name of the path leads into a text, number, boolean or bytes.
 */
export function writeInto(message: Message, into: Path, value: unknown): Message {
  return withPayload(message, writePath(message.payload, into.slice(1), value));
}
