import type { NamedQuery } from '#common/model/named-query.ts';
import { testedPart, type TestPart } from '#common/model/test-part.ts';
import { activePart } from '#common/model/active-part.ts';
import type { Draft, DraftNode } from '../model/draft.ts';
import type { Kinds } from '../model/ports.ts';
import { egressOrigin, isEgress } from './problems.ts';
import { sqlEffect } from './sql-effect.ts';

/** The effects of a test outside the pipeline, because it runs for real. */
export interface Write {
  what: 'database' | 'databaseMaybe' | 'tag' | 'variable' | 'file' | 'message' | 'call' | 'script' | 'other';
  /** The target: a connection, a tag, a host. */
  where: string;
}

/** Named queries of the project by ID; null: unknown. */
export type KnownQueries = ReadonlyMap<string, Pick<NamedQuery, 'sql' | 'connection'>> | null;

/** All writes that a message from `entry` can reach, without duplicates, in the order of the nodes. */
export function writesOf(
  draft: Draft,
  entry: string,
  kinds: Kinds,
  queries: KnownQueries,
  tested: TestPart = {},
): Write[] {
  const part = testedPart(activePart(draft), tested);
  const pins = tested.pins ?? {};
  const reached = reachedFrom(part, entry);
  const writes = part.nodes
    .filter((node) => reached.has(node.id) && pins[node.id] === undefined)
    .flatMap((node) => writeOf(node, kinds, queries) ?? []);
  return [...new Map(writes.map((write) => [`${write.what} ${write.where}`, write])).values()];
}

function reachedFrom({ wires }: Draft, entry: string): Set<string> {
  const found = new Set<string>();
  const open = [entry];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    for (const { from, to } of wires) if (from === id) open.push(to);
  }
  return found;
}

const OWN_DATABASE = 'embedded';

function writeOf(node: DraftNode, kinds: Kinds, queries: KnownQueries): Write | null {
  const text = (name: string) => (typeof node.settings[name] === 'string' ? node.settings[name] : node.id);
  switch (node.kind) {
    case 'sql':
      return sqlWrite([node.settings['sql']], databaseOf(node));
    case 'transaction':
      return sqlWrite(statementsOf(node), databaseOf(node));
    case 'stored-procedure':
      return { what: 'databaseMaybe', where: databaseOf(node) };
    case 'named-query': {
      const query = queries?.get(text('query'));
      return query === undefined
        ? { what: 'databaseMaybe', where: text('query') }
        : sqlWrite([query.sql], query.connection);
    }
    case 'tag-write':
      return { what: 'tag', where: tagsOf(node) };
    case 'variable-write':
      return { what: 'variable', where: text('name') };
    case 'file-write':
      return { what: 'file', where: text('path') };
    case 'message-out':
      return { what: 'message', where: text('channel') };
    case 'script':
      return { what: 'script', where: text('script') };
    case 'rest-api':
      return isEgress(node) ? { what: 'call', where: hostOf(node) } : null;
    default:
      return isUnknownWriter(node, kinds) ? { what: 'other', where: node.name ?? node.id } : null;
  }
}

function databaseOf({ id, settings: { connection } }: DraftNode): string {
  return connection === undefined ? OWN_DATABASE : typeof connection === 'string' ? connection : id;
}

function statementsOf({ settings: { statements } }: DraftNode): unknown[] {
  const list = Array.isArray(statements) ? statements : [];
  return list.map((one: unknown) => (typeof one === 'object' && one !== null && 'sql' in one ? one.sql : null));
}

function sqlWrite(statements: readonly unknown[], where: string): Write | null {
  const effects = statements.map((sql) => (typeof sql === 'string' ? sqlEffect(sql) : 'may-write'));
  if (effects.includes('writes')) return { what: 'database', where };
  return effects.includes('may-write') ? { what: 'databaseMaybe', where } : null;
}

function tagsOf({ id, settings: { writes } }: DraftNode): string {
  const list = Array.isArray(writes) ? writes : [];
  const tags = list.map((one: unknown) => (typeof one === 'object' && one !== null && 'tag' in one ? one.tag : null));
  const named = tags.filter((tag) => typeof tag === 'string');
  return named.length === 0 ? id : named.join(', ');
}

function hostOf(node: DraftNode): string {
  const origin = egressOrigin(node);
  return origin === null ? node.id : new URL(origin).host;
}

/** Kinds of plugins: according to their declared scopes. A missing kind could do anything. */
function isUnknownWriter({ kind }: DraftNode, kinds: Kinds): boolean {
  const manifest = kinds.get(kind);
  return (
    manifest === undefined || manifest.scopes.some((scope) => scope.endsWith(':write') || scope.endsWith(':execute'))
  );
}
