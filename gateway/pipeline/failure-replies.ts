import { stated } from '#common/errors/rules.ts';
import type { CheckFinding } from '#common/model/pipeline.ts';
import { ERROR_PORT } from './graph.ts';
import { reachable } from './reach.ts';
import type { ReadNode, ReadPipeline } from './read.ts';

/**
 * Failures that look like successes to callers: a port `invalid` or `error` of a node after a route leads to an HTTP
 * Response with a fixed 2xx. Beyond a node that uses a resource or calls another server, a failure may have been
 * handled (the value comes from another source, the message is stored), so a path from `error` is followed up to there.
 */
type Nodes = ReadPipeline['nodes'];

const FAILURE_PORTS: readonly string[] = ['invalid', ERROR_PORT];
const REPLY = 'http-response';

export function failureReplies(routes: readonly ReadNode[], nodes: Nodes): CheckFinding[] {
  const starts = routes.map(({ id }) => id);
  return reachable(starts, nodes).flatMap((node) =>
    FAILURE_PORTS.flatMap((port) => findingOf(node, port, nodes) ?? []),
  );
}

function findingOf(node: ReadNode, port: string, nodes: Nodes): CheckFinding | null {
  const reply = successBehind(node.outs.get(port) ?? [], port, nodes);
  if (reply === null) return null;
  const params = { port, node: node.id, reply: reply.id, status: String(reply.status) };
  return { code: 'failure_as_success', node: node.id, ...stated('failure_as_success', params) };
}

function successBehind(targets: readonly string[], port: string, nodes: Nodes): { id: string; status: number } | null {
  const seen = new Set(targets);
  // A set iterates over elements that are added during the iteration.
  for (const id of seen) {
    const node = nodes.get(id);
    if (node === undefined) continue;
    const status = fixedStatus(node);
    if (status !== null && status >= 200 && status <= 299) return { id, status };
    if (port === ERROR_PORT && mayRecover(node)) continue;
    for (const next of node.outs.values()) for (const target of next) seen.add(target);
  }
  return null;
}

function mayRecover({ kind, scopes, route }: ReadNode): boolean {
  return scopes.length > 0 || (kind.id === 'rest-api' && route === null);
}

function fixedStatus({ kind, settings }: ReadNode): number | null {
  if (kind.id !== REPLY || typeof settings !== 'object' || settings === null || !('status' in settings)) return null;
  return typeof settings.status === 'number' ? settings.status : null;
}
