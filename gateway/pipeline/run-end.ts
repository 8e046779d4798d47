import type { NodeCode } from '#common/errors/node-codes.ts';

export interface RunFailure {
  readonly node: string | null;
  readonly code: NodeCode;
  readonly message: string;
}

export type RunOutcome = 'replied' | 'failed' | 'timeout' | 'cancelled' | 'ended';
