import { canvasGroups, GROUPS_MAX, type CanvasGroup } from '#common/model/canvas-notes.ts';
import { NODES_MAX, pipelineNode, pipelineWire, WIRES_MAX } from '#common/model/pipeline.ts';
import { z } from 'zod';
import { withSecrets } from './secrets.ts';
import { freeId, snapped, type Draft, type DraftNode, type Point } from './draft.ts';
import { groupsOf } from './notes.ts';

/**
 * The clipboard format of _Copy_: readable JSON, so that nodes can be copied between pipelines and PCs. Secrets are not
 * copied: they are not in the draft, and unsaved ones are omitted. A group is copied if all of its nodes are.
 */
const clip = z.object({
  sluice: z.literal('nodes'),
  nodes: z.array(pipelineNode).min(1).max(NODES_MAX).refine(haveOwnIds),
  wires: z.array(pipelineWire).max(WIRES_MAX),
  groups: canvasGroups.default([]),
});
type Clip = Omit<z.infer<typeof clip>, 'sluice'>;
const TEXT_CHARS_MAX = 1024 * 1024;

export function copyText(draft: Draft, ids: ReadonlySet<string>): string {
  const nodes = draft.nodes.filter((node) => ids.has(node.id)).map(withoutSecrets);
  const wires = draft.wires.filter((wire) => ids.has(wire.from) && ids.has(wire.to));
  const groups = groupsOf(draft).filter((group) => group.nodes.every((id) => ids.has(id)));
  return JSON.stringify({ sluice: 'nodes', nodes, wires, groups }, null, 2);
}

/** By their IDs; pasted nodes get new ones, and so do their wires. */
function haveOwnIds(nodes: readonly DraftNode[]): boolean {
  return new Set(nodes.map(({ id }) => id)).size === nodes.length;
}

/** Null: the text does not contain nodes of Sluice. */
export function readClip(text: string): Clip | null {
  if (text.length > TEXT_CHARS_MAX) return null;
  try {
    const parsed = clip.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
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
  { nodes, wires, groups }: Clip,
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
  const pasted = { ...draft, nodes: [...draft.nodes, ...added], wires: [...draft.wires, ...inner] };
  return { draft: withGroups(pasted, groups, ids), ids: new Set(ids.values()) };
}

/** `ids`: the new ID of each pasted node. Groups above the limit are omitted. */
function withGroups(draft: Draft, groups: readonly CanvasGroup[], ids: ReadonlyMap<string, string>): Draft {
  const all = [...groupsOf(draft)];
  for (const { id, title, nodes } of groups) {
    const inside = nodes.flatMap((node) => ids.get(node) ?? []);
    if (inside.length === 0 || all.length >= GROUPS_MAX) continue;
    all.push({ id: freeId(id, new Set(all.map((group) => group.id))), title, nodes: inside });
  }
  return groups.length === 0 ? draft : { ...draft, groups: all };
}

function offset(nodes: readonly DraftNode[], at: Point): Point {
  const left = Math.min(...nodes.map((node) => node.position.x));
  const top = Math.min(...nodes.map((node) => node.position.y));
  return { x: at.x - left, y: at.y - top };
}

function withoutSecrets(node: DraftNode): DraftNode {
  return { ...node, settings: withSecrets(node.settings, () => null) };
}
