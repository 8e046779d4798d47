import { clip } from '#common/clip.ts';
import {
  attempt,
  type CheckError,
  defineKind,
  type Emission,
  type Message,
  type NodeInstance,
  parsePath,
  pathField,
  type ReadSchema,
  readPath,
  readSchema,
  steppedCheck,
  withPayload,
  z,
} from '#sdk';
import { expected } from '#common/errors/rules.ts';

/** Errors reported to the caller, and characters of each path. */
const ERRORS_LISTED_MAX = 50;
const PATH_CHARS_MAX = 200;

const settings = z.strictObject({
  schema: z
    .json({ error: expected('json_schema') })
    .transform((schema, context): ReadSchema => attempt(() => readSchema(schema), context))
    .meta({
      title: 'Schema',
      control: 'json',
      description: 'A JSON Schema (2020-12). Patterns cannot use look-around; references cannot leave the schema.',
    }),
  path: pathField.default(parsePath('payload.body')).meta({
    title: 'Path',
    control: 'path',
    preset: 'payload.body',
    description: 'Path of the value to check. Default: payload.body.',
  }),
});

const orderSchema = {
  type: 'object',
  required: ['orderId', 'quantity'],
  properties: {
    orderId: { type: 'string', pattern: '^ORD-[0-9]{6}$' },
    quantity: { type: 'integer', minimum: 1 },
  },
};

const refused = (errors: readonly { path: string; message: string }[]) => ({
  port: 'invalid',
  payload: { status: 400, body: { error: 'the data does not fit what this route expects', errors } },
});

export const validate = defineKind({
  id: 'validate',
  version: '1.0.0',
  title: 'Validate',
  summary:
    'Checks a value against a JSON Schema. A value that does not match leaves through "invalid", with all errors.',
  category: 'data',
  settings,
  ports: ['out', 'invalid'],
  examples: [
    {
      title: 'A valid order',
      settings: { schema: orderSchema },
      payload: { body: { orderId: 'ORD-004711', quantity: 3 } },
      expect: { port: 'out', payload: { body: { orderId: 'ORD-004711', quantity: 3 } } },
    },
    {
      title: 'An invalid order: all errors at once',
      settings: { schema: orderSchema },
      payload: { body: { orderId: '4711', quantity: 0 } },
      expect: refused([
        { path: 'orderId', message: 'must match pattern "^ORD-[0-9]{6}$"' },
        { path: 'quantity', message: 'must be >= 1' },
      ]),
    },
    {
      title: 'A missing field is named',
      settings: { schema: orderSchema },
      payload: { body: { quantity: 1 } },
      expect: refused([{ path: 'orderId', message: "must have required property 'orderId'" }]),
    },
  ],
  create: createValidate,
});

function createValidate({ schema, path }: z.output<typeof settings>): NodeInstance {
  const check = steppedCheck(schema);
  return {
    run(message, run) {
      const value = readPath(message, path) ?? null;
      const errors = value instanceof Uint8Array ? BYTES : check(value, run);
      return errors instanceof Promise ? errors.then((late) => leave(message, late)) : leave(message, errors);
    },
  };
}

function leave(message: Message, errors: readonly CheckError[] | null): Emission {
  if (errors === null) return { port: 'out', message };
  return { port: 'invalid', message: withPayload(message, refusal(message.payload, errors.map(tell))) };
}

interface Fault {
  readonly path: string;
  readonly message: string;
}

/** Bytes are refused here: a schema would accept them as an object of numbers. */
const BYTES: readonly CheckError[] = [{ instancePath: '', params: {}, message: 'must be JSON; it came as bytes' }];

/** Only status and body change (docs/spec/nodes.md#validate). */
function refusal(payload: unknown, faults: readonly Fault[]): object {
  const before =
    typeof payload === 'object' && !Array.isArray(payload) && !(payload instanceof Uint8Array) ? payload : null;
  return {
    ...before,
    status: 400,
    body: { error: 'the data does not fit what this route expects', errors: cut(faults) },
  };
}

function cut(faults: readonly Fault[]): readonly Fault[] {
  if (faults.length <= ERRORS_LISTED_MAX) return faults;
  return [
    ...faults.slice(0, ERRORS_LISTED_MAX),
    { path: '', message: `… and ${faults.length - ERRORS_LISTED_MAX} more` },
  ];
}

/** The path names the field, dotted, from the checked value; a missing or superfluous field is its end. */
function tell({ instancePath, params, message = 'is not valid' }: CheckError): Fault {
  const names = instancePath.split('/').slice(1).map(unescapePointer);
  const field: unknown = params['missingProperty'] ?? params['additionalProperty'] ?? params['unevaluatedProperty'];
  if (typeof field === 'string') names.push(field);
  const path = names.map((name) => name.replaceAll('.', String.raw`\.`)).join('.');
  return { path: clip(path, PATH_CHARS_MAX), message };
}

/** RFC 6901, section 4. */
function unescapePointer(name: string): string {
  return name.replaceAll('~1', '/').replaceAll('~0', '~');
}
