import { wireId, type Draft, type DraftWire, type Point } from './draft.ts';
import { inPoint, outPoint, placedNodes, type Placed } from './geometry.ts';
import { ERROR_PORT, type Kinds } from './ports.ts';
import { routeWires } from './routing.ts';

/** A wire with its path. A wire without both ends is not drawn; `check` reports it. */
export interface DrawnWire {
  wire: DraftWire;
  source: Placed;
  points: Point[];
}

export function drawnWires(draft: Draft, kinds: Kinds): DrawnWire[] {
  return routed(draft.wires, placedNodes(draft, kinds, null));
}

/** While nodes are moved, only their wires are routed again; the other wires stay unchanged. */
export function redrawnWires(
  wires: readonly DrawnWire[],
  draft: Draft,
  kinds: Kinds,
  moving: ReadonlyMap<string, Point>,
): DrawnWire[] {
  const moved = ({ from, to }: DraftWire) => moving.has(from) || moving.has(to);
  const fresh = routed(draft.wires.filter(moved), placedNodes(draft, kinds, moving));
  const byId = new Map(fresh.map((drawn) => [wireId(drawn.wire), drawn]));
  return wires.map((drawn) => (moved(drawn.wire) ? (byId.get(wireId(drawn.wire)) ?? drawn) : drawn));
}

function routed(wires: readonly DraftWire[], boxes: readonly Placed[]): DrawnWire[] {
  const byId = new Map(boxes.map((box) => [box.id, box]));
  const ends = wires.flatMap((wire) => {
    const source = byId.get(wire.from);
    const target = byId.get(wire.to);
    return source === undefined || target === undefined ? [] : [{ wire, source, target }];
  });
  const routes = routeWires(
    boxes,
    ends.map(({ wire, source, target }) => ({
      id: wireId(wire),
      start: outPoint(source, wire.port),
      leaves: wire.port === ERROR_PORT && !source.outs.includes(ERROR_PORT) ? 'down' : 'right',
      end: inPoint(target),
      from: `${wire.from} ${wire.port}`,
      to: wire.to,
    })),
  );
  return ends.map(({ wire, source }) => ({ wire, source, points: routes.get(wireId(wire)) ?? [] }));
}
