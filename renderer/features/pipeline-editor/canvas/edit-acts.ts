import { pipelineFrom, type PipelineTemplate } from '#ui/templates/template.ts';
import { choiceTitle } from './choice-words.ts';
import type { OpenWire } from './canvas-store.ts';
import { about, editable, meant, shown, nodesText, type EditorActions } from './editor-actions.ts';
import { startSettings, type Choice } from '../model/choices.ts';
import { GRID, nodeOf, type Draft, type Point } from '../model/draft.ts';
import {
  addNode,
  connect,
  disconnect,
  insertOnWire,
  makeRoom,
  moveNodes,
  removeNodes,
  switchNodes,
} from '../model/edits.ts';
import { freeSpot, NODE_WIDTH, placedNodes, spotBehind } from '../model/geometry.ts';
import { wiresFrom, wiresTo } from '../model/flow-order.ts';
import { tidy } from '../model/layout.ts';
import { noteBoxes } from '../model/notes.ts';
import { nextOut } from '../model/wiring.ts';
import { stepText } from '../head/use-step-text.ts';
import { wireId } from '../model/draft.ts';
import { canvasColumns, fit } from './view-acts.ts';

// Actions of a user on the draft on the canvas; each is one undo step and announced in the polite live region.

/** `spot`: its upper left corner; null: a free place. The new node is selected and gets the focus. */
export function add(desk: EditorActions, choice: Choice, spot: Point | null, wire: OpenWire | null = null): void {
  if (!editable(desk)) return;
  let added = '';
  const title = freeName(desk.store.snapshot().draft, choiceTitle(desk.t, choice));
  desk.store.edit({ code: 'add', about: title }, (draft) => {
    const position = spot ?? behind(desk, draft, wire?.node ?? null);
    const settings = startSettings(choice, draft);
    const result = addNode(draft, { kind: choice.kind.id, name: title, position, settings });
    added = result.id;
    return wired(desk, result.draft, added, wire);
  });
  if (added !== '') arrive(desk, added, desk.t('editor.said.added', { name: title }));
}

/** On an empty canvas. */
export function insertTemplate(desk: EditorActions, template: PipelineTemplate): void {
  if (!editable(desk)) return;
  const title = desk.t('templates.title');
  desk.store.edit({ code: 'template', about: title }, (draft) => {
    if (draft.nodes.length > 0) return draft;
    const { nodes, wires, grants } = pipelineFrom(template, draft.id, draft.name);
    const all = [...new Set([...draft.grants, ...grants])];
    return tidy({ ...draft, grants: all, nodes, wires }, desk.kinds, canvasColumns());
  });
  void fit(desk);
  desk.canvas.say(desk.t('editor.said.template', { count: template.open.length }));
}

/** After the selected node and wired to it, if the ports allow it. */
export function addBehind(desk: EditorActions, choice: Choice): void {
  const [node] = meant(desk);
  const { draft } = desk.store.snapshot();
  if (node === undefined) return add(desk, choice, middleSpot(desk));
  const port = nextOut(draft, node, desk.kinds);
  add(desk, choice, null, port === null ? null : { end: 'from', node, port, moves: null });
}

export function addOnWire(desk: EditorActions, choice: Choice, wire: string, spot: Point): void {
  if (!editable(desk)) return;
  let added = '';
  const title = freeName(desk.store.snapshot().draft, choiceTitle(desk.t, choice));
  desk.store.edit({ code: 'add', about: title }, (draft) => {
    const behind = draft.wires.find((one) => wireId(one) === wire)?.to ?? '';
    const room = makeRoom(draft, spot, behind, desk.kinds);
    const node = { kind: choice.kind.id, name: title, position: room.at, settings: startSettings(choice, draft) };
    const result = addNode(room.draft, node);
    added = result.id;
    return insertOnWire(result.draft, added, wire, desk.kinds);
  });
  if (added !== '') arrive(desk, added, desk.t('editor.said.inserted', { name: title }));
}

