import { NodeError } from '#sdk';

export function asNodeError(thrown: unknown): NodeError {
  if (thrown instanceof NodeError) return thrown;
  const message = thrown instanceof Error ? thrown.message : `a node threw something that is not an error`;
  return new NodeError('node_failed', message, { cause: thrown });
}
