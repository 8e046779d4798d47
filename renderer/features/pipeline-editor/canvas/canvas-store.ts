import type { CanvasNote } from '#common/model/canvas-notes.ts';
import type { NodeTraffic } from '#common/model/traffic.ts';
import type { DraftWire, Point } from '../model/draft.ts';
import type { Choice } from '../model/choices.ts';

/**
 * Shared state of canvas and palette in addition to the draft: the focus, the wire that is being drawn, the running
 * revision.
 */
export interface CanvasState {
  /** The node that has or had the focus. */
  readonly current: string | null;
  /** The node that gets the focus as soon as it is rendered. */
  readonly wantsFocus: string | null;
  /** The current positions of dragged nodes. */
  readonly moving: ReadonlyMap<string, Point> | null;
  readonly wiring: Wiring | null;
  /** Selected in the palette with a tap: the next tap on the canvas places it. */
  readonly placing: Choice | null;
  /** Being dragged from the palette. */
  readonly dragged: { choice: Choice; at: Point } | null;
  /** Under the pointer. */
  readonly hotWire: string | null;
  /** The zoom at which a node shows only icon, name and state. */
  readonly far: boolean;
  readonly popup: Popup | null;
  /** The note or group whose text is being typed; a new note is not in the draft yet. */
  readonly writing: Writing | null;
  /** For the polite live region; `turn` distinguishes repetitions of the same text. */
  readonly said: Said;
  /** Why something was refused: for the strip, and the assertive live region. */
  readonly refused: Said | null;
  readonly traffic: TrafficView;
  readonly run: RunView | null;
  /** Paused targets by node. */
  readonly targets: ReadonlyMap<string, TargetView>;
}

export type Writing = { kind: 'note'; note: CanvasNote } | { kind: 'group'; id: string };

export interface Said {
  text: string;
  turn: number;
}

export interface Wiring {
  /** `from`: it starts at `port` of `node` and needs a target; `to`: it ends at `node` and needs a source. */
  readonly end: 'from' | 'to';
  readonly node: string;
  readonly port: string;
  readonly how: 'drag' | 'tap' | 'keys';
  /** The position of the pointer, on the canvas. */
  readonly at: Point | null;
  /** The wire whose end is being moved. */
  readonly moves: DraftWire | null;
  /** The selected target node. */
  readonly target: string | null;
  /** The wires that could be drawn to each accepting node; the nearest first. */
  readonly accepts: ReadonlyMap<string, DraftWire>;
}

/** `at`: screen coordinates. */
export type Popup =
  | { kind: 'add'; at: Point; spot: Point | null; wire: OpenWire | null }
  | { kind: 'menu'; node: string; at: Point }
  | { kind: 'ports' | 'wires'; node: string; at: Point }
  | { kind: 'commands' }
  | { kind: 'keys' };

/** A wire that has one end. */
export interface OpenWire {
  end: 'from' | 'to';
  node: string;
  port: string;
  moves: DraftWire | null;
}

export interface TrafficView {
  /** `draft`: nothing is running. `stale`: the gateway sends nothing; the figures are from `at`. */
  state: 'unknown' | 'stopped' | 'live' | 'stale';
  at: string | null;
  byNode: ReadonlyMap<string, NodeTraffic>;
  /** Messages per second, of all entries together. */
  ingress: number;
}

export interface RunView {
  startedAt: string;
  /** Microseconds by node. */
  nodes: ReadonlyMap<string, number>;
  wires: ReadonlySet<string>;
  failed: string | null;
}

export interface TargetView {
  alarm: 'alarm' | 'warning' | null;
  reason: string;
  queued: number;
}

const NOTHING: CanvasState = {
  current: null,
  wantsFocus: null,
  moving: null,
  wiring: null,
  placing: null,
  dragged: null,
  hotWire: null,
  far: false,
  popup: null,
  writing: null,
  said: { text: '', turn: 0 },
  refused: null,
  traffic: { state: 'unknown', at: null, byNode: new Map(), ingress: 0 },
  run: null,
  targets: new Map(),
};

export class CanvasStore {
  #state = NOTHING;
  readonly #listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly snapshot = (): CanvasState => this.#state;

  set(change: Partial<CanvasState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }

  say(text: string): void {
    this.set({ said: { text, turn: this.#state.said.turn + 1 } });
  }

  refuse(text: string): void {
    this.set({ refused: { text, turn: (this.#state.refused?.turn ?? 0) + 1 } });
  }

  focus(node: string): void {
    this.set({ current: node, wantsFocus: node });
  }

  /** Cancels drawing, placing and popups. */
  cancel(): void {
    this.set({ wiring: null, placing: null, dragged: null, popup: null, refused: null, hotWire: null });
  }
}
