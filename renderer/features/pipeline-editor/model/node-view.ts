import type { CheckFinding, CheckResult } from '#common/model/pipeline.ts';
import { differenceOf } from './difference.ts';
import { nodeOf, type Draft, type DraftNode } from './draft.ts';
import { placedNodes, type Placed } from './geometry.ts';
import { portsOf, type Kinds } from './ports.ts';

/** The content of a card. Equal contents are the same object, so that only changed cards are rendered again. */
export interface NodeView {
  node: DraftNode;
  /** The title of the kind; null: its plugin is missing. */
  title: string | null;
  category: string;
  /** The name of its mode, if the kind has modes. */
  mode: string | null;
  placed: Placed;
  change: 'new' | 'edited' | 'deleted' | null;
  worst: 'error' | 'warning' | null;
  problems: number;
  /** Position of the node in the flow, starting with 1; `of`: number of nodes. */
  rank: number;
  of: number;
}

export interface NodeViewInput {
  draft: Draft;
  kinds: Kinds;
  /** Null: nothing is running, or the running revision is displayed. */
  running: Draft | null;
  check: CheckResult | null;
  order: readonly string[];
}

export function nodeViews(input: NodeViewInput): NodeView[] {
  const { draft, kinds, running, check, order } = input;
  const changes = changesSince(running, draft);
  const ranks = new Map(order.map((id, index) => [id, index + 1]));
  const boxes = new Map(placedNodes(draft, kinds, null).map((box) => [box.id, box]));
  const findings = findingsByNode(check);
  const views = order.flatMap((id) => {
    const node = nodeOf(draft, id);
    const placed = boxes.get(id);
    if (node === undefined || placed === undefined) return [];
    const { errors = 0, warnings = 0 } = findings.get(id) ?? {};
    return [
      {
        node,
        ...kindWords(node, kinds),
        placed,
        change: changes.get(id) ?? null,
        worst: errors > 0 ? 'error' : warnings > 0 ? 'warning' : null,
        problems: errors + warnings,
        rank: ranks.get(id) ?? 0,
        of: draft.nodes.length,
      } satisfies NodeView,
    ];
  });
  return [...views, ...deletedViews(input)];
}

/** Running nodes that are no longer in the draft. */
function deletedViews({ draft, kinds, running }: NodeViewInput): NodeView[] {
  if (running === null) return [];
  const gone = { ...running, nodes: running.nodes.filter((node) => nodeOf(draft, node.id) === undefined) };
  const boxes = placedNodes(gone, kinds, null);
  return gone.nodes.flatMap((node, index) => {
    const placed = boxes[index];
    if (placed === undefined) return [];
    const state = { change: 'deleted', worst: null, problems: 0, rank: 0, of: 0 } as const;
    return [{ node, ...kindWords(node, kinds), placed, ...state }];
  });
}

function kindWords(node: DraftNode, kinds: Kinds): Pick<NodeView, 'title' | 'category' | 'mode'> {
  const kind = kinds.get(node.kind);
  if (kind === undefined) return { title: null, category: 'other', mode: null };
  const mode = kind.modes === undefined ? null : modeWord(node, Object.keys(kind.modes));
  const calls = kind.category === 'http' && mode !== null && portsOf(node, kinds).input;
  return { title: kind.title, category: calls ? 'calls' : kind.category, mode };
}

function modeWord({ settings }: DraftNode, modes: readonly string[]): string | null {
  const { mode } = settings;
  return typeof mode === 'string' && modes.includes(mode) ? mode : (modes[0] ?? null);
}

function changesSince(running: Draft | null, draft: Draft): Map<string, 'new' | 'edited'> {
  if (running === null) return new Map();
  const { added, edited } = differenceOf(running, draft);
  return new Map([
    ...added.map((node) => [node.id, 'new'] as const),
    ...edited.map(({ node }) => [node.id, 'edited'] as const),
  ]);
}

export function findingsByNode(check: CheckResult | null): Map<string, { errors: number; warnings: number }> {
  const counts = new Map<string, { errors: number; warnings: number }>();
  const count = (list: readonly CheckFinding[], what: 'errors' | 'warnings') => {
    for (const { node } of list) {
      if (node === undefined) continue;
      const before = counts.get(node) ?? { errors: 0, warnings: 0 };
      counts.set(node, { ...before, [what]: before[what] + 1 });
    }
  };
  count(check?.errors ?? [], 'errors');
  count(check?.warnings ?? [], 'warnings');
  return counts;
}
