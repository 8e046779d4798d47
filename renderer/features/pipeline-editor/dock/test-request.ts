import { sampleOf } from '#common/model/json-sample.ts';
import { bodySchemaOf, queryNamesOf } from '#common/model/route-contract.ts';
import { routesOf } from '#ui/routes-of.ts';
import type { Draft, DraftNode } from '../model/draft.ts';
import { portsOf, type Kinds } from '../model/ports.ts';
import { isEgress } from './problems.ts';

/** A possible entry of a test: a route, or a trigger. */
export interface Entry {
  node: string;
  name: string;
  /** Null: a trigger, for which the whole payload is given. */
  route: EntryRoute | null;
}
interface EntryRoute {
  method: string;
  pattern: string;
  isPublic: boolean;
  /** Null: its runs have the grants of the pipeline, whatever the caller. */
  scopes: readonly string[] | null;
  params: string[];
  /** Names of headers that are passed to the pipeline. */
  headers: string[];
  /** Names of the query parameters that the pipeline reads. */
  query: string[];
}

/** As typed; every value is a text. */
export interface TestRequest {
  node: string;
  params: Record<string, string>;
  headers: Record<string, string>;
  /** As in a URL: `line=7&tag=a`. */
  query: string;
  /** JSON; empty: no body. For a trigger: the payload. */
  body: string;
}

export type Message = { node: string; payload: Record<string, unknown> };
export type ReadMessage = { ok: true; message: Message } | { ok: false; fault: 'json' | 'object'; reason: string };

const PARAMETER = /:([A-Za-z_][A-Za-z0-9_]*)/g;

export function entriesOf(draft: Draft, kinds: Kinds): Entry[] {
  return draft.nodes.flatMap((node): Entry[] => {
    if (node.off === true) return [];
    const name = node.name ?? node.id;
    const route = routesOf({ ...draft, nodes: [node] })[0];
    if (route !== undefined) {
      const { method, pattern, isPublic } = route;
      const scopes = isPublic || draft.runAs === 'pipeline' ? null : route.scopes;
      const params = [...pattern.matchAll(PARAMETER)].map(([, param = '']) => param);
      const reading = { headers: headersOf(node), query: queryNamesOf(draft, node.id) };
      return [{ node: node.id, name, route: { method, pattern, isPublic, scopes, params, ...reading } }];
    }
    const isTrigger = !isEgress(node) && kinds.has(node.kind) && !portsOf(node, kinds).input;
    return isTrigger ? [{ node: node.id, name, route: null }] : [];
  });
}

function headersOf({ settings }: DraftNode): string[] {
  const list = settings['headerWhitelist'];
  const names = typeof list === 'string' ? list.split(',') : Array.isArray(list) ? list.map(String) : [];
  return names.map((name) => name.trim().toLowerCase()).filter((name) => name !== '');
}

/** A request that can be sent unchanged: its body fits the schema of the validate nodes on the path. */
export function sampleRequest(draft: Draft, entry: Entry): TestRequest {
  const { node, route } = entry;
  if (route === null) return { node, params: {}, headers: {}, query: '', body: '{}' };
  const schema = bodySchemaOf(draft, node);
  const takesBody = route.method !== 'GET' && route.method !== 'DELETE';
  const body = schema === null ? (takesBody ? '{}' : '') : JSON.stringify(sampleOf(schema), null, 2);
  return { node, params: same(route.params, '1'), headers: same(route.headers, ''), query: '', body };
}

const same = (names: readonly string[], value: string) => Object.fromEntries(names.map((name) => [name, value]));

/** In the form of `POST …/test`. */
export function readRequest({ node, params, headers, query, body }: TestRequest, entry: Entry): ReadMessage {
  const read = readJson(body);
  if (!read.ok) return { ok: false, fault: 'json', reason: read.reason };
  if (entry.route === null) {
    if (!isObject(read.value)) return { ok: false, fault: 'object', reason: '' };
    return { ok: true, message: { node, payload: read.value } };
  }
  const given = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ''));
  return {
    ok: true,
    message: { node, payload: { body: read.value, params, query: readQuery(query), headers: given } },
  };
}

type Json = { ok: true; value: unknown } | { ok: false; reason: string };

function readJson(text: string): Json {
  if (text.trim() === '') return { ok: true, value: null };
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : String(error) };
  }
}

/** A repeated name becomes a list, as in a request. */
export function readQuery(text: string): Record<string, string | string[]> {
  const read = new URLSearchParams(text.replace(/^\?/, ''));
  const names = [...new Set(read.keys())];
  return Object.fromEntries(
    names.map((name) => {
      const values = read.getAll(name);
      return [name, values.length === 1 ? (values[0] ?? '') : values];
    }),
  );
}

/** The initial payload of a run, as a request to send again. */
export function requestOf(node: string, input: unknown): TestRequest | null {
  if (!isObject(input) || !isObject(input['payload'])) return null;
  const { payload } = input;
  const isRequest = isObject(payload['params']) && isObject(payload['query']);
  if (!isRequest) return { node, params: {}, headers: {}, query: '', body: JSON.stringify(payload, null, 2) };
  const { body = null } = payload;
  return {
    node,
    params: texts(payload['params']),
    headers: texts(payload['headers']),
    query: queryText(payload['query']),
    body: body === null ? '' : JSON.stringify(body, null, 2),
  };
}

function texts(value: unknown): Record<string, string> {
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, String(one)])) : {};
}

function queryText(value: unknown): string {
  if (!isObject(value)) return '';
  const entries = Object.entries(value).flatMap(([name, one]) =>
    (Array.isArray(one) ? one : [one]).map((each) => [name, String(each)]),
  );
  return new URLSearchParams(entries).toString();
}

/** The path with its parameters filled in, and the query. */
export function pathOf(pattern: string, { params, query }: TestRequest): string {
  const path = pattern.replace(PARAMETER, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const text = query.replace(/^\?/, '');
  return text === '' ? path : `${path}?${text}`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