function wired(desk: EditorActions, draft: Draft, id: string, wire: OpenWire | null): Draft {
  if (wire === null) return draft;
  const before = wire.moves === null ? draft : disconnect(draft, wireId(wire.moves));
  if (wire.end === 'from') return connect(before, { from: wire.node, port: wire.port, to: id }, desk.kinds);
  const port = nextOut(before, id, desk.kinds);
  return port === null ? before : connect(before, { from: id, port, to: wire.node }, desk.kinds);
}

function arrive(desk: EditorActions, id: string, words: string): void {
  desk.store.selectAdded(id);
  desk.canvas.focus(id);
  desk.canvas.say(words);
}

function behind(desk: EditorActions, draft: Draft, node: string | null): Point {
  const boxes = placedNodes(draft, desk.kinds, null);
  const before = boxes.find(({ id }) => id === node);
  const taken = [...boxes, ...noteBoxes(draft)];
  return freeSpot(taken, before === undefined ? { x: 0, y: 0 } : spotBehind(boxes, before, canvasColumns()));
}

/** The middle of the visible area, with room for the node. */
function middleSpot({ flow, store, kinds }: EditorActions): Point {
  const area = document.querySelector('.editor-canvas')?.getBoundingClientRect();
  const middle = flow.screenToFlowPosition({
    x: (area?.left ?? 0) + (area?.width ?? 0) / 2,
    y: (area?.top ?? 0) + (area?.height ?? 0) / 2,
  });
  const { draft } = store.snapshot();
  return freeSpot([...placedNodes(draft, kinds, null), ...noteBoxes(draft)], {
    x: middle.x - NODE_WIDTH / 2,
    y: middle.y - 48,
  });
}

function freeName(draft: Draft, title: string): string {
  const taken = new Set(draft.nodes.map((node) => node.name ?? node.id));
  if (!taken.has(title)) return title;
  for (let count = 2; ; count++) if (!taken.has(`${title} ${count}`)) return `${title} ${count}`;
}

/** Deletes the selected wire or nodes; the ends of a straight chain are joined. */
export function remove(desk: EditorActions): void {
  const { wire } = desk.store.snapshot();
  if (wire !== null) return removeWire(desk, wire);
  removeIds(desk, meant(desk), 'delete');
}

export function removeWire(desk: EditorActions, wire: string): void {
  if (!editable(desk)) return;
  const { from = '', to = '' } = desk.store.snapshot().draft.wires.find((one) => wireId(one) === wire) ?? {};
  const names = wireText(desk, from, to);
  desk.store.selectWire(null);
  if (desk.store.edit({ code: 'unwire', about: names }, (draft) => disconnect(draft, wire)))
    desk.canvas.say(desk.t('editor.said.unwired', { name: names }));
}

export function wireText(desk: EditorActions, from: string, to: string): string {
  return desk.t('editor.fromTo', {
    from: nodesText(desk, new Set([from])),
    to: nodesText(desk, new Set([to])),
  });
}

export function removeIds(desk: EditorActions, ids: ReadonlySet<string>, code: 'delete' | 'cut'): void {
  if (!editable(desk) || ids.size === 0) return;
  const { draft } = desk.store.snapshot();
  const words = nodesText(desk, ids);
  const next = neighbour(desk, ids);
  if (!desk.store.edit({ code, about: about(draft, ids) }, (before) => removeNodes(before, ids, desk.kinds))) return;
  if (next === null) focusGround(desk);
  else desk.canvas.focus(next);
  desk.canvas.say(desk.t('editor.said.deleted', { name: words }));
}

