import { z } from 'zod';
import { isDotSegment } from '../dot-segment.ts';
import { projectId } from '../model/ids.ts';
import { paramName, sqlText } from '../model/named-query.ts';
import { tagPath, tagPattern } from '../model/tag.ts';
import type { Scope } from '../scopes.ts';
import { expected } from '../errors/rules.ts';
import { wholeFrom } from '../model/bounds.ts';

/**
 * Every capability call, declared once (docs/spec/capabilities.md#calls). The broker checks scope and arguments against
 * it, the sandbox offers it to scripts under the same name, and the completion types of the editor and the
 * documentation are generated from it.
 *
 * Arguments are named; scripts pass them in the order declared here.
 */
export interface CallDeclaration {
  /** Null: needs no scope. */
  readonly scope: Scope | null;
  readonly summary: string;
  readonly args: z.ZodObject;
  readonly returns: z.ZodType;
  /** The time limit of the call itself; a run with less time left ends earlier. */
  readonly secondsMax: number;
  /** True: only for third-party kinds whose manifest was approved for it. */
  readonly pluginsOnly?: boolean;
}

const TAGS_PER_CALL_MAX = 1_000;
const STATEMENTS_MAX = 100;

const json = z.unknown();
const tagValue = z
  .object({
    path: z.string(),
    value: json,
    quality: z.enum(['good', 'uncertain', 'bad']),
    reason: z.string().nullable(),
    time: z.string().nullable(),
    unit: z.string(),
  })
  .meta({ id: 'TagValue', description: 'With bad quality the value is null and the reason says why.' });
const MAX_AGE_SECONDS = { from: 0.1, to: 31_536_000 };
const MAX_AGE_EXPECTED = expected('range', { what: 'seconds', ...MAX_AGE_SECONDS });
export const maxAge = z
  .number({ error: MAX_AGE_EXPECTED })
  .min(MAX_AGE_SECONDS.from, MAX_AGE_EXPECTED)
  .max(MAX_AGE_SECONDS.to, MAX_AGE_EXPECTED)
  .optional()
  .describe('Seconds; an older value, or one without good or uncertain quality, fails with tag_stale.');
const queryResult = z
  .object({ rows: z.array(z.record(z.string(), json)), rowCount: z.number(), truncated: z.boolean() })
  .meta({ id: 'QueryResult' });
const connectionId = projectId.describe('A connection of the project; "embedded" is its own database.');
const params = z
  .record(paramName, json, {
    error: expected('form', { what: 'an object of parameters,', example: '{ "orderId": 7 }' }),
  })
  .default({})
  .describe('Values by parameter name.');

const isAddressable = (name: string): boolean => !isDotSegment(name);
const DOTS_EXPECTED = expected('name_dots');

const VARIABLE_EXPECTED = expected('form_exact', {
  what: 'a variable name',
  example: 'shift/current',
  also: ': letters, digits, "_", "-", "." and "/"',
});
/** Letters and digits of any script, and marks, because some letters have no precomposed form. */
const VARIABLE_NAME = /^[\p{L}\p{M}\p{N}_.-]{1,64}(?:\/[\p{L}\p{M}\p{N}_.-]{1,64}){0,7}$/u;
const VARIABLE_CHARS_MAX = 519;
/** Letters without a visible glyph, such as U+3164: two names that look the same must be the same. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;
/**
 * The name of a variable that may already exist: earlier versions also allowed "." and "..". Names are normalized
 * (Unicode NFC), so a precomposed umlaut and a letter with a combining mark are the same name.
 */
export const variableName = z
  .string({ error: VARIABLE_EXPECTED })
  .normalize('NFC')
  .max(VARIABLE_CHARS_MAX, VARIABLE_EXPECTED)
  .regex(VARIABLE_NAME, VARIABLE_EXPECTED)
  .refine((name) => !INVISIBLE.test(name), VARIABLE_EXPECTED);
export const writtenVariableName = variableName.refine(isAddressable, DOTS_EXPECTED);

export const CHANNEL = /^[A-Za-z0-9_.-]{1,64}(?:\/[A-Za-z0-9_.-]{1,64}){0,7}$/;
export const channelName = z
  .string({ error: expected('form', { what: 'a channel name', example: 'orders/new' }) })
  .regex(CHANNEL, expected('form', { what: 'a channel name', example: 'orders/new' }))
  .refine(isAddressable, DOTS_EXPECTED);

