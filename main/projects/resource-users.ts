import type { PipelineDefinition, PipelineNode } from '#common/model/pipeline.ts';
import type { NamedQuery } from '#common/model/named-query.ts';
import type { TagDefinition } from '#common/model/tag.ts';
import type { ResourceFamily } from '../contracts.ts';

/** Everything that can refer to a resource of a project. */
export interface ProjectParts {
  /** Pipelines in the revision that should run. */
  running: readonly PipelineDefinition[];
  queries: readonly NamedQuery[];
  tags: readonly TagDefinition[];
}

/** The users of each resource of a type: by ID, in plain text such as `query "orders"`. */
export type Users = ReadonlyMap<string, readonly string[]>;

/**
 * Settings of node kinds that name a resource by its ID. Scripts name resources in their code and patterns match tags
 * by their form: neither counts.
 */
const NAMED: Readonly<Record<string, { readonly family: ResourceFamily; readonly setting: string }>> = {
  'named-query': { family: 'queries', setting: 'query' },
  sql: { family: 'connections', setting: 'connection' },
  transaction: { family: 'connections', setting: 'connection' },
  'stored-procedure': { family: 'connections', setting: 'connection' },
  script: { family: 'scripts', setting: 'script' },
  'tag-read': { family: 'tags', setting: 'tags' },
  'tag-change': { family: 'tags', setting: 'tags' },
  'history-read': { family: 'tags', setting: 'tags' },
  'tag-write': { family: 'tags', setting: 'writes' },
};

interface Named {
  readonly family: ResourceFamily;
  readonly setting: string;
  /** Without duplicates, including patterns and templates. */
  readonly ids: readonly string[];
}

/** The resources in the settings of a node; null if its kind refers to none. */
export function namedBy({ kind, settings }: Pick<PipelineNode, 'kind' | 'settings'>): Named | null {
  const named = Object.hasOwn(NAMED, kind) ? NAMED[kind] : undefined;
  if (named === undefined) return null;
  return { ...named, ids: [...new Set(texts(settings[named.setting]))] };
}

export function usersOf(family: ResourceFamily, { running, queries, tags }: ProjectParts): Users {
  const users = new Map<string, string[]>();
  const add = (id: string, user: string): void => void users.set(id, [...(users.get(id) ?? []), user]);
  if (family === 'connections') {
    for (const query of queries) add(query.connection, `query "${query.id}"`);
    for (const { path, source } of tags) if ('connection' in source) add(source.connection, `tag "${path}"`);
  }
  for (const { id: pipeline, nodes } of running) {
    for (const node of nodes) {
      const named = namedBy(node);
      if (named?.family !== family) continue;
      for (const id of named.ids) add(id, `node "${node.id}" of the running pipeline "${pipeline}"`);
    }
  }
  return users;
}

/**
 * A text, a comma-separated one, or a list, also for tags that are written: the kind checks its settings only at a
 * start.
 */
function texts(value: unknown): string[] {
  if (typeof value === 'string') return value.split(',').map((part) => part.trim());
  if (!Array.isArray(value)) return [];
  return value.map(tagOf).filter((part) => typeof part === 'string');
}

function tagOf(entry: unknown): unknown {
  return typeof entry === 'object' && entry !== null && 'tag' in entry ? entry.tag : entry;
}
