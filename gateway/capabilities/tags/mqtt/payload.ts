import { NodeError, type Path, parsePath, readPath } from '#sdk';
import type { Sample, TagOf } from '../contract.ts';

/**
 * Converts messages to values of tags, and written values to messages.
 *
 * Without a JSON path the whole message is the value, parsed by the type of the tag: number and integer as a decimal
 * number (`21.5`, `-3e2`), boolean as true, false, on, off, 1 or 0 in any case, text as UTF-8, json as JSON. With a
 * path, the message is JSON and the value at that path is used unchanged.
 *
 * The time is the time of arrival unless there is a time path: RFC 3339 text, or a number of seconds (below 10¹¹) or
 * milliseconds since 1970. A message without a time there still has a value, with uncertain quality.
 *
 * Writing is the inverse of reading: without a JSON path the plain value, with one an object that contains only the
 * value at that path, such as `{"set":{"speed":5}}`.
 */
export type MqttTag = TagOf<'mqtt'>;

/** Larger messages are not parsed; their tags read bad. */
export const MESSAGE_BYTES_MAX = 262_144;
const SECONDS_BELOW = 1e11;
const TIME_MS_MAX = 8.64e15;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const WORDS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['on', true],
  ['1', true],
  ['false', false],
  ['off', false],
  ['0', false],
]);
const utf8 = new TextDecoder('utf-8', { fatal: true });

export interface Message {
  readonly payload: Buffer;
  /** Milliseconds since 1970. */
  readonly arrived: number;
}

type Parsed = { readonly value: unknown } | { readonly fault: string };

/** One message, parsed at most once, however many tags read it. */
export class MessageReader {
  readonly #message: Message;
  #text: Parsed | null = null;
  #json: Parsed | null = null;

  constructor(message: Message) {
    this.#message = message;
  }

  sampleOf(tag: MqttTag): Sample {
    const { arrived, payload } = this.#message;
    const here = { time: arrived, arrived: true } as const;
    const bad = (reason: string): Sample => ({ value: null, quality: 'bad', reason, ...here });
    if (payload.length > MESSAGE_BYTES_MAX)
      return bad(`a message of ${payload.length} bytes; at most ${MESSAGE_BYTES_MAX} are read`);
    const found = this.#valueOf(tag);
    if ('fault' in found) return bad(found.fault);
    const { timePath } = tag.source;
    if (timePath === '') return { value: found.value, quality: 'good', reason: null, ...here };
    const time = timeOf(this.#at(timePath));
    if (time !== null) return { value: found.value, quality: 'good', reason: null, time };
    const reason = `no time at "${timePath}" of the message; the time is that of arrival`;
    return { value: found.value, quality: 'uncertain', reason, ...here };
  }

  #valueOf({ type, source }: MqttTag): Parsed {
    if (source.jsonPath !== '') return this.#at(source.jsonPath);
    const text = this.#asText();
    if ('fault' in text || type === 'text') return text;
    if (type === 'json') return this.#asJson();
    const word = String(text.value).trim();
    return type === 'boolean' ? booleanOf(word) : numberOf(word);
  }

  #at(path: string): Parsed {
    const json = this.#asJson();
    if ('fault' in json) return json;
    const value = readPath(json.value, parsePath(path));
    return value === undefined ? { fault: `the message has nothing at "${path}"` } : { value };
  }

  #asText(): Parsed {
    this.#text ??= attempt(() => utf8.decode(this.#message.payload), 'the message is not UTF-8 text');
    return this.#text;
  }

  #asJson(): Parsed {
    const text = this.#asText();
    if ('fault' in text) return text;
    this.#json ??= attempt(() => JSON.parse(String(text.value)) as unknown, 'the message is not JSON');
    return this.#json;
  }
}

/** Why the tag can never be read; null: it can be read. */
export function faultOf({ source }: MqttTag): string | null {
  try {
    for (const path of [source.jsonPath, source.timePath]) if (path !== '') parsePath(path);
    return null;
  } catch (error) {
    return error instanceof RangeError ? error.message : 'the path cannot be read';
  }
}

/** Throws NodeError `tag_write_failed`. */
export function payloadOf(tag: MqttTag, value: unknown): string {
  const { jsonPath } = tag.source;
  if (jsonPath === '') return typeof value === 'string' ? value : JSON.stringify(value ?? null);
  const path = parsePath(jsonPath);
  if (path.some((name) => /^\d+$/.test(name)))
    throw new NodeError('tag_write_failed', `tag "${tag.path}": the JSON path "${jsonPath}" leads into a list`);
  return JSON.stringify(nested(path, value));
}

/** Own properties only, whatever their names are. */
function nested(path: Path, value: unknown): unknown {
  return path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value ?? null);
}

function attempt(work: () => unknown, fault: string): Parsed {
  try {
    return { value: work() };
  } catch {
    return { fault };
  }
}

function booleanOf(word: string): Parsed {
  const value = WORDS.get(word.toLowerCase());
  return value === undefined ? { fault: 'the message must be true, false, on, off, 1 or 0' } : { value };
}

function numberOf(word: string): Parsed {
  return NUMBER.test(word) ? { value: Number(word) } : { fault: 'the message is not a number' };
}

function timeOf(found: Parsed): number | null {
  if ('fault' in found) return null;
  const { value } = found;
  const ms = typeof value === 'string' ? Date.parse(value) : typeof value === 'number' ? msOf(value) : Number.NaN;
  return Number.isFinite(ms) && Math.abs(ms) <= TIME_MS_MAX ? ms : null;
}

function msOf(since1970: number): number {
  return Math.round(Math.abs(since1970) < SECONDS_BELOW ? since1970 * 1000 : since1970);
}
