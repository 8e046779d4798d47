import { fillTemplate, type Message, NodeError, parseTemplate, type Template } from '#sdk';

/** Size limit of the path and query of a call, in bytes. */
const TARGET_BYTES_MAX = 4096;
const ORDERING_KEY_CHARS_MAX = 1024;

/** Path and query of a node's URL, with placeholders that each message fills in. */
export interface Target {
  readonly path: readonly Segment[];
  /** With its "?"; empty if there is none. */
  readonly query: Template;
}

/** The text between two slashes. Only a segment with placeholders can differ from the text of its author. */
interface Segment {
  readonly parts: Template;
  readonly filled: boolean;
}

/** Takes the `path` of `readEgressUrl`. Throws RangeError for a placeholder that is not a path into the message. */
export function parseTarget(text: string): Target {
  const parts = parseTemplate(text);
  const at = parts.findIndex((part) => typeof part === 'string' && part.includes('?'));
  const split = at < 0 ? '' : String(parts[at]);
  const mark = split.indexOf('?');
  const path = at < 0 ? parts : [...parts.slice(0, at), split.slice(0, mark)];
  const query = at < 0 ? [] : [split.slice(mark), ...parts.slice(at + 1)];
  return { path: segments(path), query: query.map(literal) };
}

/** The parts of the path between its slashes; the first one, before the leading slash, is empty. */
function segments(path: Template): Segment[] {
  const found: (string | readonly string[])[][] = [[]];
  for (const part of path) {
    const [first = '', ...others] = typeof part === 'string' ? part.split('/') : [part];
    found.at(-1)?.push(literal(first));
    for (const text of others) found.push([literal(text)]);
  }
  return found.map((parts) => ({ parts, filled: parts.some((part) => typeof part !== 'string') }));
}

/** Characters that are not allowed in a URL (RFC 3986, 2); everything else is unchanged, including escapes. */
const OUTSIDE = /[^\u0021-\u007e]+|["<>\\^`{|}]+/g;

function literal<T>(part: T | string): T | string {
  return typeof part === 'string' ? part.replaceAll(OUTSIDE, encodeURIComponent) : part;
}

/**
 * Path and query for one message: values of the message are percent-encoded, so that they can neither begin another
 * segment or query nor leave their segment. Throws NodeError `call_invalid`.
 */
export function fillTarget({ path, query }: Target, message: Message): string {
  const filled = path.map((segment) => fillSegment(segment, message)).join('/') + fill(query, message);
  if (!filled.startsWith('/')) throw callInvalid('url', 'the path does not begin with "/"');
  if (filled.length > TARGET_BYTES_MAX)
    throw callInvalid('url', `path and query have ${filled.length} bytes; expected at most ${TARGET_BYTES_MAX}`);
  return filled;
}

/**
 * An empty segment would turn `/orders/{{…}}` into all orders, and an empty first one would make the next segment the
 * host; `.` and `..`, in every spelling that URL parsers know, would lead to a parent.
 */
function fillSegment({ parts, filled }: Segment, message: Message): string {
  const text = fill(parts, message);
  if (!filled) return text;
  if (text === '') throw callInvalid('url', 'a segment of the path came out empty; expected a value in its place');
  const plain = text.replaceAll(/%2e/gi, '.');
  if (plain === '.' || plain === '..')
    throw callInvalid('url', `a segment of the path came out as "${plain}"; expected another value in its place`);
  return text;
}

function fill(parts: Template, message: Message): string {
  return parts.map((part) => (typeof part === 'string' ? part : encoded(part, message))).join('');
}

function encoded(place: Template[number], message: Message): string {
  const text = placeText('url', [place], message);
  if (text.length > TARGET_BYTES_MAX)
    throw callInvalid('url', `a value has ${text.length} characters; expected at most ${TARGET_BYTES_MAX}`);
  if (!text.isWellFormed()) throw callInvalid('url', 'a value holds half a character, which cannot be sent');
  return encodeURIComponent(text);
}

/** Null if the result of the template is empty: the target's own order. Throws NodeError `call_invalid`. */
export function fillOrderingKey(template: Template, message: Message): string | null {
  const text = placeText('orderingKey', template, message);
  if (text.length <= ORDERING_KEY_CHARS_MAX) return text === '' ? null : text;
  const expected = `expected at most ${ORDERING_KEY_CHARS_MAX}`;
  throw callInvalid('orderingKey', `it came out with ${text.length} characters; ${expected}`);
}

function placeText(setting: string, template: Template, message: Message): string {
  try {
    return fillTemplate(template, message);
  } catch (cause) {
    throw callInvalid(setting, cause instanceof Error ? cause.message : 'it cannot be filled', cause);
  }
}

function callInvalid(setting: string, text: string, cause?: unknown): NodeError {
  return new NodeError('call_invalid', `the setting "${setting}": ${text}`, { cause });
}
