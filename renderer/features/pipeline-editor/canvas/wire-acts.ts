import type { OpenWire, Wiring } from './canvas-store.ts';
import { wireText } from './edit-acts.ts';
import { editable, nodesText, type EditorActions } from './editor-actions.ts';
import { nodeOf, wireId, type Draft, type DraftWire, type Point } from '../model/draft.ts';
import { connect, disconnect, reconnect } from '../model/edits.ts';
import { portsOf, type Kinds } from '../model/ports.ts';
import { bringIntoView } from './view-acts.ts';
import { nextOut, wireFault, type WireFault } from '../model/wiring.ts';

/** Drawing a wire with mouse, touch or keyboard: begin, aim, finish. */

/** Possible target nodes of a wire with one end, the nearest first. */
export function acceptsOf(draft: Draft, open: OpenWire, kinds: Kinds): Map<string, DraftWire> {
  const before = open.moves === null ? draft : disconnect(draft, wireId(open.moves));
  const here = nodeOf(draft, open.node)?.position ?? { x: 0, y: 0 };
  const away = ({ x, y }: Point) => Math.hypot(x - here.x, y - here.y);
  return new Map(
    before.nodes
      .toSorted((a, b) => away(a.position) - away(b.position))
      .flatMap((node) => {
        const wire = wireTo(before, open, node.id, kinds);
        return wire === null || wireFault(before, wire, kinds) !== null ? [] : [[node.id, wire] as const];
      }),
  );
}

/** The wire between an open end and a node: to the node's only or next free port. */
function wireTo(draft: Draft, open: OpenWire, node: string, kinds: Kinds): DraftWire | null {
  if (open.end === 'from') return { from: open.node, port: open.port, to: node };
  const port = open.moves?.from === node ? open.moves.port : nextOut(draft, node, kinds);
  return port === null ? null : { from: node, port, to: open.node };
}

export function begin(desk: EditorActions, open: OpenWire, how: Wiring['how'], at: Point | null): void {
  if (!editable(desk)) return;
  const accepts = acceptsOf(desk.store.snapshot().draft, open, desk.kinds);
  const target = how === 'keys' ? ([...accepts.keys()][0] ?? null) : null;
  if (how === 'keys' && target === null) return desk.canvas.refuse(desk.t('editor.refused.nowhere'));
  desk.canvas.set({ wiring: { ...open, how, at, target, accepts }, popup: null, refused: null, placing: null });
  if (target !== null) announceTarget(desk, target);
}

/** Selects the next accepting node, with the keyboard. */
export function aim(desk: EditorActions, step: 1 | -1): void {
  const { wiring } = desk.canvas.snapshot();
  if (wiring === null) return;
  const ring = [...wiring.accepts.keys()];
  const index = wiring.target === null ? 0 : ring.indexOf(wiring.target) + step;
  const target = ring[(index + ring.length) % ring.length] ?? null;
  desk.canvas.set({ wiring: { ...wiring, target } });
  if (target !== null) announceTarget(desk, target);
}

function announceTarget(desk: EditorActions, target: string): void {
  bringIntoView(desk, target);
  const { wiring } = desk.canvas.snapshot();
  const { draft } = desk.store.snapshot();
  const name = nodesText(desk, new Set([target]));
  if (wiring?.end === 'to') {
    const port = wiring.accepts.get(target)?.port ?? '';
    return desk.canvas.say(desk.t('editor.said.aimSource', { name, port }));
  }
  const wires = draft.wires.filter((wire) => wire.to === target).length;
  const key = wires === 0 ? 'editor.said.aimFree' : 'editor.said.aimTaken';
  desk.canvas.say(desk.t(key, { name, count: wires }));
}

/** `port`: the one that it was dropped on, if that is unambiguous. */
export function finishAt(desk: EditorActions, node: string, port: string | null): void {
  const { wiring } = desk.canvas.snapshot();
  if (wiring === null) return;
  const wire = chosenWire(desk, wiring, node, port);
  if (typeof wire === 'string') return refuse(desk, wire);
  desk.canvas.set({ wiring: null, refused: null });
  draw(desk, wire, wiring.moves);
}

function chosenWire(
  desk: EditorActions,
  wiring: Wiring,
  node: string,
  port: string | null,
): DraftWire | WireFault | 'inToIn' | 'outToOut' {
  const { draft } = desk.store.snapshot();
  const target = nodeOf(draft, node);
  const isOut = port !== null && port !== '';
  if (wiring.end === 'to' && port === '') return 'inToIn';
  if (wiring.end === 'from' && isOut && target !== undefined && !portsOf(target, desk.kinds).input) return 'outToOut';
  const before = wiring.moves === null ? draft : disconnect(draft, wireId(wiring.moves));
  const wire =
    wiring.end === 'to' && isOut
      ? { from: node, port, to: wiring.node }
      : (wiring.accepts.get(node) ?? wireTo(before, wiring, node, desk.kinds));
  if (wire === null) return 'noSuchPort';
  return wireFault(before, wire, desk.kinds) ?? wire;
}

function draw(desk: EditorActions, wire: DraftWire, moves: DraftWire | null): void {
  const words = wireText(desk, wire.from, wire.to);
  const changed =
    moves === null
      ? desk.store.edit({ code: 'wire', about: words }, (draft) => connect(draft, wire, desk.kinds))
      : desk.store.edit({ code: 'rewire', about: words }, (draft) => reconnect(draft, wireId(moves), wire, desk.kinds));
  if (changed) desk.canvas.say(desk.t('editor.said.wired', { name: words, port: wire.port }));
}

function refuse(desk: EditorActions, fault: WireFault | 'inToIn' | 'outToOut'): void {
  desk.canvas.set({ wiring: null });
  desk.canvas.refuse(desk.t(`editor.refused.${fault}`));
}

/** Dropped on the canvas: shows a list of the matching kinds there. */
export function finishOnGround(desk: EditorActions, screen: Point): void {
  const { wiring } = desk.canvas.snapshot();
  if (wiring === null) return;
  const { end, node, port, moves } = wiring;
  const spot = desk.flow.screenToFlowPosition(screen);
  desk.canvas.set({ wiring: null, popup: { kind: 'add', at: screen, spot, wire: { end, node, port, moves } } });
}

/** With the keyboard: the output ports of the node as a list, or directly if there is only one. */
export function wireByKeys(desk: EditorActions, node: string, end: 'from' | 'to', at: Point): void {
  if (!editable(desk)) return;
  const { draft } = desk.store.snapshot();
  const found = nodeOf(draft, node);
  if (found === undefined) return;
  const ports = portsOf(found, desk.kinds);
  if (end === 'to') {
    if (!ports.input) return desk.canvas.refuse(desk.t('editor.refused.takesNothing'));
    return begin(desk, { end, node, port: '', moves: null }, 'keys', null);
  }
  if (ports.outs.length === 0 && !ports.error) return desk.canvas.refuse(desk.t('editor.refused.noOut'));
  desk.canvas.set({ popup: { kind: 'ports', node, at } });
}
