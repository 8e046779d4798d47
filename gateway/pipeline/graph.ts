import type { Emission, NodeInstance } from '#sdk';

/**
 * A node of a compiled pipeline. Everything that the request path needs is reached from here by reference: no
 * look-ups by id, no settings.
 */
export interface GraphNode {
  readonly id: string;
  readonly kind: string;
  /** Exchanged for `CLOSED` when the pipeline is retired, so that kept runs do not hold on to what nodes took. */
  instance: NodeInstance;
  /** Declared port → the nodes wired to it, in the order of the wires; empty when nothing is wired. */
  readonly outs: Map<string, readonly GraphNode[]>;
}

export const ERROR_PORT = 'error';

/** What stands in for a node that was closed; nothing reaches it. */
export const CLOSED: NodeInstance = {
  run(): Emission {
    throw new Error('the pipeline was stopped');
  },
};
