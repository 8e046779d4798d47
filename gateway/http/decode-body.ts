import { isUtf8 } from 'node:buffer';
import sjson from 'secure-json-parse';
import { JSON_DEPTH_MAX, PAIR_BYTES, SHORT_JSON_BYTES } from './limits.ts';
import { decodeForm } from './target.ts';
import { weighJson } from './weigh-json.ts';

/** What a body became (behaviour 3, Bodies), or why it is refused. */
export type DecodedBody = { readonly ok: true; readonly body: unknown } | BodyFault;

export interface BodyFault {
  readonly ok: false;
  readonly code: 'unsupported_media_type' | 'body_invalid' | 'overloaded';
  /** Of few kinds, whatever the body is: refusals are counted by it. */
  readonly cause: string;
  /** Where in the body, such as `line 3, column 1`. */
  readonly at?: string;
}

/** Whether so many bytes more may be taken for a body; asked before it is parsed, for each form that it is parsed as. */
export type Room = (bytes: number) => boolean;

const NO_ROOM: BodyFault = { ok: false, code: 'overloaded', cause: 'share_of_bodies' };

const JSON_AS_FORM: BodyFault = {
  ok: false,
  code: 'body_invalid',
  cause: 'the body is JSON, but was sent as a form; send the header Content-Type: application/json',
};

const CHARSET = /;\s*charset\s*=\s*"?([^";\s]+)"?/i;
const UTF8_NAMES = new Set(['utf-8', 'utf8', 'us-ascii']);

/** True when the body may be read at all: content codings are refused before that. */
export function codingAccepted(contentEncoding: string): boolean {
  return contentEncoding === '' || contentEncoding.toLowerCase() === 'identity';
}

/** `room` is told what the body will take in memory, estimated. */
export function decodeBody(bytes: Buffer, contentType: string, room: Room = () => true): DecodedBody {
  if (bytes.length === 0) return { ok: true, body: null };
  const semicolon = contentType.indexOf(';');
  const type = (semicolon < 0 ? contentType : contentType.slice(0, semicolon)).trim().toLowerCase();
  if (type === 'application/json' || type.endsWith('+json'))
    return decodeText(bytes, contentType, (text) => parseJson(text, room));
  if (type.startsWith('text/'))
    return decodeText(bytes, contentType, (body) => (room(2 * body.length) ? { ok: true, body } : NO_ROOM));
  if (type === 'application/x-www-form-urlencoded')
    return decodeText(bytes, contentType, (text) => parseForm(text, room));
  return room(bytes.length) ? { ok: true, body: new Uint8Array(bytes) } : NO_ROOM;
}

function decodeText(bytes: Buffer, contentType: string, parse: (text: string) => DecodedBody): DecodedBody {
  const charset = CHARSET.exec(contentType)?.[1]?.toLowerCase();
  if (charset !== undefined && !UTF8_NAMES.has(charset))
    return { ok: false, code: 'unsupported_media_type', cause: 'the charset is not UTF-8' };
  if (!isUtf8(bytes)) return { ok: false, code: 'body_invalid', cause: 'the body is not UTF-8' };
  return parse(bytes.toString('utf8'));
}

function parseJson(text: string, room: Room): DecodedBody {
  // A text this short cannot be nested too deep: most bodies are not read twice.
  const isShort = text.length <= 2 * JSON_DEPTH_MAX;
  const bytes = isShort ? SHORT_JSON_BYTES * text.length : weighJson(text, JSON_DEPTH_MAX);
  if (bytes === null)
    return { ok: false, code: 'body_invalid', cause: `the JSON is nested over ${JSON_DEPTH_MAX} levels deep` };
  if (!room(bytes)) return NO_ROOM;
  try {
    return { ok: true, body: sjson.parse(text) as unknown };
  } catch (error) {
    return jsonFault(text, error instanceof Error ? error.message : '');
  }
}

/** How V8 ends most of its messages; what it quotes of the body stands before, so that a body cannot forge it. */
const JSON_PLACE = / JSON at position (\d+) \((line \d+) (column \d+)\)$/;

/** The parser's own message quotes the body, which may hold anything: only its kind and the place are kept. */
function jsonFault(text: string, message: string): BodyFault {
  const fault = { ok: false, code: 'body_invalid' } as const;
  if (message === 'Object contains forbidden prototype property')
    return { ...fault, cause: 'the JSON has a forbidden prototype property' };
  if (message === 'Unexpected end of JSON input' || message.startsWith('Unterminated string in JSON'))
    return { ...fault, cause: 'the JSON ends too early' };
  const [, position, line, column] = JSON_PLACE.exec(message) ?? [];
  if (position === undefined) return { ...fault, cause: 'the body is not JSON' };
  // The parser counts behind a byte order mark.
  if (Number(position) === text.length - (text.startsWith('\ufeff') ? 1 : 0))
    return { ...fault, cause: 'the JSON ends too early' };
  return { ...fault, cause: 'the body is not JSON', at: `${line}, ${column}` };
}

/** Object or array, in braces that every encoder of forms escapes: no form can be refused by it. */
const JSON_START = /^[\t\n\r ]*[[{]/;

function parseForm(text: string, room: Room): DecodedBody {
  if (!room(2 * text.length + PAIR_BYTES * (1 + text.split('&').length))) return NO_ROOM;
  // As curl's `-d` sends it, which takes every body for a form.
  if (JSON_START.test(text)) {
    const json = parseJson(text, room);
    if (json === NO_ROOM) return NO_ROOM;
    if (json.ok) return JSON_AS_FORM;
  }
  const body = decodeForm(text);
  if (typeof body === 'string') return { ok: false, code: 'body_invalid', cause: `the form has ${body}` };
  return { ok: true, body };
}
