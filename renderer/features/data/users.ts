import type { PipelineNode } from '#common/model/pipeline.ts';
import type { PipelineRecord } from '#common/model/records.ts';
import { TAG_PATTERN, tagMatches } from '#common/model/tag-pattern.ts';

/** A pipeline that refers to a resource, and whether that is the running revision. */
export interface User {
  id: string;
  name: string;
  running: boolean;
}

type Pipeline = Pick<PipelineRecord, 'id' | 'name' | 'project' | 'state' | 'nodes'>;

function usersWhere(pipelines: readonly Pipeline[], project: string, names: (node: PipelineNode) => boolean): User[] {
  return pipelines
    .filter((pipeline) => pipeline.project === project && pipeline.nodes.some(names))
    .map(({ id, name, state }) => ({ id, name, running: state === 'running' }));
}

/** Nodes whose settings contain the path, or a matching pattern; scripts with the path in quotes. */
export function usersOfTag(pipelines: readonly Pipeline[], project: string, path: string): User[] {
  return usersWhere(pipelines, project, ({ settings }) => textsIn(settings).some((text) => namesTag(text, path)));
}

/** Nodes with the setting, and scripts with the ID in quotes. */
export function usersOf(pipelines: readonly Pipeline[], project: string, setting: string, id: string): User[] {
  return usersWhere(
    pipelines,
    project,
    ({ settings }) => settings[setting] === id || textsIn(settings).some((text) => quotes(text, id)),
  );
}

function namesTag(text: string, path: string): boolean {
  const names = text.split(',').map((part) => part.trim());
  return names.some((name) => TAG_PATTERN.test(name) && tagMatches(name, path)) || quotes(text, path);
}

const quotes = (text: string, name: string) => ["'", '"', '`'].some((mark) => text.includes(mark + name + mark));

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}
