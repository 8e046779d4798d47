import { refusalOf } from '#common/errors/node-codes.ts';
import { LimitMissingError, type NodeError, refusedWriteOf, ScopeMissingError } from '#sdk';
import type { RunResult } from './contract.ts';

/** The result of a run whose node failed. `cause`: the message of the error without secrets. */
export function failedResult(node: string, error: NodeError, cause: string): RunResult {
  return {
    kind: 'failed',
    code: refusalOf(error.code),
    cause,
    nodeCode: error.code,
    node,
    missing: error instanceof ScopeMissingError ? error.missing : [],
    limit: error instanceof LimitMissingError ? error.missing : null,
    refusedWrite: refusedWriteOf(error),
  };
}
