import { z } from 'zod';
import { EGRESS_METHODS, readEgressUrl } from '../model/egress-settings.ts';
import { nodeId, projectId } from '../model/ids.ts';
import { TRAFFIC_RANGES } from '../model/traffic.ts';
import { expected } from '../errors/rules.ts';
import { series } from './traffic-records.ts';

/** Records of store and forward (common/model/egress.ts): schemas of responses and of request bodies. */
const time = z.iso.datetime({ error: expected('form', { what: 'a time in UTC', example: '2026-03-01T06:00:00Z' }) });
const count = z.number();

const answerRecord = z.strictObject({
  at: time,
  status: z.number().int().nullable().meta({ description: 'Null = no answer came: the text says why.' }),
  text: z.string().meta({
    description: 'Its reply: empty without the permission edit_pipelines. Without a status, the reason why none came.',
  }),
  durationMs: z.number(),
});

const rehearsalRecord = z.strictObject({
  state: z.enum(['blocked', 'draining', 'done']),
  by: z.string(),
  startedAt: time,
  blockedUntil: time,
  doneAt: time.nullable(),
  accepted: count,
  waitedBefore: count,
  delivered: count,
  dead: count,
  waiting: count,
  backlogMost: count,
  lost: count.meta({ description: 'Neither delivered, dead nor waiting: 0 is the proof.' }),
  reordered: count.meta({ description: 'Delivered before an older one of the same queue: 0 is the proof.' }),
  samples: z.array(z.strictObject({ at: time, waiting: count })),
});

export const targetRecord = z.strictObject({
  id: z.string(),
  target: z.string().meta({ description: 'Scheme, host and port.' }),
  state: z.enum(['open', 'paused']),
  reason: z.string().nullable(),
  pausedBy: z.string().nullable().meta({ description: 'A person; null = Sluice itself.' }),
  pausedAt: time.nullable(),
  queued: count,
  dead: count,
  bytes: count,
  oldestAt: time.nullable(),
  nextTryAt: time.nullable(),
  fullInSeconds: count.nullable(),
  acceptedPerMinute: count,
  deliveredPerMinute: count,
  lastAnswer: answerRecord.nullable(),
  rehearsal: rehearsalRecord.nullable(),
});

export const bufferRecord = z.strictObject({
  bytes: count,
  bytesMax: count,
  events: count,
  eventsMax: count,
  diskFreeBytes: count.nullable(),
  diskReserveBytes: count,
  fullInSeconds: count.nullable(),
  trouble: z.string().nullable().meta({ description: 'Why no event can be stored now; null = they can.' }),
});

export const backlogRecord = z.strictObject({
  target: z.string(),
  range: z.enum(TRAFFIC_RANGES),
  at: time,
  waiting: series.meta({ description: 'The most events that waited for the target in each step.' }),
  filled: series.meta({ description: 'The largest share of the buffer that was in use in each step, 0 to 1.' }),
});

export const eventRecord = z.strictObject({
  id: z.string(),
  state: z.enum(['queued', 'dead']),
  target: z.string(),
  origin: z.string(),
  project: z.string(),
  pipeline: z.string(),
  node: z.string(),
  method: z.string(),
  bodyBytes: count,
  acceptedAt: time,
  attempts: count,
  nextTryAt: time.nullable(),
  lastAnswer: answerRecord.nullable(),
  reason: z.string().nullable(),
  diedAt: time.nullable(),
});

const NO_PAYLOAD = 'Null without the permission edit_pipelines.';
const payloadRecord = z.strictObject({
  idempotencyKey: z.string(),
  orderingKey: z.string().nullable(),
  path: z.string(),
  contentType: z.string().nullable(),
  text: z.string().nullable(),
  base64: z.string().nullable(),
  traceparent: z.string().nullable(),
});
export const eventDetail = eventRecord.extend({
  payload: payloadRecord.nullable().meta({ description: NO_PAYLOAD }),
  tries: z.array(answerRecord).meta({
    description: 'Attempts, oldest first: the first one and the latest ones. "attempts" counts all of them.',
  }),
});

// ── Request bodies ──────────────────────────────────────────────────────────────────────────────────────────────

const PATH_CHARS_MAX = 64 * 1024;
const PATH_EXPECTED = `expected a path and query that begins with "/", percent-encoded, without "#", at most ${PATH_CHARS_MAX} characters`;
const path = z
  .string({ error: PATH_EXPECTED })
  .max(PATH_CHARS_MAX, PATH_EXPECTED)
  .regex(/^\/[\x21\x22\x24-\x7e]*$/, PATH_EXPECTED);

const HEADER_CHARS_MAX = 1024;
const headerValue = (what: string) => {
  const expected = `expected ${what}, at most ${HEADER_CHARS_MAX} ASCII characters without control characters, or null`;
  return z
    .string({ error: expected })
    .max(HEADER_CHARS_MAX, expected)
    .regex(/^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/, expected)
    .nullable();
};
const contentType = headerValue('a media type such as application/json');

const TEXT_EXPECTED = 'expected a string or null';
const text = z.string({ error: TEXT_EXPECTED }).nullable();
const BASE64_EXPECTED = 'expected bytes in base64 or null';
const base64 = z.base64({ error: BASE64_EXPECTED }).nullable();

const ONE_BODY = 'expected at most one of "text" and "base64"; a call has one body';
const oneBody = (body: { text?: string | null | undefined; base64?: string | null | undefined }): boolean =>
  (body.text ?? null) === null || (body.base64 ?? null) === null;

/** EgressEdit. Absent fields keep their values. */
export const eventEdit = z
  .strictObject({
    path: path.exactOptional(),
    contentType: contentType.exactOptional(),
    text: text.exactOptional(),
    base64: base64.exactOptional(),
  })
  .refine(oneBody, { message: ONE_BODY, path: ['base64'] })
  .refine((edit) => Object.keys(edit).length > 0, {
    message: 'expected at least one of path, contentType, text and base64',
  });

const TOKEN_CHARS_MAX = 255;
const token = (what: string) => {
  const expected = `expected ${what}: 1 to ${TOKEN_CHARS_MAX} visible ASCII characters`;
  return z
    .string({ error: expected })
    .max(TOKEN_CHARS_MAX, expected)
    .regex(/^[\x21-\x7e]+$/, expected);
};

const ORIGIN_EXPECTED = expected('form', { what: 'scheme, host and port,', example: 'https://mes.example:8443' });
const origin = z
  .string({ error: ORIGIN_EXPECTED })
  .max(512, ORIGIN_EXPECTED)
  .refine((given) => readEgressUrl(given)?.origin === given, ORIGIN_EXPECTED);

/** ExportedEvent, one line of an export. */
export const exportedEvent = z.strictObject(
  {
    id: token('the id of an event'),
    origin,
    project: projectId,
    pipeline: projectId,
    node: nodeId,
    method: z.enum(EGRESS_METHODS, { error: expected('one_of', { values: EGRESS_METHODS }) }),
    acceptedAt: time,
    payload: z
      .strictObject(
        {
          idempotencyKey: token('an Idempotency-Key'),
          orderingKey: text,
          path,
          contentType,
          text,
          base64,
          traceparent: headerValue('a traceparent'),
        },
        { error: unknownOr('expected the payload of an event') },
      )
      .refine(oneBody, { message: ONE_BODY, path: ['base64'] }),
  },
  { error: unknownOr('expected an exported event') },
);

/** An unknown field keeps its own message; anything that is not an object gets this one. */
function unknownOr(expected: string) {
  return ({ code }: { code?: string | undefined }) => (code === 'invalid_type' ? expected : undefined);
}
