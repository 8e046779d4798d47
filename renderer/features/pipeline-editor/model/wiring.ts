import { nodeOf, type Draft, type DraftWire } from './draft.ts';
import { ERROR_PORT, portsOf, type Kinds } from './ports.ts';

/** Why a wire is not allowed. */
export type WireFault = 'noSuchNode' | 'noSuchPort' | 'takesNothing' | 'twice' | 'itself';

/** Null if the wire is allowed. Loops are allowed, but not back to the beginning of a path. */
export function wireFault(draft: Draft, { from, port, to }: DraftWire, kinds: Kinds): WireFault | null {
  const source = nodeOf(draft, from);
  const target = nodeOf(draft, to);
  if (source === undefined || target === undefined) return 'noSuchNode';
  if (from === to) return 'itself';
  if (kinds.has(target.kind) && !portsOf(target, kinds).input) return 'takesNothing';
  const { outs, error } = portsOf(source, kinds);
  if (kinds.has(source.kind) && !outs.includes(port) && !(error && port === ERROR_PORT)) return 'noSuchPort';
  const twice = draft.wires.some((wire) => wire.from === from && wire.port === port && wire.to === to);
  return twice ? 'twice' : null;
}

/** The default port of a new wire: the first without a wire, else the first. */
export function nextOut(draft: Draft, id: string, kinds: Kinds): string | null {
  const node = nodeOf(draft, id);
  if (node === undefined) return null;
  const { outs } = portsOf(node, kinds);
  const free = outs.find((port) => !draft.wires.some((wire) => wire.from === id && wire.port === port));
  return free ?? outs[0] ?? null;
}
