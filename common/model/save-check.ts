import type { FieldError } from '../errors/catalogue.ts';
import { egressSettings } from './egress-settings.ts';
import { fieldErrors } from './fields.ts';
import type { PipelineDefinition, PipelineNode } from './pipeline.ts';
import { routeSettings } from './route-settings.ts';

/**
 * What is refused when a pipeline is saved (behaviour 1 Matching and Source address, 3 Messages and replies), beyond
 * the form of the definition itself. Everything else waits for `check` and start, so that a half-made draft can be
 * kept: unknown kinds, wires to nowhere and route clashes save.
 */

export const REPLY_HEADERS_MAX = 64;

const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$/;
const HEADER_VALUE = /^[\t\u0020-\u007e\u0080-\uffff]*$/;

/** Names that frame a reply, belong to one hop, or are written by the gateway itself. Lower-case. */
const REFUSED_REPLY_HEADERS: Readonly<Record<string, string>> = {
  ...reasons('sets cookies, and cookies ignore ports: a route could replace the session of the admin UI', [
    'set-cookie',
    'set-cookie2',
  ]),
  ...reasons('acts on the whole host, the admin UI included', [
    'clear-site-data',
    'strict-transport-security',
    'alt-svc',
  ]),
  ...reasons('frames the reply', ['content-length', 'content-encoding', 'transfer-encoding', 'trailer']),
  ...reasons('belongs to one hop', [
    'connection',
    'keep-alive',
    'proxy-authenticate',
    'proxy-authorization',
    'proxy-connection',
    'te',
    'upgrade',
  ]),
  ...reasons('is written by the gateway', [
    'content-security-policy',
    'date',
    'ratelimit',
    'ratelimit-policy',
    'retry-after',
    'vary',
    'x-content-type-options',
    'x-request-id',
  ]),
};

const REFUSED_PREFIXES: readonly (readonly [prefix: string, reason: string])[] = [
  ['access-control-', 'is CORS, which the route decides'],
  ['ratelimit-', 'is written by the gateway'],
];

/** Why an HTTP Response node may not send this header; null when it may. Any case. */
export function refusedReplyHeader(name: string): string | null {
  const lower = name.toLowerCase();
  if (!HEADER_NAME.test(name)) return 'is not a header name';
  if (Object.hasOwn(REFUSED_REPLY_HEADERS, lower)) return REFUSED_REPLY_HEADERS[lower] ?? null;
  return REFUSED_PREFIXES.find(([prefix]) => lower.startsWith(prefix))?.[1] ?? null;
}

/** The findings that refuse a save, with paths such as `nodes.0.settings.urlPattern`; empty = may be saved. */
export function saveErrors(definition: PipelineDefinition): FieldError[] {
  return definition.nodes.flatMap((node, index) => nodeErrors(node, `nodes.${index}.settings`));
}

function nodeErrors(node: PipelineNode, path: string): FieldError[] {
  if (node.kind === 'http-response') return replyHeaderErrors(node.settings['headers'], `${path}.headers`);
  if (node.kind !== 'rest-api') return [];
  const result = (node.settings['mode'] === 'egress' ? egressSettings : routeSettings).safeParse(node.settings);
  return result.success ? [] : fieldErrors(result.error, path);
}

function replyHeaderErrors(headers: unknown, path: string): FieldError[] {
  if (headers === undefined) return [];
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers)) {
    return [{ path, message: 'expected an object of header names and texts' }];
  }
  const entries = Object.entries(headers);
  if (entries.length > REPLY_HEADERS_MAX) return [{ path, message: `expected at most ${REPLY_HEADERS_MAX} headers` }];
  const seen = new Set<string>();
  return entries.flatMap(([name, value]): FieldError[] => {
    const message = replyHeaderFault(name, value, seen);
    return message === null ? [] : [{ path: `${path}.${name.slice(0, 60)}`, message }];
  });
}

function replyHeaderFault(name: string, value: unknown, seen: Set<string>): string | null {
  const refused = refusedReplyHeader(name);
  if (refused !== null) return `the header "${name.slice(0, 60)}" ${refused}; expected another name`;
  if (seen.has(name.toLowerCase())) return `the header "${name}" is given twice; expected each name once`;
  seen.add(name.toLowerCase());
  if (typeof value !== 'string') return 'expected a text';
  return HEADER_VALUE.test(value) ? null : 'expected a text without line breaks and control characters';
}

function reasons(reason: string, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, reason]));
}
