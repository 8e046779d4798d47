import type { PipelineDefinition } from './pipeline.ts';

type Wire = PipelineDefinition['wires'][number];

/** A message to a disabled node leaves through the first of these ports that is wired. */
const PASSING_PORTS = ['out', 'response', 'otherwise'];

/** The active part of a definition: without disabled nodes, with wires that bypass them. */
export function activePart(definition: PipelineDefinition): PipelineDefinition {
  const off = new Set(definition.nodes.filter((node) => node.off === true).map((node) => node.id));
  if (off.size === 0) return definition;
  const nodes = definition.nodes.filter((node) => !off.has(node.id));
  const wires = definition.wires
    .filter((wire) => !off.has(wire.from))
    .flatMap((wire) => [...destinations(wire.to, off, definition.wires)].map((to) => ({ ...wire, to })));
  return { ...definition, nodes, wires: withoutTwins(wires) };
}

/** The nodes after `id`, or the node itself if it is enabled. A cycle of disabled nodes leads nowhere. */
function destinations(id: string, off: ReadonlySet<string>, wires: readonly Wire[]): Set<string> {
  const found = new Set<string>();
  const seen = new Set<string>();
  const open = [id];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    if (off.has(next)) open.push(...passing(next, wires));
    else found.add(next);
  }
  return found;
}

function passing(id: string, wires: readonly Wire[]): string[] {
  const own = wires.filter((wire) => wire.from === id);
  const port = PASSING_PORTS.find((name) => own.some((wire) => wire.port === name));
  return own.filter((wire) => wire.port === port).map((wire) => wire.to);
}

/** A bypass can merge two paths into one; a message must not take it twice. */
function withoutTwins(wires: readonly Wire[]): Wire[] {
  const byEnds = new Map(wires.map((wire) => [`${wire.from} ${wire.port} ${wire.to}`, wire]));
  return [...byEnds.values()];
}
