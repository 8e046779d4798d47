import type { Node } from 'acorn';
import type { SandboxReason } from '#common/model/script-engine.ts';

/** Parts of the language that native runs do not have, as the editor names them. */
export type OutsideReason = Exclude<SandboxReason, 'setting'>;

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
