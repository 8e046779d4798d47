import type { Emission, NodeInstance } from '#sdk';
import type { NodeCounters } from './node-counters.ts';
import type { NodeMark } from './run-watch/node-mark.ts';

/**
 * A node of a compiled pipeline. Everything that the request path needs is reached from here by reference: no look-ups
 * by id, no settings.
 */
export interface GraphNode {
  readonly id: string;
  readonly kind: string;
  /** Replaced by `CLOSED` when the pipeline is retired, so that kept runs do not retain resources of nodes. */
  instance: NodeInstance;
  readonly outs: Map<string, OutPort>;
  readonly traffic: NodeCounters;
  readonly mark: NodeMark;
}

export interface OutPort {
  /** In the order of the wires; empty if nothing is wired. */
  readonly targets: readonly GraphNode[];
  /** Its place among the node's ports, for counting. */
  readonly index: number;
}

export const ERROR_PORT = 'error';

/** Replaces a closed node; nothing reaches it. */
export const CLOSED: NodeInstance = {
  run(): Emission {
    throw new Error('the pipeline was stopped');
  },
};