const FILE_PATH_CHARS_MAX = 1_024;
/** Checks only the format. Whether the path stays inside the workspace is decided on the resolved path. */
export const filePath = z
  .string({ error: expected('form', { what: 'a path', example: 'reports/today.csv' }) })
  .min(1, expected('form', { what: 'a path', example: 'reports/today.csv' }))
  .max(FILE_PATH_CHARS_MAX, expected('length_max', { max: FILE_PATH_CHARS_MAX }));

export const FILE_FORMATS = ['text', 'json', 'csv', 'bytes'] as const;
const fileFormat = z
  .enum(FILE_FORMATS, { error: expected('one_of', { values: FILE_FORMATS }) })
  .default('text')
  .describe('csv gives and takes a list of objects, one per line, named by the first line.');

export const AGGREGATES = [
  'raw',
  'lastBefore',
  'interpolated',
  'min',
  'max',
  'mean',
  'timeWeightedMean',
  'count',
  'first',
  'last',
] as const;
export type Aggregate = (typeof AGGREGATES)[number];

const MOMENT_EXPECTED = expected('form_exact', {
  what: 'a time',
  example: '2026-03-01T06:00:00Z',
  also: ', now or now-8h',
});
/** RFC 3339, or `now` with an offset in s, m, h or d. */
export const moment = z
  .string({ error: MOMENT_EXPECTED })
  .regex(
    /^(?:now(?:-\d{1,9}(?:\.\d{1,3})?[smhd])?|\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))$/,
    MOMENT_EXPECTED,
  );

