import { wholeSampleOf } from '#common/model/json-sample.ts';
import { parsePattern } from '#common/pattern.ts';
import type { RunRecord } from '#common/model/records.ts';
import type { KnownPath, Mapping } from '#ui/form/mapping.ts';
import { joined, pathsOf } from '#ui/form/paths-of.ts';
import { nodeOf, type Draft, type DraftNode, type DraftWire, type Settings } from './draft.ts';
import { ERROR_PORT } from './ports.ts';
import { sqlColumns } from './sql-columns.ts';

/** SQL of the project's named queries, by id. */
export type QuerySql = ReadonlyMap<string, string>;

/** The parts of a message that every run has. */
const OF_EVERY = [
  'payload',
  'request.id',
  'request.method',
  'request.path',
  'request.route',
  'request.ip',
  'request.receivedAt',
  'caller.keyId',
  'caller.name',
  'caller.scopes',
].map((path): KnownPath => ({ path }));

/**
 * The message that a node receives: paths in the newest run, those that the previous nodes declare, and those of every
 * message.
 */
export function mappingOf(draft: Draft, id: string, runs: readonly RunRecord[], queries: QuerySql): Mapping {
  const message = lastMessage(draft, id, runs);
  const seen = message === null ? [] : Object.entries(message).flatMap(([name, value]) => pathsOf(value, name));
  return { paths: joined(seen, before(draft, id, queries), OF_EVERY), message };
}

/** From the newest run through the node, else through the port of a node that leads to it. */
function lastMessage({ wires }: Draft, id: string, runs: readonly RunRecord[]): Mapping['message'] {
  const into = wires.filter(({ to }) => to === id);
  for (const { steps } of runs) {
    const step = steps.find(({ node }) => node === id);
    const left = steps.find(({ node, port }) => into.some((wire) => wire.from === node && wire.port === port));
    const message = step?.input ?? left?.output;
    if (typeof message === 'object' && message !== null && 'payload' in message) return { ...message };
  }
  return null;
}

/** The limit of searched nodes, so that a large graph costs no more. */
const NODES_MAX = 100;

function before(draft: Draft, id: string, queries: QuerySql): KnownPath[] {
  const found: KnownPath[] = [];
  const walked = new Set<string>();
  const open = draft.wires.filter(({ to }) => to === id);
  for (const wire of open) {
    const place = `${wire.from} ${wire.port}`;
    const node = nodeOf(draft, wire.from);
    if (node === undefined || walked.has(place) || walked.size >= NODES_MAX) continue;
    walked.add(place);
    found.push(...given(node, wire, queries));
    // Its result replaces the payload.
    if (node.kind !== 'transform' || node.off === true) open.push(...draft.wires.filter(({ to }) => to === wire.from));
  }
  return found;
}

/** Paths that a node adds to the messages of this port (docs/spec/nodes.md#what-a-node-changes). */
function given(node: DraftNode, { port }: DraftWire, queries: QuerySql): KnownPath[] {
  if (node.off === true) return [];
  if (port === ERROR_PORT) return named(['error.node', 'error.code', 'error.message']);
  // A kind that is not installed may have any name, such as `constructor`.
  const of = Object.hasOwn(GIVEN, node.kind) ? GIVEN[node.kind] : undefined;
  return of?.(node.settings, port, queries) ?? [];
}

type Given = (settings: Settings, port: string, queries: QuerySql) => KnownPath[];

const GIVEN: Readonly<Record<string, Given>> = {
  'rest-api': (settings, port) =>
    settings['mode'] === 'egress'
      ? named([
          'payload.status',
          'payload.body',
          ...(port === 'queued' ? ['payload.body.eventId'] : ['payload.headers']),
        ])
      : ofRoute(settings),
  validate: (settings, port) =>
    port === 'invalid'
      ? named(['payload.status', 'payload.body.error', 'payload.body.errors'])
      : ofSample(wholeSampleOf(settings['schema']), text(settings['path'], 'payload.body')),
  'named-query': (settings, _port, queries) => ofRows(settings, queries.get(text(settings['query'], '')) ?? ''),
  sql: (settings) => ofRows(settings, text(settings['sql'], '')),
  'stored-procedure': (settings) => ofRows(settings, ''),
  transaction: (settings) => named([into(settings)]),
  'tag-read': (settings) => below(into(settings), isOneTag(settings) ? TAG : TAG.map((name) => `0.${name}`)),
  'history-read': (settings) =>
    below(into(settings), ['0.tag', '0.unit', '0.points', '0.points.0.time', '0.points.0.value']),
  'variable-read': (settings) => named([into(settings)]),
  'file-read': (settings) => named([into(settings)]),
  script: (settings) => named([into(settings)]),
  timer: () => below('payload', ['time', 'scheduled', 'tick']),
  'tag-change': () => below('payload', ['tag', 'value', 'quality', 'reason', 'time', 'unit', 'previous']),
  set: ({ assign }) =>
    named((Array.isArray(assign) ? assign : []).flatMap(({ path }: { path?: unknown }) => text(path, '') || [])),
};

const TAG = ['value', 'quality', 'reason', 'time', 'unit', 'path'];

function ofRoute({ urlPattern, headerWhitelist }: Settings): KnownPath[] {
  const parsed = parsePattern(text(urlPattern, ''));
  const params = parsed.ok ? parsed.pattern.segments.flatMap((one) => ('param' in one ? [one.param] : [])) : [];
  const headers = Array.isArray(headerWhitelist) ? headerWhitelist.map((name) => String(name).toLowerCase()) : [];
  return [
    ...below('payload.params', params),
    ...named(['payload.body', 'payload.query']),
    ...below('payload.headers', headers),
  ];
}

/** The paths of a sample value, without its contents. */
function ofSample(sample: unknown, path: string): KnownPath[] {
  return named(pathsOf(sample, path).map((known) => known.path));
}

function ofRows(settings: Settings, sql: string): KnownPath[] {
  const columns = sqlColumns(sql).map((name) => `rows.0.${name}`);
  return below(into(settings), ['rows', ...columns, 'rowCount', 'truncated']);
}

function isOneTag({ tags }: Settings): boolean {
  const list = typeof tags === 'string' ? tags.split(',') : Array.isArray(tags) ? tags : [];
  return list.length === 1 && !String(list[0]).includes('*');
}

const into = (settings: Settings) => text(settings['into'], 'payload.result');
const text = (value: unknown, otherwise: string) => (typeof value === 'string' ? value : otherwise);
const named = (paths: readonly string[]): KnownPath[] => paths.map((path) => ({ path }));
const below = (path: string, names: readonly string[]) => named([path, ...names.map((name) => `${path}.${name}`)]);
