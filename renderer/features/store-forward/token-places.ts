import type { PipelineRecord } from '#common/model/records.ts';
import type { PipelineDefinition } from '#common/model/pipeline.ts';
import { callersOf, callsTarget } from './target-view.ts';

/** A header of a node whose value is stored in the vault, in a pipeline whose newest revision runs. */
export interface TokenPlace {
  pipeline: PipelineRecord;
  node: string;
  header: string;
}

/**
 * Where the token of a target is stored. `blocked`: pipelines that call the target too, and whose draft is not what
 * runs: a new revision would start changes that nobody asked for.
 */
export function tokenPlaces(
  target: string,
  pipelines: readonly PipelineRecord[],
): { places: TokenPlace[]; blocked: PipelineRecord[] } {
  const callers = callersOf(target, pipelines);
  const running = callers.filter(({ revision, runningRevision }) => revision === runningRevision);
  const places = running.flatMap((pipeline) =>
    pipeline.nodes
      .filter((node) => callsTarget(node, target))
      .flatMap(({ id, settings }) => headersOf(settings).map((header) => ({ pipeline, node: id, header }))),
  );
  return { places, blocked: callers.filter((one) => !running.includes(one)) };
}

const headersOf = (settings: Readonly<Record<string, unknown>>): string[] => {
  const headers = settings['staticHeaders'];
  return typeof headers === 'object' && headers !== null ? Object.keys(headers) : [];
};

/** The names of the headers, the likely one first. */
export function headerNames(places: readonly TokenPlace[]): string[] {
  const names = [...new Set(places.map(({ header }) => header))];
  const rank = (name: string) => (/^authorization$/i.test(name) ? 0 : /token|key|secret/i.test(name) ? 1 : 2);
  return names.toSorted((a, b) => rank(a) - rank(b));
}

/** The definition with a new value of the header in these nodes; everything else stays. */
export function withToken(
  definition: PipelineDefinition,
  nodes: readonly string[],
  header: string,
  value: string,
): PipelineDefinition {
  return {
    ...definition,
    nodes: definition.nodes.map((node) => {
      if (!nodes.includes(node.id)) return node;
      const headers = node.settings['staticHeaders'];
      const before = typeof headers === 'object' && headers !== null ? headers : {};
      return { ...node, settings: { ...node.settings, staticHeaders: { ...before, [header]: value } } };
    }),
  };
}
