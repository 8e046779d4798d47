import { isUtf8 } from 'node:buffer';
import sjson from 'secure-json-parse';
import type { RequestFault } from '#common/errors/request-faults.ts';
import { JsonPieceError, jsonInPieces, PIECE_BYTES } from './json-pieces.ts';
import { JSON_DEPTH_MAX, PAIR_BYTES, SHORT_JSON_BYTES } from './limits.ts';
import { placeIn } from './place-in-text.ts';
import { decodeForm, FormReader } from './target.ts';
import { weighJson } from './weigh-json.ts';

/** A decoded body (docs/spec/requests.md#bodies), or the reason for its refusal. */
export type DecodedBody = { readonly ok: true; readonly body: unknown } | BodyFault;

export type BodyFault = NoRoom | InvalidBody;

interface NoRoom {
  readonly ok: false;
  readonly code: 'overloaded';
}

interface InvalidBody {
  readonly ok: false;
  readonly code: 'unsupported_media_type' | 'body_invalid';
  /** One of a few types, independent of the content, because refusals are counted by it. */
  readonly cause: RequestFault;
  /** Position in the body, such as `line 3, column 1`. */
  readonly at?: string;
}

/** Whether this many more bytes may be used for a body; called before each form of parsing. */
export type Room = (bytes: number) => boolean;

const NO_ROOM: NoRoom = { ok: false, code: 'overloaded' };

const INVALID = { ok: false, code: 'body_invalid' } as const;
const TOO_DEEP: InvalidBody = { ...INVALID, cause: `the JSON is nested over ${JSON_DEPTH_MAX} levels deep` };
const FORBIDDEN: BodyFault = { ...INVALID, cause: 'the JSON has a forbidden prototype property' };
const ENDS_EARLY: BodyFault = { ...INVALID, cause: 'the JSON ends too early' };
const NOT_JSON: InvalidBody = { ...INVALID, cause: 'the body is not JSON' };

const JSON_AS_FORM: BodyFault = {
  ok: false,
  code: 'body_invalid',
  cause: 'the body is JSON, but was sent as a form; send the header Content-Type: application/json',
};

const CHARSET = /;\s*charset\s*=\s*"?([^";\s]+)"?/i;
const UTF8_NAMES = new Set(['utf-8', 'utf8', 'us-ascii']);

/** Whether the body can be read: content codings are refused before that. */
export function codingAccepted(contentEncoding: string): boolean {
  return contentEncoding === '' || contentEncoding.toLowerCase() === 'identity';
}

/** `room` receives the estimated memory of the decoded body. */
export function decodeBody(bytes: Buffer, contentType: string, room: Room = () => true): DecodedBody {
  if (bytes.length === 0) return { ok: true, body: null };
  const form = formOf(contentType);
  if (form === 'bytes') return room(bytes.length) ? { ok: true, body: new Uint8Array(bytes) } : NO_ROOM;
  const fault = textFault(bytes, contentType);
  if (fault !== null) return fault;
  const text = bytes.toString('utf8');
  if (form === 'json') return parseJson(text, room);
  return form === 'urlencoded' ? parseForm(text, room) : plainText(text, room);
}

/**
 * Like `decodeBody`, for bodies that would take too long at once: yields between pieces. Each piece takes a few
 * milliseconds at most, except a text of many megabytes: a string made of pieces would be joined at its first use,
 * which takes as long. `bytes` may be kept as the body.
 */
export function* decodeInPieces(bytes: Buffer, contentType: string, room: Room): Generator<void, DecodedBody> {
  const form = formOf(contentType);
  if (form === 'bytes')
    return room(bytes.length)
      ? { ok: true, body: new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length) }
      : NO_ROOM;
  const fault = textFault(bytes, contentType);
  if (fault !== null) return fault;
  yield;
  if (form === 'json') return yield* jsonBody(bytes, room);
  return form === 'urlencoded' ? yield* formBody(bytes, room) : plainText(bytes.toString('utf8'), room);
}

/** Like `decodeInPieces`, for bytes that are joined in pieces as well. */
export function* decodeJoined(
  joined: Generator<void, Buffer>,
  contentType: string,
  room: Room,
): Generator<void, DecodedBody> {
  return yield* decodeInPieces(yield* joined, contentType, room);
}

function formOf(contentType: string): 'json' | 'text' | 'urlencoded' | 'bytes' {
  const semicolon = contentType.indexOf(';');
  const type = (semicolon < 0 ? contentType : contentType.slice(0, semicolon)).trim().toLowerCase();
  if (type === 'application/json' || type.endsWith('+json')) return 'json';
  if (type.startsWith('text/')) return 'text';
  return type === 'application/x-www-form-urlencoded' ? 'urlencoded' : 'bytes';
}

