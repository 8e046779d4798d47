import { GRID, type Draft, type Point } from './draft.ts';
import { drawnOuts, ERROR_PORT, portsOf, type Kinds } from './ports.ts';

/** Sizes on the canvas, px at 100 % (editor.md, Node). */
export const NODE_WIDTH = 216;
const NODE_HEIGHT = 96;
/** From a node to the next one. */
export const COLUMN = 240;
/** Between nodes above each other: enough for wires and their labels. */
export const ROW_GAP = 44;
const ROW = 26;
/** Number of rows without growing: those of its summary and its footer. */
const ROWS = 2;
/** Position of the input port, and of the output port of a node with one. */
const PORT_Y = 48;
/** From the bottom edge to the middle of the last row. */
const LAST_ROW_Y = 13;

export interface Box extends Point {
  width: number;
  height: number;
}

export function heightOf(outs: number): number {
  return NODE_HEIGHT + Math.max(0, outs - ROWS) * ROW;
}

/** The middle of an output port, from the node's upper edge. */
export function outY(index: number, outs: number): number {
  return outs < 2 ? PORT_Y : heightOf(outs) - LAST_ROW_Y - ROW * (outs - 1 - index);
}

/** A rendered node: its box, and the positions of its ports on the canvas. */
export interface Placed extends Box {
  id: string;
  /** It has an input, or an invalid wire leads into it. */
  input: boolean;
  /** A diamond at the bottom. */
  error: boolean;
  outs: readonly string[];
}

export function placedNodes(draft: Draft, kinds: Kinds, moving: ReadonlyMap<string, Point> | null): Placed[] {
  const wired = wiredPorts(draft);
  const entered = new Set(draft.wires.map((wire) => wire.to));
  return draft.nodes.map((node) => {
    const { input, error } = portsOf(node, kinds);
    const outs = drawnOuts(node, kinds, [...(wired.get(node.id) ?? [])]);
    const { x, y } = moving?.get(node.id) ?? node.position;
    return {
      id: node.id,
      x,
      y,
      width: NODE_WIDTH,
      height: heightOf(outs.length),
      input: input || entered.has(node.id),
      error,
      outs,
    };
  });
}

/** Output ports with wires, by node; including ports that no longer exist. */
export function wiredPorts({ wires }: Draft): Map<string, Set<string>> {
  const ports = new Map<string, Set<string>>();
  for (const { from, port } of wires) ports.set(from, (ports.get(from) ?? new Set()).add(port));
  return ports;
}

export function inPoint({ x, y }: Placed): Point {
  return { x, y: y + PORT_Y };
}

export function outPoint({ x, y, height, outs }: Placed, port: string): Point {
  if (port === ERROR_PORT && !outs.includes(port)) return { x: x + NODE_WIDTH / 2, y: y + height };
  return { x: x + NODE_WIDTH, y: y + outY(Math.max(0, outs.indexOf(port)), outs.length) };
}

/**
 * After a node; in the next row if that would be beyond the last column. A pipeline that was laid out wider by hand
 * continues to the right.
 */
export function spotBehind(boxes: readonly Box[], from: Box, columns: number): Point {
  const left = Math.min(from.x, ...boxes.map(({ x }) => x));
  const end = left + columns * COLUMN;
  const next = from.x + COLUMN;
  if (next < end || from.x >= end) return { x: next, y: from.y };
  return { x: left, y: Math.ceil((from.y + from.height + ROW_GAP) / GRID) * GRID };
}

/** The nearest position at or below `at` where a new node covers no other. */
export function freeSpot(boxes: readonly Box[], at: Point): Point {
  let spot = at;
  for (let tries = 0; tries <= boxes.length; tries++) {
    const taken = boxes.find((box) => overlaps(box, { ...spot, width: NODE_WIDTH, height: NODE_HEIGHT }));
    if (taken === undefined) return spot;
    spot = { x: spot.x, y: taken.y + taken.height + ROW_GAP };
  }
  return spot;
}

export function isFree(boxes: readonly Box[], at: Point): boolean {
  return !boxes.some((box) => overlaps(box, { ...at, width: NODE_WIDTH, height: NODE_HEIGHT }));
}

function overlaps(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}
