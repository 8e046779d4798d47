import type { NamedQuery } from '#common/model/named-query.ts';
import type { PipelineRecord } from '#common/model/records.ts';
import type { TagDefinition } from '#common/model/tag.ts';

/** A reference to a connection. `blocks`: the connection cannot be deleted while it exists. */
export interface ConnectionUser {
  kind: 'query' | 'tag' | 'pipeline';
  id: string;
  name: string;
  href: string;
  blocks: boolean;
}

/** Kinds of nodes whose settings name a connection. */
const NODE_KINDS = new Set(['sql', 'transaction', 'stored-procedure']);

export interface ProjectParts {
  project: string;
  pipelines: readonly PipelineRecord[];
  queries: readonly NamedQuery[];
  tags: readonly TagDefinition[];
}

export function usersOf(id: string, { project, pipelines, queries, tags }: ProjectParts): ConnectionUser[] {
  const names = ({ nodes }: PipelineRecord) =>
    nodes.some(({ kind, settings }) => NODE_KINDS.has(kind) && settings['connection'] === id);
  return [
    ...pipelines
      .filter((pipeline) => pipeline.project === project && names(pipeline))
      .map((pipeline) => ({
        kind: 'pipeline' as const,
        id: pipeline.id,
        name: pipeline.name || pipeline.id,
        href: `/pipelines/${project}/${pipeline.id}`,
        blocks: pipeline.state !== 'stopped',
      })),
    ...queries
      .filter(({ connection }) => connection === id)
      .map((query) => ({ kind: 'query' as const, id: query.id, name: query.id, href: '/data/queries', blocks: true })),
    ...tags
      .filter(({ source }) => 'connection' in source && source.connection === id)
      .map(({ path }) => ({ kind: 'tag' as const, id: path, name: path, href: '/data/tags', blocks: true })),
  ];
}
