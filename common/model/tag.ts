import { z } from 'zod';
import { projectId } from './ids.ts';
import { expected, ruleIssue } from '../errors/rules.ts';
import { textUpTo } from './bounds.ts';
import { tagPath } from './tag-path.ts';
import { NUMBER_LIMITS, writeLimits } from './write-limits.ts';

export { tagPath, tagPattern } from './tag-path.ts';
export { isTagPattern, TAG_PATTERN, tagMatches } from './tag-pattern.ts';

/**
 * Tags: named values of a plant, in folders. The path of a tag is its ID in the project: segments of letters, digits,
 * `_` and `-` separated by `/`, such as `line7/filler/speed`. The part before the last `/` is its folder.
 */
export const TAGS_PER_PROJECT_MAX = 10_000;

export const TAG_TYPES = ['number', 'integer', 'boolean', 'text', 'json'] as const;
export type TagType = (typeof TAG_TYPES)[number];

const number = (expected: string, min = -Number.MAX_VALUE, max = Number.MAX_VALUE) =>
  z.number({ error: expected }).min(min, expected).max(max, expected);
const whole = (expected: string, min: number, max: number) => number(expected, min, max).int(expected);
const SECONDS_EXPECTED = expected('range', { what: 'seconds', from: 0.05, to: 86_400 });
const seconds = number(SECONDS_EXPECTED, 0.05, 86_400);
const connectionId = projectId;

/** Keeps its last value across a restart. Writable. */
const memory = z.strictObject({
  provider: z.literal('memory'),
  initial: z
    .json({ error: expected('json') })
    .default(null)
    .meta({ title: 'Initial value', description: 'The value before the first write.' }),
});

const simulator = z.strictObject({
  provider: z.literal('simulator'),
  shape: z
    .enum(['sine', 'ramp', 'random', 'counter'], {
      error: expected('one_of', { values: ['sine', 'ramp', 'random', 'counter'] }),
    })
    .meta({ title: 'Shape' }),
  min: number(expected('number')).default(0).meta({ title: 'Lowest value' }),
  max: number(expected('number')).default(100).meta({ title: 'Highest value' }),
  period: seconds.default(60).meta({ title: 'Period', description: 'Seconds of one wave or ramp.' }),
  interval: seconds.default(1).meta({ title: 'Interval', description: 'Seconds between two values.' }),
});

const opcua = z.strictObject({
  provider: z.literal('opcua'),
  connection: connectionId,
  nodeId: z
    .string({ error: expected('form', { what: 'a node id', example: 'ns=2;s=Filler.Speed' }) })
    .regex(/^(?:ns=\d{1,5};)?[isgb]=.{1,512}$/, expected('form', { what: 'a node id', example: 'ns=2;s=Filler.Speed' }))
    .meta({ title: 'Node ID' }),
  samplingInterval: seconds.default(1).meta({ title: 'Sampling interval', description: 'Seconds.' }),
});

const modbus = z.strictObject({
  provider: z.literal('modbus'),
  connection: connectionId,
  unitId: whole(expected('range', { what: 'a unit id', from: 0, to: 255 }), 0, 255)
    .default(1)
    .meta({ title: 'Unit ID' }),
  table: z
    .enum(['coil', 'discrete', 'holding', 'input'], {
      error: expected('one_of', { values: ['coil', 'discrete', 'holding', 'input'] }),
    })
    .meta({ title: 'Table' }),
  address: whole(expected('range', { what: 'an address', from: 0, to: 65_535 }), 0, 65_535).meta({
    title: 'Address',
    description: 'Counted from 0, as in the Modbus protocol.',
  }),
  encoding: z
    .enum(['bit', 'uint16', 'int16', 'uint32', 'int32', 'float32', 'float64', 'text'], {
      error: expected('one_of', {
        values: ['bit', 'uint16', 'int16', 'uint32', 'int32', 'float32', 'float64', 'text'],
      }),
    })
    .default('uint16')
    .meta({ title: 'Encoding' }),
  byteOrder: z
    .enum(['ABCD', 'CDAB', 'BADC', 'DCBA'], { error: expected('one_of', { values: ['ABCD', 'CDAB', 'BADC', 'DCBA'] }) })
    .default('ABCD')
    .meta({ title: 'Byte order', description: 'ABCD is big-endian; CDAB swaps the words, BADC the bytes.' }),
  bit: whole(expected('range', { what: 'a bit', from: 0, to: 15 }), 0, 15)
    .optional()
    .meta({ title: 'Bit', description: 'Of a register, counted from the lowest; for the encoding "bit".' }),
  length: whole(expected('range', { what: 'registers', from: 1, to: 120 }), 1, 120)
    .optional()
    .meta({ title: 'Number of registers', description: 'For the encoding "text".' }),
  factor: number(expected('number'))
    .default(1)
    .meta({ title: 'Factor', description: 'value = raw × factor + offset.' }),
  offset: number(expected('number')).default(0).meta({ title: 'Offset' }),
  poll: seconds.default(1).meta({ title: 'Poll', description: 'Seconds between two reads.' }),
});

