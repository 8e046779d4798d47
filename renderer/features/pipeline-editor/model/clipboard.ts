import { NODES_MAX, pipelineNode, pipelineWire, WIRES_MAX } from '#common/model/pipeline.ts';
import { z } from 'zod';
import { withSecrets } from './secrets.ts';
import { freeId, snapped, type Draft, type DraftNode, type DraftWire, type Point } from './draft.ts';

/**
 * The clipboard format of _Copy_: readable JSON, so that nodes can be copied between pipelines and PCs. Secrets are not
 * copied: they are not in the draft, and unsaved ones are omitted.
 */
const clip = z.object({
  sluice: z.literal('nodes'),
  nodes: z.array(pipelineNode).min(1).max(NODES_MAX).refine(haveOwnIds),
  wires: z.array(pipelineWire).max(WIRES_MAX),
});
const TEXT_CHARS_MAX = 1024 * 1024;

export function copyText(draft: Draft, ids: ReadonlySet<string>): string {
  const nodes = draft.nodes.filter((node) => ids.has(node.id)).map(withoutSecrets);
  const wires = draft.wires.filter((wire) => ids.has(wire.from) && ids.has(wire.to));
  return JSON.stringify({ sluice: 'nodes', nodes, wires }, null, 2);
}

/** By their IDs; pasted nodes get new ones, and so do their wires. */
function haveOwnIds(nodes: readonly DraftNode[]): boolean {
  return new Set(nodes.map(({ id }) => id)).size === nodes.length;
}

/** Null: the text does not contain nodes of Sluice. */
export function readClip(text: string): { nodes: DraftNode[]; wires: DraftWire[] } | null {
  if (text.length > TEXT_CHARS_MAX) return null;
  try {
    const parsed = clip.safeParse(JSON.parse(text));
    return parsed.success ? { nodes: parsed.data.nodes, wires: parsed.data.wires } : null;
  } catch {
    return null;
  }
}

/**
 * Adds them with new IDs, with the corner of the first node at `at`, or 40 px from their original position. Returns the
 * new IDs.
 */
export function paste(
  draft: Draft,
  { nodes, wires }: { nodes: readonly DraftNode[]; wires: readonly DraftWire[] },
  at: Point | null,
): { draft: Draft; ids: Set<string> } {
  const taken = new Set(draft.nodes.map((node) => node.id));
  const ids = new Map<string, string>();
  for (const { id } of nodes) {
    const fresh = freeId(id, taken);
    ids.set(id, fresh);
    taken.add(fresh);
  }
  const shift = at === null ? { x: 40, y: 40 } : offset(nodes, at);
  const added = nodes.map((node) => ({
    ...node,
    id: ids.get(node.id) ?? node.id,
    position: snapped({ x: node.position.x + shift.x, y: node.position.y + shift.y }),
  }));
  const inner = wires.flatMap((wire) => {
    const from = ids.get(wire.from);
    const to = ids.get(wire.to);
    return from === undefined || to === undefined ? [] : [{ ...wire, from, to }];
  });
  return {
    draft: { ...draft, nodes: [...draft.nodes, ...added], wires: [...draft.wires, ...inner] },
    ids: new Set(ids.values()),
  };
}

function offset(nodes: readonly DraftNode[], at: Point): Point {
  const left = Math.min(...nodes.map((node) => node.position.x));
  const top = Math.min(...nodes.map((node) => node.position.y));
  return { x: at.x - left, y: at.y - top };
}

function withoutSecrets(node: DraftNode): DraftNode {
  return { ...node, settings: withSecrets(node.settings, () => null) };
}
