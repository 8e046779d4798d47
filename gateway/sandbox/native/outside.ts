import type { Node } from 'acorn';

/** Parts of the language that native runs do not have, as the editor names them. */
export type OutsideReason =
  | 'syntax'
  | 'size'
  | 'async'
  | 'regular_expression'
  | 'mutation'
  | 'loop'
  | 'function'
  | 'call'
  | 'name'
  | 'operator'
  | 'statement';

/** The first part of a script that runs in the sandbox alone. */
export class Outside extends Error {
  readonly reason: OutsideReason;
  /** From 1; null without a place. */
  readonly line: number | null;

  constructor(reason: OutsideReason, line: number | null) {
    super(`outside the native part: ${reason}`);
    this.reason = reason;
    this.line = line;
  }
}

export function outside(reason: OutsideReason, node: Node): never {
  throw new Outside(reason, node.loc?.start.line ?? null);
}
