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

/** HTTP compares the names of headers without case. */
export const isSameHeader = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

/** The names of the headers, each in the spelling found first; the likely one first. */
export function headerNames(places: readonly TokenPlace[]): string[] {
  const all = places.map(({ header }) => header);
  const names = all.filter((name, at) => all.findIndex((one) => isSameHeader(one, name)) === at);
  const rank = (name: string) => (/^authorization$/i.test(name) ? 0 : /token|key|secret/i.test(name) ? 1 : 2);
  return names.toSorted((a, b) => rank(a) - rank(b));
}

/** The definition with a new value of the header in these nodes, in the spelling of each; everything else stays. */
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
      const changed = headersOf(node.settings).filter((name) => isSameHeader(name, header));
      if (changed.length === 0) return node;
      const staticHeaders = Object.assign({}, node.settings['staticHeaders'], valuesOf(changed, value));
      return { ...node, settings: { ...node.settings, staticHeaders } };
    }),
  };
}

const valuesOf = (names: readonly string[], value: string) => Object.fromEntries(names.map((name) => [name, value]));
