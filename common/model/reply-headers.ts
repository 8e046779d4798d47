import { z } from 'zod';
import { templateParts, templateText } from './template-parts.ts';
import { expected, ruleIssue } from '../errors/rules.ts';

/**
 * The additional response headers of an HTTP Response node (docs/spec/nodes.md#http-response): allowed names, their
 * number, and the characters of a value outside of its `{{…}}`. The save, the schema of the kind and the node at run
 * time all use this file. Otherwise a header that one of them accepts and another refuses would be saved and started
 * without an error, and then fail every call.
 */

export const REPLY_HEADERS_MAX = 32;
export const REPLY_HEADER_VALUE_CHARS_MAX = 4_096;

const NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/;
/**
 * Everything except printable ASCII and Latin-1: it would end the header line early, or Node would refuse to send it.
 */
const NOT_IN_A_VALUE = /[^\x20-\x7e\x80-\xff]/u;

/** Headers that frame a reply, are hop-by-hop, or are written by the gateway. Lower-case. */
const REFUSED: ReadonlyMap<string, string> = new Map([
  ...because('sets cookies, and cookies ignore ports: a route could replace the session of the admin UI', [
    'set-cookie',
    'set-cookie2',
  ]),
  ...because('acts on the whole host, the admin UI included', [
    'alt-svc',
    'clear-site-data',
    'strict-transport-security',
  ]),
  ...because('frames the reply', ['content-encoding', 'content-length', 'trailer', 'transfer-encoding']),
  ...because('belongs to one hop', [
    'connection',
    'keep-alive',
    'proxy-authenticate',
    'proxy-authorization',
    'proxy-connection',
    'te',
    'upgrade',
  ]),
  ...because('is written by the gateway', [
    'content-security-policy',
    'date',
    'ratelimit',
    'ratelimit-policy',
    'retry-after',
    'sluice-rehearsal',
    'vary',
    'x-content-type-options',
    'x-request-id',
  ]),
  ...because('carries a key, and keys never leave', ['x-api-key']),
]);

const REFUSED_PREFIXES: readonly (readonly [prefix: string, reason: string])[] = [
  ['access-control-', 'is CORS, which the route decides'],
  ['ratelimit-', 'is written by the gateway'],
];

/** `{ name: value }` as saved. */
export const replyHeaderSettings = z
  .record(z.string(), templateText, { error: expected('object') })
  .superRefine((headers, context) => {
    const report = (path: string[], fault: Issue) => context.addIssue({ ...fault, path });
    const entries = Object.entries(headers);
    if (entries.length > REPLY_HEADERS_MAX)
      return report([], ruleIssue('count_max', { max: REPLY_HEADERS_MAX, of: 'headers' }));
    const seen = new Set<string>();
    for (const [name, value] of entries) {
      const fault = nameFault(name, seen) ?? replyHeaderValueFault(name, value);
      // A path cannot end in an empty name: the errors of the save and of the start would be reported in two places.
      if (fault !== null) report(name === '' ? [] : [name.slice(0, NAME_CHARS_SHOWN)], fault);
      seen.add(name.toLowerCase());
    }
  });

/** Whether a filled-in value is allowed in a header line. */
export function isReplyHeaderValue(value: string): boolean {
  return value.length <= REPLY_HEADER_VALUE_CHARS_MAX && !NOT_IN_A_VALUE.test(value);
}

const NAME_CHARS_SHOWN = 60;

type Issue = ReturnType<typeof ruleIssue>;

function nameFault(name: string, seen: ReadonlySet<string>): Issue | null {
  const shown = name.slice(0, NAME_CHARS_SHOWN);
  const refused = refusal(name);
  if (refused !== null) return ruleIssue('header_refused', { name: shown, reason: refused });
  return seen.has(name.toLowerCase()) ? ruleIssue('header_twice', { name: shown }) : null;
}

function refusal(name: string): string | null {
  if (!NAME.test(name)) return 'is not a header name';
  const lower = name.toLowerCase();
  return REFUSED.get(lower) ?? REFUSED_PREFIXES.find(([prefix]) => lower.startsWith(prefix))?.[1] ?? null;
}

function replyHeaderValueFault(name: string, value: string): Issue | null {
  const parts = templateParts(value);
  const literal = parts.filter((part) => typeof part === 'string').join('');
  const [bad] = NOT_IN_A_VALUE.exec(literal) ?? [];
  if (bad !== undefined) return ruleIssue('header_chars', { placeholder: '{{…}}', found: charTold(bad) });
  if (literal.length > REPLY_HEADER_VALUE_CHARS_MAX) return VALUE_CHARS_EXPECTED;
  if (name.toLowerCase() !== 'content-type' || value === '') return null;
  if (hasTwoTypes(parts.map((part) => (typeof part === 'string' ? part : FILLED)).join(''))) return ONE_TYPE_EXPECTED;
  return literal === value && !MEDIA_TYPE.test(value) ? TYPE_EXPECTED : null;
}

const VALUE_CHARS_EXPECTED = ruleIssue('length_max', { max: REPLY_HEADER_VALUE_CHARS_MAX });
const ONE_TYPE_EXPECTED = ruleIssue('media_type');
const TYPE_EXPECTED = ruleIssue('media_type_form');

/** Placeholder for a template, whose value is checked when it is filled in. */
const FILLED = 'x';
/** Without an end, the match extends to the end of the text. It never fails, so no part of the text is read twice. */
const QUOTED = /"(?:[^"\\]|\\.?)*(?:"|$)/g;

/** Browsers split at commas outside of quoted strings, and use the last type (WHATWG Fetch, extract a MIME type). */
function hasTwoTypes(text: string): boolean {
  return text.replaceAll(QUOTED, '').includes(',');
}

const TOKEN = /[\w!#$%&'*+.^`|~-]+/.source;
const QUOTED_STRING = /"(?:[^"\\]|\\.)*"/.source;
/**
 * RFC 9110, 8.3.1. Spaces belong to the part after them: a pattern that could split a run of spaces would backtrack.
 */
const MEDIA_TYPE = new RegExp(`^ *${TOKEN}/${TOKEN}(?: *;(?: *${TOKEN}=(?:${TOKEN}|${QUOTED_STRING}))?)* *$`);

function charTold(char: string): string {
  const code = `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  return /[\p{C}\p{Z}]/u.test(char) ? code : `"${char}" (${code})`;
}

function because(reason: string, names: readonly string[]): [name: string, reason: string][] {
  return names.map((name) => [name, reason]);
}