/** The node that gets the focus from deleted ones: along a wire. */
function neighbour(desk: EditorActions, ids: ReadonlySet<string>): string | null {
  const { draft } = desk.store.snapshot();
  for (const id of ids) {
    const near = [
      ...wiresTo(draft, id).map((wire) => wire.from),
      ...wiresFrom(draft, id, desk.kinds).map((wire) => wire.to),
    ];
    const kept = near.find((one) => !ids.has(one));
    if (kept !== undefined) return kept;
  }
  return draft.nodes.find((node) => !ids.has(node.id))?.id ?? null;
}

/** The focused node, note or group is deleted, and no node takes the focus. */
export function focusGround({ canvas }: EditorActions): void {
  canvas.set({ current: null, wantsFocus: null });
  document.querySelector<HTMLElement>('.editor-canvas .react-flow')?.focus();
}

export function switchOnOff(desk: EditorActions): void {
  const ids = meant(desk);
  if (!editable(desk) || ids.size === 0) return;
  const words = nodesText(desk, ids);
  desk.store.edit({ code: 'switch', about: about(desk.store.snapshot().draft, ids) }, (draft) =>
    switchNodes(draft, ids),
  );
  const [first = ''] = ids;
  const isOff = nodeOf(desk.store.snapshot().draft, first)?.off === true;
  desk.canvas.say(desk.t(isOff ? 'editor.said.off' : 'editor.said.on', { name: words }));
}

/** In whole steps of the grid; consecutive steps are one undo step. */
export function moveBy(desk: EditorActions, dx: number, dy: number): void {
  const ids = meant(desk);
  if (!editable(desk) || ids.size === 0) return;
  const { draft } = desk.store.snapshot();
  const positions = new Map(
    draft.nodes
      .filter((node) => ids.has(node.id))
      .map(({ id, position }) => [id, { x: position.x + dx * GRID, y: position.y + dy * GRID }]),
  );
  const moved = desk.store.edit(
    { code: 'move', about: about(draft, ids) },
    (before) => moveNodes(before, positions),
    `move ${[...ids].join(' ')}`,
  );
  const [place] = positions.values();
  if (moved && place !== undefined)
    desk.canvas.say(desk.t('editor.said.moved', { name: nodesText(desk, ids), ...place }));
}

/** A drag has ended. */
export function moveTo(desk: EditorActions, positions: ReadonlyMap<string, Point>): void {
  if (!editable(desk) || positions.size === 0) return;
  const ids = new Set(positions.keys());
  desk.store.edit({ code: 'move', about: about(desk.store.snapshot().draft, ids) }, (draft) =>
    moveNodes(draft, positions),
  );
}

export function tidyUp(desk: EditorActions): void {
  if (!editable(desk)) return;
  const { draft } = desk.store.snapshot();
  desk.store.edit({ code: 'tidy', about: String(draft.nodes.length) }, (before) =>
    tidy(before, desk.kinds, canvasColumns()),
  );
  void fit(desk);
  desk.canvas.say(desk.t('editor.said.tidied'));
}

export function selectAll(desk: EditorActions): void {
  const { nodes } = shown(desk);
  desk.store.select(nodes.map((node) => node.id));
  desk.canvas.say(desk.t('editor.said.chosen', { name: desk.t('editor.nodes', { count: nodes.length }) }));
}

export function undo(desk: EditorActions): void {
  if (!editable(desk)) return;
  const step = desk.store.snapshot().history.past.at(-1);
  if (step === undefined) return desk.canvas.say(desk.t('editor.said.nothingToUndo'));
  desk.store.undo();
  desk.canvas.say(desk.t('editor.said.undone', { what: stepText(desk.t, step, desk.kinds, (text) => text) }));
}

export function redo(desk: EditorActions): void {
  if (!editable(desk)) return;
  const [step] = desk.store.snapshot().history.future;
  if (step === undefined) return desk.canvas.say(desk.t('editor.said.nothingToRedo'));
  desk.store.redo();
  desk.canvas.say(desk.t('editor.said.redone', { what: stepText(desk.t, step, desk.kinds, (text) => text) }));
}
