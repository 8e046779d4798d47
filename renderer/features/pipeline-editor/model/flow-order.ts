import type { Draft, DraftNode, DraftWire, Point } from './draft.ts';
import { ERROR_PORT, portsOf, type Kinds } from './ports.ts';

/** Node IDs in the order in which messages reach them: from each entry along the wires, the first port first. */
export function flowOrder(draft: Draft, kinds: Kinds): string[] {
  const outgoing = wiresByNode(draft, kinds);
  const entered = new Set(draft.wires.map((wire) => wire.to));
  const seen = new Set<string>();
  const visit = (start: string) => {
    const stack = [start];
    for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
      if (seen.has(id)) continue;
      seen.add(id);
      stack.push(...(outgoing.get(id) ?? []).map((wire) => wire.to).toReversed());
    }
  };
  const known = new Set(draft.nodes.map((node) => node.id));
  const fromTop = draft.nodes.toSorted((a, b) => topFirst(a.position, b.position));
  for (const node of fromTop.filter((one) => begins(one, entered, kinds))) visit(node.id);
  // The remaining nodes are in a cycle without an entry.
  for (const node of fromTop) visit(node.id);
  return [...seen].filter((id) => known.has(id));
}

/** The outgoing wires of a node, in the order of its ports, then of their targets from top to bottom; `error` last. */
export function wiresFrom(draft: Draft, id: string, kinds: Kinds): DraftWire[] {
  return wiresByNode(draft, kinds).get(id) ?? [];
}

export function wiresTo(draft: Draft, id: string): DraftWire[] {
  return inDrawnOrder(draft).wires.filter((wire) => wire.to === id);
}

/** One port feeds its targets in the order of the wires: from top to bottom. */
export function inDrawnOrder(draft: Draft): Draft {
  const positions = new Map(draft.nodes.map((node) => [node.id, node.position]));
  const place = (wire: DraftWire) => positions.get(wire.to) ?? { x: 0, y: 0 };
  const first = new Map<string, number>();
  for (const [index, wire] of draft.wires.entries()) {
    const key = `${wire.from} ${wire.port}`;
    if (!first.has(key)) first.set(key, index);
  }
  const group = (wire: DraftWire) => first.get(`${wire.from} ${wire.port}`) ?? 0;
  const wires = draft.wires.toSorted((a, b) => group(a) - group(b) || topFirst(place(a), place(b)));
  return wires.every((wire, index) => wire === draft.wires[index]) ? draft : { ...draft, wires };
}

function wiresByNode(draft: Draft, kinds: Kinds): Map<string, DraftWire[]> {
  const nodes = new Map(draft.nodes.map((node) => [node.id, node]));
  const ports = new Map(draft.nodes.map((node) => [node.id, [...portsOf(node, kinds).outs, ERROR_PORT]]));
  const rank = (wire: DraftWire) => (ports.get(wire.from) ?? []).indexOf(wire.port);
  const place = (wire: DraftWire) => nodes.get(wire.to)?.position ?? { x: 0, y: 0 };
  const byNode = new Map<string, DraftWire[]>();
  for (const wire of draft.wires) byNode.set(wire.from, [...(byNode.get(wire.from) ?? []), wire]);
  for (const [id, wires] of byNode)
    byNode.set(
      id,
      wires.toSorted((a, b) => rank(a) - rank(b) || topFirst(place(a), place(b))),
    );
  return byNode;
}

function begins(node: DraftNode, entered: ReadonlySet<string>, kinds: Kinds): boolean {
  return !entered.has(node.id) || (kinds.has(node.kind) && !portsOf(node, kinds).input);
}

function topFirst(a: Point, b: Point): number {
  return a.y - b.y || a.x - b.x;
}