const topic = z.string({ error: expected('topic') }).regex(/^[^+#\0]{1,512}$/, expected('topic'));

const mqtt = z.strictObject({
  provider: z.literal('mqtt'),
  connection: connectionId,
  topic: topic.meta({ title: 'Topic' }),
  jsonPath: z
    .string({ error: expected('form', { what: 'a path', example: 'data.temperature' }) })
    .max(512, expected('length_max', { max: 512 }))
    .default('')
    .meta({ title: 'JSON path', description: 'Where the value is in a JSON message. Empty: the whole message.' }),
  timePath: z
    .string({ error: expected('form', { what: 'a path', example: 'data.time' }) })
    .max(512, expected('length_max', { max: 512 }))
    .default('')
    .meta({ title: 'Time path', description: 'Where its time is in a JSON message. Empty: time of arrival.' }),
  writeTopic: topic
    .optional()
    .meta({ title: 'Write topic', description: 'Topic for writes. Default: the topic itself.' }),
  qos: z
    .union([z.literal(0), z.literal(1), z.literal(2)], { error: expected('one_of', { values: ['0', '1', '2'] }) })
    .default(1),
  retain: z
    .boolean({ error: expected('true_or_false') })
    .default(false)
    .meta({ title: 'Retain written values' }),
});

export const tagSource = z.discriminatedUnion('provider', [memory, simulator, opcua, modbus, mqtt], {
  error: 'expected a source with provider memory, simulator, opcua, modbus or mqtt',
});

const tagHistory = z.strictObject({
  deadband: number(expected('number_min', { what: 'a number', min: 0 }), 0)
    .default(0)
    .meta({ title: 'Deadband', description: 'Changes up to this amount are not recorded.' }),
  maxInterval: number(expected('range', { what: 'seconds', from: 1, to: 86_400 }), 1, 86_400)
    .default(3_600)
    .meta({ title: 'Longest interval', description: 'Seconds after which even an unchanged value is recorded.' }),
});

export const tagDefinition = z
  .strictObject({
    path: tagPath,
    title: textUpTo(128).default(''),
    type: z.enum(TAG_TYPES, { error: expected('one_of', { values: TAG_TYPES }) }),
    unit: textUpTo(32).default(''),
    source: tagSource,
    /** Simulated tags and Modbus tables `discrete` and `input` are never writable. */
    writable: z.boolean({ error: expected('true_or_false') }).default(false),
    /** Null: not recorded. */
    history: tagHistory.nullable().default(null),
    /** Absent: only the type limits its writes. */
    writeLimits: writeLimits.optional(),
    /** For a boolean: while it is true or not good, no other tag of the project is written. */
    stopsWrites: z.boolean({ error: expected('true_or_false') }).optional(),
  })
  .superRefine(({ type, writeLimits: limits, stopsWrites }, context) => {
    const isNumber = type === 'number' || type === 'integer';
    const wrong = isNumber ? undefined : NUMBER_LIMITS.find((name) => limits?.[name] !== undefined);
    if (wrong !== undefined)
      context.addIssue({ path: ['writeLimits', wrong], ...ruleIssue('limit_of_number', { type }) });
    if (stopsWrites === true && type !== 'boolean') context.addIssue({ path: ['type'], ...ruleIssue('type_of_stop') });
  });

export type TagDefinition = z.infer<typeof tagDefinition>;
export type TagSource = TagDefinition['source'];

/** The reason why no write can succeed; null: it is writable. */
export function readOnlyReason({ writable, source }: Pick<TagDefinition, 'writable' | 'source'>): string | null {
  if (source.provider === 'simulator') return 'it is simulated';
  if (source.provider === 'modbus' && (source.table === 'discrete' || source.table === 'input'))
    return `the Modbus table "${source.table}" can only be read`;
  return writable ? null : 'it is not marked as writable';
}

export type TagQuality = 'good' | 'uncertain' | 'bad';

/** The `reason` of a tag that nothing has written or read since it was made. Nothing is wrong with it. */
export const NO_VALUE_YET = 'there is no value yet';

/**
 * The current value of a tag. With bad quality the value is null and `reason` contains the cause, such as "no answer
 * from 10.0.0.7:502".
 */
export interface TagValue {
  path: string;
  value: unknown;
  quality: TagQuality;
  reason: string | null;
  /** The time of the value according to its source; RFC 3339, UTC. Null before the first value. */
  time: string | null;
  unit: string;
}
