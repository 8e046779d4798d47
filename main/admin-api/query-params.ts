import type { CheckFinding, PipelineDefinition } from '#common/model/pipeline.ts';
import type { ResourceStore } from '../contracts.ts';
import { newest } from './drafts.ts';

/** The limit of names per node. */
const NAMED_OF_A_NODE_MAX = 3;

/** Values of `named-query` nodes that do not fit the parameters of their query: such a node always fails. */
export function queryParamFindings(
  store: Pick<ResourceStore, 'list' | 'drafts'>,
  project: string,
  { nodes }: Pick<PipelineDefinition, 'nodes'>,
): CheckFinding[] {
  const asking = nodes.filter(({ kind, off }) => kind === 'named-query' && off !== true);
  if (asking.length === 0) return [];
  const queries = new Map(newest(store, 'queries', project).map((query) => [query.id, query]));
  return asking.flatMap(({ id, settings }) => {
    const query = queries.get(String(settings['query']));
    if (query === undefined) return [];
    const given = namesOf(settings['params']);
    const declared = new Set(query.params.map(({ name }) => name));
    const missing = query.params.filter(({ name, optional }) => !optional && !given.includes(name));
    const at = { node: id, field: 'settings.params' };
    return [
      ...missing.map(({ name }) => ({
        ...at,
        code: 'param_missing',
        message: `the parameter "${name}" has no value; the query "${query.id}" expects one`,
      })),
      ...given
        .filter((name) => !declared.has(name))
        .map((name) => ({
          ...at,
          code: 'param_unknown',
          message: `there is a value for "${name}", but the query "${query.id}" has no such parameter`,
        })),
    ].slice(0, NAMED_OF_A_NODE_MAX);
  });
}

function namesOf(params: unknown): string[] {
  return typeof params === 'object' && params !== null && !Array.isArray(params) ? Object.keys(params) : [];
}
