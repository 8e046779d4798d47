import {
  freeId,
  nodeOf,
  snapped,
  wireId,
  type Draft,
  type DraftNode,
  type DraftWire,
  type Point,
  type Settings,
} from './draft.ts';
import { inDrawnOrder } from './flow-order.ts';
import { COLUMN, isFree, placedNodes } from './geometry.ts';
import { withoutGrouped } from './notes.ts';
import { ERROR_PORT, portsOf, type Kinds } from './ports.ts';
import { wireFault } from './wiring.ts';

/**
 * Every change that a user can make to a draft, as a pure function. An impossible change leaves the draft unchanged.
 */

export function addNode(draft: Draft, node: Omit<DraftNode, 'id'> & { id?: string }): { draft: Draft; id: string } {
  const id = freeId(node.id ?? node.kind, new Set(draft.nodes.map((one) => one.id)));
  const added = { ...node, id, position: snapped(node.position) };
  return { draft: { ...draft, nodes: [...draft.nodes, added] }, id };
}

export function connect(draft: Draft, wire: DraftWire, kinds: Kinds): Draft {
  if (wireFault(draft, wire, kinds) !== null) return draft;
  return inDrawnOrder({ ...draft, wires: [...draft.wires, wire] });
}

export function disconnect(draft: Draft, id: string): Draft {
  const wires = draft.wires.filter((wire) => wireId(wire) !== id);
  return wires.length === draft.wires.length ? draft : { ...draft, wires };
}

/** Moves an end of a wire; the wire is unchanged if that is not possible. */
export function reconnect(draft: Draft, id: string, wire: DraftWire, kinds: Kinds): Draft {
  const without = disconnect(draft, id);
  return wireFault(without, wire, kinds) === null ? connect(without, wire, kinds) : draft;
}

/** Inserts the node `id` into a wire: messages pass through the node and leave it by its first port. */
export function insertOnWire(draft: Draft, id: string, wire: string, kinds: Kinds): Draft {
  const cut = draft.wires.find((one) => wireId(one) === wire);
  const node = nodeOf(draft, id);
  const out = node && portsOf(node, kinds).outs[0];
  if (cut === undefined || node === undefined || !portsOf(node, kinds).input) return draft;
  const before = connect(disconnect(draft, wire), { ...cut, to: id }, kinds);
  return out === undefined ? before : connect(before, { from: id, port: out, to: cut.to }, kinds);
}

/** For a node between two others: at `at` if there is room; otherwise at the place of the next node, which is moved. */
export function makeRoom(draft: Draft, at: Point, behind: string, kinds: Kinds): { draft: Draft; at: Point } {
  const next = nodeOf(draft, behind)?.position;
  if (next === undefined || isFree(placedNodes(draft, kinds, null), snapped(at))) return { draft, at };
  const moved = draft.nodes
    .filter((node) => node.position.x >= next.x)
    .map(({ id, position }) => [id, { x: position.x + COLUMN, y: position.y }] as const);
  return { draft: moveNodes(draft, new Map(moved)), at: next };
}

export function moveNodes(draft: Draft, positions: ReadonlyMap<string, Point>): Draft {
  const moved = mapNodes(draft, new Set(positions.keys()), (node) => ({
    ...node,
    position: snapped(positions.get(node.id) ?? node.position),
  }));
  const still = moved.nodes.every((node, index) => sameSpot(node.position, draft.nodes[index]?.position));
  return still ? draft : inDrawnOrder(moved);
}

function sameSpot(a: Point, b: Point | undefined): boolean {
  return a.x === b?.x && a.y === b.y;
}

/**
 * Removes nodes and their wires. If a node has one incoming and one outgoing wire, they are joined. Wires from its
 * error port are not joined, because incoming messages are not failures.
 */
export function removeNodes(draft: Draft, ids: ReadonlySet<string>, kinds: Kinds): Draft {
  const healed = [...ids].reduce((before, id) => heal(before, id, kinds), draft);
  return {
    ...withoutGrouped(healed, ids),
    nodes: healed.nodes.filter((node) => !ids.has(node.id)),
    wires: healed.wires.filter((wire) => !ids.has(wire.from) && !ids.has(wire.to)),
  };
}

function heal(draft: Draft, id: string, kinds: Kinds): Draft {
  const into = draft.wires.filter((wire) => wire.to === id);
  const out = draft.wires.filter((wire) => wire.from === id);
  const [first] = into;
  const [last] = out;
  if (into.length !== 1 || out.length !== 1 || first === undefined || last === undefined) return draft;
  if (last.port === ERROR_PORT) return draft;
  return connect(disconnect(disconnect(draft, wireId(first)), wireId(last)), { ...first, to: last.to }, kinds);
}

export function changeSettings(draft: Draft, id: string, settings: Settings, kinds: Kinds): Draft {
  const changed = mapNodes(draft, new Set([id]), (node) => ({ ...node, settings }));
  return withoutLostPorts(withRenamedPort(draft, changed, id, kinds), id, kinds);
}

/** A renamed port (of a case) keeps its wires. */
function withRenamedPort(before: Draft, after: Draft, id: string, kinds: Kinds): Draft {
  const [old, now] = [before, after].map((draft) => outsOf(draft, id, kinds));
  if (old === undefined || now === undefined || old.length !== now.length) return after;
  const others = old.flatMap((port, index) => (port === now[index] ? [] : [index]));
  const [place] = others;
  if (place === undefined || others.length > 1) return after;
  const port = now[place] ?? '';
  const wires = after.wires.map((wire) => (wire.from === id && wire.port === old[place] ? { ...wire, port } : wire));
  return { ...after, wires };
}

function outsOf(draft: Draft, id: string, kinds: Kinds): readonly string[] {
  const node = nodeOf(draft, id);
  return node === undefined ? [] : portsOf(node, kinds).outs;
}

/** A deleted port (of a case) loses its wires. */
function withoutLostPorts(draft: Draft, id: string, kinds: Kinds): Draft {
  const node = nodeOf(draft, id);
  if (node === undefined || !kinds.has(node.kind)) return draft;
  const { input, outs, error } = portsOf(node, kinds);
  const fits = (wire: DraftWire) =>
    (wire.from !== id || outs.includes(wire.port) || (error && wire.port === ERROR_PORT)) && (wire.to !== id || input);
  const wires = draft.wires.filter(fits);
  return wires.length === draft.wires.length ? draft : { ...draft, wires };
}

/** An empty name is removed: the node is shown by its ID. */
export function renameNode(draft: Draft, id: string, name: string): Draft {
  const plain = name.trim();
  if (plain === (nodeOf(draft, id)?.name ?? '')) return draft;
  return mapNodes(draft, new Set([id]), (node) => withField(node, 'name', plain));
}

/** Enables all if all are disabled, otherwise disables all. */
export function switchNodes(draft: Draft, ids: ReadonlySet<string>): Draft {
  const allOff = draft.nodes.filter((node) => ids.has(node.id)).every((node) => node.off === true);
  return mapNodes(draft, ids, (node) => withField(node, 'off', allOff ? '' : true));
}

export function mapNodes(draft: Draft, ids: ReadonlySet<string>, change: (node: DraftNode) => DraftNode): Draft {
  return { ...draft, nodes: draft.nodes.map((node) => (ids.has(node.id) ? change(node) : node)) };
}

/** Sets an optional field, or removes it if it is empty. */
function withField(node: DraftNode, field: 'name' | 'off', value: string | true): DraftNode {
  const rest = Object.fromEntries(Object.entries(node).filter(([name]) => name !== field)) as DraftNode;
  return value === '' ? rest : { ...rest, [field]: value };
}
