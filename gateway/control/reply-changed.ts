import type { CheckFinding, PipelineDefinition } from '#common/model/pipeline.ts';
import { routesOf } from '../routing/table.ts';

/** Kinds that determine the response to a caller. */
const REPLY_KINDS = new Set(['http-response', 'transform', 'set']);

/** Warns if a reply changes under an unchanged path (docs/spec/overview.md#versions): this would break its callers. */
export function replyChanged(running: PipelineDefinition | null, draft: PipelineDefinition): CheckFinding[] {
  if (!running || replyShape(running) === replyShape(draft)) return [];
  const before = new Set(routesOf({ definition: running }).map((route) => `${route.method} ${route.pattern.source}`));
  const kept = routesOf({ definition: draft }).find((route) => before.has(`${route.method} ${route.pattern.source}`));
  if (!kept) return [];
  const message = `What ${kept.method} ${kept.pattern.source} replies may change; if its shape does, give the path a new version.`;
  return [{ code: 'reply_changed', message }];
}

function replyShape(definition: PipelineDefinition): string {
  return JSON.stringify(
    definition.nodes
      .filter((node) => REPLY_KINDS.has(node.kind))
      .map(({ id, kind, settings }) => ({ id, kind, settings })),
  );
}