export const CALLS = {
  'tags.read': {
    scope: 'tag:read',
    summary: 'Reads one tag.',
    args: z.strictObject({ path: tagPath.describe('Such as line7/filler/speed.'), maxAge }),
    returns: tagValue,
    secondsMax: 10,
  },
  'tags.readMany': {
    scope: 'tag:read',
    summary: 'Reads many tags; "*" matches any characters of a name, "**" everything below a folder.',
    args: z.strictObject({
      paths: z
        .array(tagPattern)
        .min(1, expected('one_at_least', { of: 'path' }))
        .max(TAGS_PER_CALL_MAX, expected('count_max', { max: TAGS_PER_CALL_MAX, of: 'paths' }))
        .describe('Paths and patterns, such as line7/**.'),
      maxAge,
    }),
    returns: z.array(tagValue),
    secondsMax: 10,
  },
  'tags.write': {
    scope: 'tag:write',
    summary: 'Writes one tag; done when its source has taken the value.',
    args: z.strictObject({
      path: tagPath.describe('Such as line7/filler/setpoint.'),
      value: json.describe('Of the type of the tag.'),
    }),
    returns: z.null(),
    secondsMax: 10,
  },
  'tags.writeMany': {
    scope: 'tag:write',
    summary: 'Writes many tags; fails with the first that cannot be written, naming those that were.',
    args: z.strictObject({
      writes: z
        .array(z.strictObject({ path: tagPath, value: json }))
        .min(1, expected('one_at_least', { of: 'write' }))
        .max(TAGS_PER_CALL_MAX, expected('count_max', { max: TAGS_PER_CALL_MAX, of: 'writes' }))
        .describe('Done in this order.'),
    }),
    returns: z.null(),
    secondsMax: 30,
  },
  'db.query': {
    scope: 'db:read',
    summary: 'Runs a named query of the project.',
    args: z.strictObject({ name: projectId.describe('The id of the named query.'), params }),
    returns: queryResult,
    secondsMax: 300,
  },
  'db.sql': {
    scope: 'db:write',
    summary: 'Runs one SQL statement; :name is a parameter, which is always bound.',
    args: z.strictObject({ connection: connectionId, sql: sqlText.describe('One statement.'), params }),
    returns: queryResult,
    secondsMax: 300,
  },
  'db.transaction': {
    scope: 'db:write',
    summary: 'Runs statements in one transaction: all of them, or none.',
    args: z.strictObject({
      connection: connectionId,
      statements: z
        .array(z.strictObject({ sql: sqlText, params }))
        .min(1, expected('one_at_least', { of: 'statement' }))
        .max(STATEMENTS_MAX, expected('count_max', { max: STATEMENTS_MAX, of: 'statements' }))
        .describe('Done in this order.'),
    }),
    returns: z.array(queryResult),
    secondsMax: 300,
  },
  'db.procedure': {
    scope: 'db:write',
    summary: 'Calls a stored procedure.',
    args: z.strictObject({
      connection: connectionId,
      procedure: z
        .string({ error: 'expected the name of a procedure' })
        .regex(
          /^[A-Za-z_][A-Za-z0-9_$]{0,127}(?:\.[A-Za-z_][A-Za-z0-9_$]{0,127}){0,2}$/,
          expected('form', { what: 'the name of a procedure,', example: 'dbo.book_order' }),
        )
        .describe('Such as book_order or dbo.book_order.'),
      params,
    }),
    returns: queryResult,
    secondsMax: 300,
  },
  'historian.query': {
    scope: 'hist:read',
    summary: 'Reads recorded values of tags, raw or as one value per interval.',
    args: z.strictObject({
      tags: z
        .array(tagPattern)
        .min(1, expected('one_at_least', { of: 'tag' }))
        .max(100, expected('count_max', { max: 100, of: 'tags' }))
        .describe('Paths and patterns.'),
      from: moment.describe('RFC 3339, now, or now-8h (s, m, h, d).'),
      to: moment.default('now').describe('As `from`; what is at `to` itself is not counted.'),
      aggregate: z
        .enum(AGGREGATES, { error: expected('one_of', { values: AGGREGATES }) })
        .default('raw')
        .describe('raw = every recorded value; the others give one value per interval.'),
      interval: z
        .number({ error: expected('number_min', { what: 'seconds', min: 0 }) })
        .min(0, expected('number_min', { what: 'seconds', min: 0 }))
        .default(0)
        .describe('Seconds of one bucket; 0 = one for the whole range.'),
      limit: wholeFrom('points', 1, 100_000).default(10_000).describe('Points of one tag at most.'),
    }),
    returns: z.array(
      z
        .object({
          tag: z.string(),
          unit: z.string(),
          points: z.array(z.object({ time: z.string(), value: json, quality: z.enum(['good', 'uncertain', 'bad']) })),
          truncated: z.boolean(),
        })
        .meta({ id: 'HistorySeries' }),
    ),
    secondsMax: 60,
  },
  'vars.get': {
    scope: 'vars:read',
    summary: 'Reads a variable of the project; null if it was never set.',
    args: z.strictObject({ name: variableName.describe('Such as shift/current.') }),
    returns: json,
    secondsMax: 5,
  },
  'vars.set': {
    scope: 'vars:write',
    summary: 'Sets a variable to a JSON value.',
    args: z.strictObject({
      name: writtenVariableName.describe('Such as shift/current.'),
      value: json.describe('Any JSON.'),
    }),
    returns: z.null(),
    secondsMax: 5,
  },
  'vars.increment': {
    scope: 'vars:write',
    summary: 'Adds to a number in one step and returns the sum; a variable that was never set counts as 0.',
    args: z.strictObject({
      name: writtenVariableName.describe('Such as orders/today.'),
      by: z
        .number({ error: expected('number') })
        .default(1)
        .describe('May be negative.'),
    }),
    returns: z.number(),
    secondsMax: 5,
  },
  'vars.compareAndSet': {
    scope: 'vars:write',
    summary: 'Sets a variable only if it holds the expected value; null = never set. True when it was set.',
    args: z.strictObject({
      name: writtenVariableName.describe('Such as shift/current.'),
      expected: json.describe('The value that it must have now, compared by content.'),
      value: json.describe('The new value.'),
    }),
    returns: z.boolean(),
    secondsMax: 5,
  },
  'vars.list': {
    scope: 'vars:read',
    summary: 'Lists the variables of the project, by name.',
    args: z.strictObject({
      prefix: z
        .string({ error: expected('text') })
        .normalize('NFC')
        .max(512)
        .default('')
        .describe('The start of the names.'),
    }),
    returns: z.array(z.object({ name: z.string(), value: json, updatedAt: z.string() }).meta({ id: 'VariableEntry' })),
    secondsMax: 5,
  },
  'vars.remove': {
    scope: 'vars:write',
    summary: 'Removes a variable; false if it does not exist.',
    args: z.strictObject({ name: variableName.describe('Such as shift/current.') }),
    returns: z.boolean(),
    secondsMax: 5,
  },
  'files.read': {
    scope: 'file:read',
    summary: "Reads a file from the project's workspace.",
    args: z.strictObject({ path: filePath.describe('Such as reports/today.csv.'), format: fileFormat }),
    returns: json,
    secondsMax: 30,
  },
  'files.list': {
    scope: 'file:read',
    summary: "Lists a folder of the project's workspace; '' is the workspace itself.",
    args: z.strictObject({
      folder: z.string({ error: 'expected a path' }).max(FILE_PATH_CHARS_MAX).default('').describe('Such as reports.'),
    }),
    returns: z.array(
      z
        .object({ name: z.string(), folder: z.boolean(), bytes: z.number(), modifiedAt: z.string() })
        .meta({ id: 'FileEntry' }),
    ),
    secondsMax: 30,
  },
  'files.write': {
    scope: 'file:write',
    summary: 'Writes a file whole: the old content or the new, never a part.',
    args: z.strictObject({
      path: filePath.describe('Such as reports/today.csv; folders are created.'),
      content: json.describe('As the format says.'),
      format: fileFormat,
    }),
    returns: z.object({ bytes: z.number() }),
    secondsMax: 30,
  },
  'files.remove': {
    scope: 'file:write',
    summary: 'Removes a file; false if it does not exist.',
    args: z.strictObject({ path: filePath.describe('Such as reports/old.csv.') }),
    returns: z.boolean(),
    secondsMax: 30,
  },
  'scripts.run': {
    scope: 'script:execute',
    summary: "Runs a library script of the project with the caller's rights and returns what it returns.",
    args: z.strictObject({
      name: projectId.describe('The id of the library script.'),
      args: json.optional().describe('The argument of its function.'),
    }),
    returns: json,
    secondsMax: 3_600,
  },
  'messages.send': {
    scope: 'script:execute',
    summary: 'Sends a message to the running message-in nodes of this channel in the project.',
    args: z.strictObject({
      channel: channelName.describe('Such as orders/taken.'),
      payload: json.describe('Copied; any JSON and bytes.'),
    }),
    returns: z.object({ receivers: z.number() }),
    secondsMax: 5,
  },
  log: {
    scope: null,
    summary: 'Writes a line to the log of the pipeline.',
    args: z.strictObject({
      message: z.string({ error: expected('text') }).describe('One line; what looks like a key is masked.'),
      level: z
        .enum(['debug', 'info', 'warn', 'error'], {
          error: expected('one_of', { values: ['debug', 'info', 'warn', 'error'] }),
        })
        .default('info'),
    }),
    returns: z.null(),
    secondsMax: 1,
  },
  'http.request': {
    scope: null,
    pluginsOnly: true,
    summary: 'Calls an HTTP target that the manifest names and an administrator approved.',
    args: z.strictObject({
      url: z.string({ error: 'expected a URL' }).max(4_096, expected('length_max', { max: 4_096 })),
      method: z
        .enum(['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD'], { error: 'expected an HTTP method' })
        .default('GET'),
      headers: z.record(z.string(), z.string(), { error: 'expected an object of strings' }).default({}),
      body: json.optional().describe('Bytes and texts as they are; anything else as JSON.'),
      timeout: z
        .number({ error: expected('range', { what: 'seconds', from: 0.1, to: 60 }) })
        .min(0.1)
        .max(60)
        .default(10),
    }),
    returns: z.object({ status: z.number(), headers: z.record(z.string(), z.string()), body: json }),
    secondsMax: 60,
  },
} as const satisfies Record<string, CallDeclaration>;

export type CallName = keyof typeof CALLS;
/** Arguments as a caller passes them: those with a default can be omitted. */
export type CallInput<N extends CallName> = z.input<(typeof CALLS)[N]['args']>;
/** Arguments as the implementation of the call receives them. */
export type CallArgs<N extends CallName> = z.output<(typeof CALLS)[N]['args']>;
export type CallValue<N extends CallName> = z.output<(typeof CALLS)[N]['returns']>;

export function isCallName(name: string): name is CallName {
  return Object.hasOwn(CALLS, name);
}
