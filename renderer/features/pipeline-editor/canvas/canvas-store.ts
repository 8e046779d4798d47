import type { NodeTraffic } from '#common/model/traffic.ts';
import type { DraftWire, Point } from '../model/draft.ts';
import type { Choice } from '../model/choices.ts';

/**
 * Shared state of canvas and palette beyond the draft: the focus, the wire that is being drawn, the running revision.
 */
export interface CanvasState {
  /** The node that has or had the focus. */
  readonly current: string | null;
  /** The node that takes the focus as soon as it is drawn. */
  readonly wantsFocus: string | null;
  /** Nodes under a drag, where they are now. */
  readonly moving: ReadonlyMap<string, Point> | null;
  readonly wiring: Wiring | null;
  /** Chosen from the palette by a tap: the next tap on the ground places it. */
  readonly placing: Choice | null;
  /** Under way from the palette. */
  readonly dragged: { choice: Choice; at: Point } | null;
  /** Under the pointer. */
  readonly hotWire: string | null;
  /** So small that a node shows glyph, name and state only. */
  readonly far: boolean;
  readonly popup: Popup | null;
  /** For the polite live region; `turn` distinguishes repetitions of the same text. */
  readonly said: Said;
  /** Why something was refused: in the strip, and in the assertive live region. */
  readonly refused: Said | null;
  readonly traffic: TrafficView;
  readonly run: RunView | null;
  /** Paused targets by node. */
  readonly targets: ReadonlyMap<string, TargetView>;
}

export interface Said {
  text: string;
  turn: number;
}

export interface Wiring {
  /** `from`: it leaves `port` of `node` and looks for a target; `to`: it leads into `node` and looks for its source. */
  readonly end: 'from' | 'to';
  readonly node: string;
  readonly port: string;
  readonly how: 'drag' | 'tap' | 'keys';
  /** Where the pointer is, on the canvas. */
  readonly at: Point | null;
  /** The wire whose end is moved. */
  readonly moves: DraftWire | null;
  /** The node that is aimed at. */
  readonly target: string | null;
  /** The wires that could be drawn to each accepting node; the nearest first. */
  readonly accepts: ReadonlyMap<string, DraftWire>;
}

/** `at`: on the screen. */
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
  /** `draft`: nothing of it runs. `stale`: the gateway does not tell; the figures are from `at`. */
  state: 'unknown' | 'stopped' | 'live' | 'stale';
  at: string | null;
  byNode: ReadonlyMap<string, NodeTraffic>;
  /** Of all beginnings together, messages a second. */
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

  /** Whatever was being drawn, placed or shown is let go. */
  cancel(): void {
    this.set({ wiring: null, placing: null, dragged: null, popup: null, refused: null, hotWire: null });
  }
}
