import { readEgressUrl } from '#common/model/egress-settings.ts';
import type { CheckFinding, PipelineDefinition } from '#common/model/pipeline.ts';
import { stated } from '#common/errors/rules.ts';
import { NodeError } from '#sdk';
import { TargetGuard } from '../net/target-guard.ts';

/**
 * Calls to an address that the gateway never connects to (docs/spec/egress.md#addresses), so that such a node always
 * fails. Names are not resolved, except `localhost`. `allowed`: the setting Allowed internal targets.
 */
export function blockedTargets({ nodes }: PipelineDefinition, allowed: readonly string[]): CheckFinding[] {
  const guard = new TargetGuard(allowed);
  return nodes.flatMap(({ id, kind, off, settings }) => {
    if (kind !== 'rest-api' || settings['mode'] !== 'egress' || off === true) return [];
    const url = readEgressUrl(String(settings['url']));
    if (url === null || !isBlocked(guard, allowed, url)) return [];
    const sentence = stated('target_blocked', { target: `${url.host}:${url.port}` });
    return [{ code: 'target_blocked', node: id, field: 'settings.url', ...sentence }];
  });
}

function isBlocked(guard: TargetGuard, allowed: readonly string[], { host, port }: { host: string; port: number }) {
  if (host === 'localhost') {
    const listed = new Set(allowed.map((entry) => entry.toLowerCase()));
    return !['localhost', '127.0.0.1', '[::1]'].some((name) => listed.has(`${name}:${port}`));
  }
  try {
    guard.refuseLiteral(host, port);
    return false;
  } catch (error) {
    if (error instanceof NodeError) return true;
    throw error;
  }
}
