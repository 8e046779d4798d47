import type { Viewport } from '@xyflow/react';

/** The last view of a pipeline, stored in this browser. Without storage, each visit begins with _Fit_. */
const KEY = 'sluice.editor.views';
/** Number of stored pipelines; the oldest is removed first. */
const KEPT_MAX = 50;

type Views = Record<string, Viewport>;

export function readView(place: string): Viewport | null {
  return readViews()[place] ?? null;
}

export function writeView(place: string, view: Viewport): void {
  const { [place]: _before, ...others } = readViews();
  const kept = Object.entries(others).slice(1 - KEPT_MAX);
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries([...kept, [place, view]])));
  } catch {
    // If the storage is full or forbidden, the next visit begins with _Fit_.
  }
}

function readViews(): Views {
  try {
    const views: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    if (typeof views !== 'object' || views === null) return {};
    return Object.fromEntries(Object.entries(views).filter((entry): entry is [string, Viewport] => isView(entry[1])));
  } catch {
    return {};
  }
}

function isView(value: unknown): value is Viewport {
  return (
    typeof value === 'object' &&
    value !== null &&
    ['x', 'y', 'zoom'].every((name) => Number.isFinite(Reflect.get(value, name)))
  );
}
