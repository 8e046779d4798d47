import type { PipelineDefinition } from '#common/model/pipeline.ts';

/** The draft in the editor. Immutable: every edit creates a new one. */
export type Draft = PipelineDefinition;
export type DraftNode = Draft['nodes'][number];
export type DraftWire = Draft['wires'][number];
export type Settings = DraftNode['settings'];
export interface Point {
  x: number;
  y: number;
}

/** There is at most one wire between the same port and node, so its ends identify it. */
export function wireId({ from, port, to }: DraftWire): string {
  return `${from} ${port} ${to}`;
}

export function nodeOf(draft: Draft, id: string): DraftNode | undefined {
  return draft.nodes.find((node) => node.id === id);
}

/** The name shown to users. */
export function nameOf(draft: Draft, id: string): string {
  return nodeOf(draft, id)?.name ?? id;
}

/** `base`, or `base-2`, `base-3` …, whichever is free. */
export function freeId(base: string, taken: ReadonlySet<string>): string {
  if (!taken.has(base)) return base;
  for (let count = 2; ; count++) {
    const id = `${base.slice(0, 58)}-${count}`;
    if (!taken.has(id)) return id;
  }
}

export const GRID = 20;

export function snapped({ x, y }: Point): Point {
  return { x: Math.round(x / GRID) * GRID, y: Math.round(y / GRID) * GRID };
}
