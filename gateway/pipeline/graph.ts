import type { Emission, NodeInstance } from '#sdk';
import type { NodeCounters } from './node-counters.ts';
import type { NodeMark } from './run-watch/node-mark.ts';

/**
 * A node of a compiled pipeline. The request path reaches everything from here by reference, without lookups by ID or
 * settings.
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
  /** In the order of the wires; empty without wires. */
  readonly targets: readonly GraphNode[];
  /** Its index among the ports of the node, for counting. */
  readonly index: number;
}

export const ERROR_PORT = 'error';

/** Replaces a closed node; nothing reaches it. */
export const CLOSED: NodeInstance = {
  run(): Emission {
    throw new Error('the pipeline was stopped');
  },
};
