import { setImmediate } from 'node:timers/promises';
import { maskKeys } from '#common/api-key.ts';

/**
 * Removes secrets from texts that users pass on (a diagnostics file). Three filters, one after the other: values that
 * are known to be secret, wherever they appear; fields that hold secrets or payloads, by their names; and everything
 * that looks like a secret. In doubt it removes text, and inserts `[removed]`.
 *
 * Known weakness: secrets of fewer than four characters are not removed, nor are secrets of fewer than 32 characters
 * that no store of Sluice knows, outside of fields and headers with a secret name.
 */
export const REMOVED = '[removed]';
const SECRET_CHARS_MIN = 4;
const DEPTH_MAX = 12;
const LINES_A_TURN = 100;

const WORDS = 'passwor[dt]|passphrase|passwd|pwd|secret|token|pepper|credential|api[-_ ]?key|private[-_ ]?key';
const SECRET_NAME = new RegExp(`(?:${WORDS}|authorization|cookie|tls-?key)|^key$|^value$`, 'i');
/** Content from a caller or a target: not a secret in itself, but not for third parties. */
const CONTENT_NAME = /^(?:static|request|response)?headers?$|^payload|^body$|^input$|^output$|^params$|^query$/i;

const PEM = /-----BEGIN [^-\n]{1,60}-----[\s\S]{0,20000}?(?:-----END [^-\n]{1,60}-----|$)/g;
const PATTERNS: readonly [RegExp, string][] = [
  [PEM, REMOVED],
  // A header: the rest of its line.
  [
    /\b((?:proxy-)?authorization|set-cookie|cookie|x-api-key|x-csrf-token)\b(["']?\s*[:=]\s*)[^\r\n]+/gi,
    `$1$2${REMOVED}`,
  ],
  [/\b(bearer|basic|digest)\s+[\w.~+/=-]{4,}/gi, `$1 ${REMOVED}`],
  [/(\/\/)[^\s/@:]{0,256}:[^\s/@]{0,256}@/g, `$1${REMOVED}@`],
  [
    new RegExp(`\\b([\\w-]{0,40}(?:${WORDS})[\\w-]{0,40}["']?\\s*[:=]\\s*)(?:"[^"]*"|'[^']*'|[^\\s,;&"']+)`, 'gi'),
    `$1${REMOVED}`,
  ],
  [/\beyJ[\w-]{4,}\.[\w-]{4,}\.[\w-]*/g, REMOVED],
];
const OPAQUE = /[A-Za-z0-9+_-]{32,}={0,2}/g;
const REQUEST_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export interface Scrubber {
  text(text: string): string;
  /** A log: JSON lines by their fields, others as text. It yields to the event loop in between. */
  lines(text: string): Promise<string>;
  /** JSON, indented. */
  value(value: unknown): string;
}

export function createScrubber(secrets: readonly string[]): Scrubber {
  const known = spellings(secrets);
  const text = (from: string): string => withoutLooks(withoutKnown(from, known));
  const walked = (value: unknown): unknown => walk(value, text, 0);
  return {
    text,
    lines: (from) => inTurns(from.replace(PEM, REMOVED).split('\n'), (line) => scrubLine(line, text, walked)),
    // Once more on the whole text: a secret can be the name of a field.
    value: (value) => `${withoutKnown(JSON.stringify(walked(value), null, 2), known)}\n`,
  };
}

async function inTurns(lines: readonly string[], change: (line: string) => string): Promise<string> {
  const changed: string[] = [];
  for (const [index, line] of lines.entries()) {
    changed.push(change(line));
    if (index % LINES_A_TURN === 0) await setImmediate();
  }
  return changed.join('\n');
}

function scrubLine(line: string, text: (from: string) => string, walked: (value: unknown) => unknown): string {
  if (!line.startsWith('{')) return text(line);
  try {
    return JSON.stringify(walked(JSON.parse(line)));
  } catch {
    return text(line);
  }
}

/** Forms of a secret in a log, a URL or a header; the longest first, so that no part of a longer one remains. */
function spellings(secrets: readonly string[]): string[] {
  const parts = secrets.flatMap((secret) => [secret, ...secret.split(/\r?\n/)]);
  const all = parts.filter(({ length }) => length >= SECRET_CHARS_MIN).flatMap(spellingsOf);
  return [...new Set(all)].toSorted((a, b) => b.length - a.length);
}

function spellingsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret.toWellFormed()),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
    bytes.toString('hex'),
  ];
}

function withoutKnown(text: string, known: readonly string[]): string {
  return known.reduce((rest, secret) => rest.replaceAll(secret, REMOVED), text);
}

function withoutLooks(text: string): string {
  const named = PATTERNS.reduce((rest, [pattern, by]) => rest.replace(pattern, by), maskKeys(text));
  return named.replace(OPAQUE, (match) => (REQUEST_ID.test(match) ? match : REMOVED));
}

function walk(value: unknown, text: (from: string) => string, depth: number): unknown {
  if (typeof value === 'string') return text(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= DEPTH_MAX) return '[deep]';
  if (Array.isArray(value)) return value.map((entry: unknown) => walk(entry, text, depth + 1));
  const fields = Object.entries(value).map(([name, entry]: [string, unknown]) => {
    const hidden = SECRET_NAME.test(name) || CONTENT_NAME.test(name);
    return [text(name), hidden ? hide(entry) : walk(entry, text, depth + 1)];
  });
  return Object.fromEntries(fields);
}

/** Whether it is set is not secret: `null`, booleans and `{ "set": true }` remain. */
function hide(entry: unknown): unknown {
  if (entry === null || typeof entry === 'boolean') return entry;
  return JSON.stringify(entry) === '{"set":true}' ? entry : REMOVED;
}
