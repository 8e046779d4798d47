import { attempt, bindParams, type Message, parseTemplate, z } from '#sdk';
import { expected } from '#common/errors/rules.ts';

const ARGS_MAX = 64;
const TEMPLATE_CHARS_MAX = 16_384;
const ARGS_EXPECTED = expected('form', {
  what: 'an object of arguments,',
  example: '{ "orderId": "{{payload.body.orderId}}" }',
});

type Fill = (message: Message) => unknown;

/**
 * Arguments by name. A text may contain `{{path}}`; a text that consists of a single `{{path}}` becomes the value at
 * this path (null if it is missing). Any other JSON is used unchanged.
 */
export const argsField = z
  .record(z.string(), z.json({ error: expected('json') }), { error: ARGS_EXPECTED })
  .refine((args) => Object.keys(args).length <= ARGS_MAX, expected('count_max', { max: ARGS_MAX, of: 'arguments' }))
  .transform((args, context): ReadonlyMap<string, Fill> =>
    attempt(() => new Map(Object.entries(args).map(([name, given]) => [name, fillOf(name, given)])), context),
  );

export function fillArgs(args: ReadonlyMap<string, Fill>, message: Message): Record<string, unknown> {
  return Object.fromEntries([...args].map(([name, fill]) => [name, fill(message)]));
}

function fillOf(name: string, given: unknown): Fill {
  if (typeof given !== 'string') return () => given;
  if (given.length > TEMPLATE_CHARS_MAX)
    throw new RangeError(`${name.slice(0, 60)}: expected a string of at most ${TEMPLATE_CHARS_MAX} characters`);
  const template = parseTemplate(given);
  return (message) => bindParams({ value: template }, message)['value'];
}