function textFault(bytes: Buffer, contentType: string): BodyFault | null {
  const charset = CHARSET.exec(contentType)?.[1]?.toLowerCase();
  if (charset !== undefined && !UTF8_NAMES.has(charset))
    return { ok: false, code: 'unsupported_media_type', cause: 'the charset is not UTF-8' };
  return isUtf8(bytes) ? null : { ok: false, code: 'body_invalid', cause: 'the body is not UTF-8' };
}

function plainText(body: string, room: Room): DecodedBody {
  return room(2 * body.length) ? { ok: true, body } : NO_ROOM;
}

function* jsonBody(bytes: Buffer, room: Room): Generator<void, DecodedBody> {
  try {
    return { ok: true, body: yield* jsonInPieces(bytes, { depthMax: JSON_DEPTH_MAX, room }) };
  } catch (error) {
    if (error instanceof JsonPieceError) return yield* pieceFault(error, bytes);
    throw error;
  }
}

function* pieceFault({ fault }: JsonPieceError, bytes: Buffer): Generator<void, BodyFault> {
  switch (fault.kind) {
    case 'no_room':
      return NO_ROOM;
    case 'too_deep':
      return TOO_DEEP;
    case 'forbidden':
      return FORBIDDEN;
    case 'ends':
      return ENDS_EARLY;
    case 'invalid': {
      if (fault.at === null) return NOT_JSON;
      const { line, column } = yield* placeIn(bytes, fault.at);
      return { ...NOT_JSON, at: `line ${line}, column ${column}` };
    }
  }
}

function* formBody(bytes: Buffer, room: Room): Generator<void, DecodedBody> {
  const text = bytes.toString('utf8');
  if (!room(2 * text.length)) return NO_ROOM;
  if (JSON_START.test(text)) {
    const json = yield* jsonBody(bytes, room);
    if (json === NO_ROOM) return NO_ROOM;
    if (json.ok) return JSON_AS_FORM;
  }
  const form = new FormReader();
  for (let from = 0; from < text.length;) {
    const cut = text.indexOf('&', from + PIECE_BYTES);
    const piece = text.slice(from, cut < 0 ? text.length : cut).split('&');
    if (!room(PAIR_BYTES * (1 + piece.length))) return NO_ROOM;
    // Only the last one may be longer than a piece.
    const last = piece.pop() ?? '';
    const fault = form.addAll(piece) ?? (yield* form.addInPieces(last));
    if (fault !== null) return { ok: false, code: 'body_invalid', cause: `the form has ${fault}` };
    from = cut < 0 ? text.length : cut + 1;
    yield;
  }
  return { ok: true, body: form.fields };
}

function parseJson(text: string, room: Room): DecodedBody {
  // A text this short cannot be nested too deeply, so most bodies are not read twice.
  const isShort = text.length <= 2 * JSON_DEPTH_MAX;
  const bytes = isShort ? SHORT_JSON_BYTES * text.length : weighJson(text, JSON_DEPTH_MAX);
  if (bytes === null) return TOO_DEEP;
  if (!room(bytes)) return NO_ROOM;
  try {
    return { ok: true, body: sjson.parse(text) as unknown };
  } catch (error) {
    return jsonFault(text, error instanceof Error ? error.message : '');
  }
}

/** The end of most of V8's messages. Quoted parts of the body come before it, so a body cannot forge it. */
const JSON_PLACE = / JSON at position (\d+) \((line \d+) (column \d+)\)$/;

/** The parser's own message quotes the body, which can contain anything. Only its type and position are kept. */
function jsonFault(text: string, message: string): BodyFault {
  if (message === 'Object contains forbidden prototype property') return FORBIDDEN;
  if (message === 'Unexpected end of JSON input' || message.startsWith('Unterminated string in JSON'))
    return ENDS_EARLY;
  const [, position, line, column] = JSON_PLACE.exec(message) ?? [];
  if (position === undefined) return NOT_JSON;
  // The parser counts from after the byte order mark.
  if (Number(position) === text.length - (text.startsWith('\ufeff') ? 1 : 0)) return ENDS_EARLY;
  return { ...NOT_JSON, at: `${line}, ${column}` };
}

/** An object or array. Every form encoder escapes these braces, so no form can be refused by this. */
const JSON_START = /^[\t\n\r ]*[[{]/;

function parseForm(text: string, room: Room): DecodedBody {
  if (!room(2 * text.length + PAIR_BYTES * (1 + text.split('&').length))) return NO_ROOM;
  // curl's `-d` sends JSON like this, with the content type of a form.
  if (JSON_START.test(text)) {
    const json = parseJson(text, room);
    if (json === NO_ROOM) return NO_ROOM;
    if (json.ok) return JSON_AS_FORM;
  }
  const body = decodeForm(text);
  if (typeof body === 'string') return { ok: false, code: 'body_invalid', cause: `the form has ${body}` };
  return { ok: true, body };
}
