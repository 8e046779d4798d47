import type { Reply } from '#common/model/message.ts';
import { isReplyHeaderValue, REPLY_HEADER_VALUE_CHARS_MAX } from '#common/model/reply-headers.ts';
import { defineKind, fillTemplate, type Message, NodeError, type NodeInstance, z } from '#sdk';
import { encodeBody, type EncodedBody, encodeInTurns, isLongBody, shareable } from './encode.ts';
import { type HeaderTemplate, replyHeaders } from './headers.ts';
import { expected } from '#common/errors/rules.ts';

const STATUS_EXPECTED = expected('range', { what: 'a whole number', from: 200, to: 599 });
/** Statuses whose responses have no body in HTTP (RFC 9110, 15.3.5, 15.3.6, 15.4.5). */
const BODILESS = new Set([204, 205, 304]);

const settings = z.strictObject({
  status: z.int({ error: STATUS_EXPECTED }).min(200, STATUS_EXPECTED).max(599, STATUS_EXPECTED).optional().meta({
    title: 'Status',
    description: 'HTTP status of the reply. Default: payload.status, or 200 if that is missing.',
  }),
  body: z
    .json({ error: expected('json') })
    .optional()
    .meta({
      title: 'Body',
      control: 'json',
      description: 'Body of the reply, any JSON value. Default: payload.body.',
    }),
  headers: replyHeaders.default([]).meta({
    title: 'Headers',
    description:
      'Extra response headers: name and value. A value is ASCII or Latin-1 and may contain {{payload.…}} from the message.',
  }),
});

type Settings = z.output<typeof settings>;

export const httpResponse = defineKind({
  id: 'http-response',
  version: '1.0.0',
  title: 'HTTP Response',
  summary: 'Sends the reply: payload.status and payload.body, unless set here.',
  category: 'http',
  settings,
  ports: [],
  examples: [
    {
      title: 'Send the result of the pipeline',
      settings: {},
      payload: { status: 201, body: { accepted: 4711 } },
      expect: { reply: { status: 201, body: { accepted: 4711 } } },
    },
    {
      title: 'Answer 400 with a fixed body',
      settings: { status: 400, body: { error: 'orderId is missing' } },
      payload: { status: 200, body: 'not sent' },
      expect: { reply: { status: 400, body: { error: 'orderId is missing' } } },
    },
    {
      title: 'A status that HTTP does not have fails the run',
      settings: {},
      payload: { status: 99, body: null },
      expect: { error: 'status_invalid' },
    },
  ],
  create: createResponse,
});

function createResponse(settings: Settings): NodeInstance {
  const { status, headers } = settings;
  const fixed = 'body' in settings ? shareable(encodeBody(settings.body)) : null;
  return {
    run(message, run) {
      const used = status ?? statusOf(message.payload);
      const reply = (encoded: EncodedBody): undefined => {
        run.reply(makeReply(message, used, encoded, headers));
      };
      if (fixed !== null) return reply(fixed);
      const body = bodyOf(message.payload);
      return isLongBody(body) ? encodeInTurns(body, run).then(reply) : reply(encodeBody(body));
    },
  };
}

function makeReply(message: Message, status: number, encoded: EncodedBody, headers: readonly HeaderTemplate[]): Reply {
  const empty = BODILESS.has(status);
  const reply = {
    status,
    contentType: empty ? null : encoded.contentType,
    headers: NO_HEADERS,
    body: empty ? null : encoded.body,
    errorWith200: status === 200 && encoded.hasError,
  };
  return headers.length === 0 ? reply : withHeaders(reply, headers, message);
}

const NO_HEADERS: Readonly<Record<string, string>> = Object.freeze({});

function statusOf(payload: unknown): number {
  const status = own(payload, 'status');
  if (status === undefined) return 200;
  if (typeof status === 'number' && Number.isInteger(status) && status >= 200 && status <= 599) return status;
  throw new NodeError(
    'status_invalid',
    `payload.status must be a whole number from 200 to 599; it is ${describe(status)}`,
  );
}

function bodyOf(payload: unknown): unknown {
  if (typeof payload === 'object' && payload !== null && !Array.isArray(payload)) return own(payload, 'body');
  throw new NodeError('payload_invalid', `payload must be an object with status and body; it is ${describe(payload)}`);
}

function own(payload: unknown, name: string): unknown {
  if (typeof payload !== 'object' || payload === null || !Object.hasOwn(payload, name)) return undefined;
  return (payload as Record<string, unknown>)[name];
}

function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value === 'object') return Array.isArray(value) ? 'a list' : 'an object';
  if (typeof value === 'string') return `the text "${value.slice(0, 40)}"`;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : `a ${typeof value}`;
}

function withHeaders(reply: Reply, templates: readonly HeaderTemplate[], message: Message): Reply {
  const headers: Record<string, string> = {};
  let { contentType } = reply;
  for (const { name, template } of templates) {
    const value = fillTemplate(template, message);
    if (!isReplyHeaderValue(value)) throw badValue(name);
    if (value === '') continue;
    if (name === 'content-type') contentType = value;
    else headers[name] = value;
  }
  return { ...reply, contentType, headers };
}

function badValue(name: string): NodeError {
  return new NodeError(
    'header_invalid',
    `the value of header "${name}" has control characters, is not Latin-1, or is over ${REPLY_HEADER_VALUE_CHARS_MAX} characters`,
  );
}
