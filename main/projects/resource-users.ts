import type { PipelineDefinition, PipelineNode } from '#common/model/pipeline.ts';
import type { NamedQuery } from '#common/model/named-query.ts';
import type { TagDefinition } from '#common/model/tag.ts';
import type { ResourceFamily } from '../contracts.ts';

/** All that may name a resource of a project. */
export interface ProjectParts {
  /** Pipelines in the revision that is wanted running. */
  running: readonly PipelineDefinition[];
  queries: readonly NamedQuery[];
  tags: readonly TagDefinition[];
}

/** Who uses what of a family: by id, plain words such as `query "orders"`. */
export type Users = ReadonlyMap<string, readonly string[]>;

/**
 * Settings of node kinds that name a resource by its id. Scripts name resources in their code and patterns name tags by
 * their form: neither counts.
 */
const NAMED: Readonly<
  Record<string, (settings: PipelineNode['settings']) => Partial<Record<ResourceFamily, unknown>>>
> = {
  'named-query': ({ query }) => ({ queries: query }),
  sql: ({ connection }) => ({ connections: connection }),
  transaction: ({ connection }) => ({ connections: connection }),
  'stored-procedure': ({ connection }) => ({ connections: connection }),
  script: ({ script }) => ({ scripts: script }),
  'tag-read': ({ tags }) => ({ tags }),
  'tag-change': ({ tags }) => ({ tags }),
  'history-read': ({ tags }) => ({ tags }),
  'tag-write': ({ writes }) => ({ tags: Array.isArray(writes) ? writes.map(tagOf) : [] }),
};

export function usersOf(family: ResourceFamily, { running, queries, tags }: ProjectParts): Users {
  const users = new Map<string, string[]>();
  const add = (id: string, user: string): void => void users.set(id, [...(users.get(id) ?? []), user]);
  if (family === 'connections') {
    for (const query of queries) add(query.connection, `query "${query.id}"`);
    for (const { path, source } of tags) if ('connection' in source) add(source.connection, `tag "${path}"`);
  }
  for (const { id: pipeline, nodes } of running) {
    for (const node of nodes) {
      const named = Object.hasOwn(NAMED, node.kind) ? NAMED[node.kind]?.(node.settings)[family] : undefined;
      for (const id of new Set(texts(named))) add(id, `node "${node.id}" of the running pipeline "${pipeline}"`);
    }
  }
  return users;
}

function tagOf(write: unknown): unknown {
  return typeof write === 'object' && write !== null && 'tag' in write ? write.tag : undefined;
}

/** One text, a comma-separated one, or a list: settings are not checked by their kind before a start. */
function texts(value: unknown): string[] {
  if (typeof value === 'string') return value.split(',').map((part) => part.trim());
  if (!Array.isArray(value)) return [];
  return value.filter((part: unknown): part is string => typeof part === 'string');
}
