import { maskKeys } from '#common/api-key.ts';
import type { EgressEndpoint, EgressLine, EgressOutcome } from '#sdk';
import { type CallResult, callWrites } from '../capabilities/writes/planned-write.ts';
import type { WriteLog } from '../capabilities/write-log.ts';
import type { NodePlace } from './contract.ts';

/** A line whose calls are between their rows in the journal (docs/spec/journal.md#writes). */
export function recordedLine(
  line: EgressLine,
  { origin: target, method }: EgressEndpoint,
  { project, pipeline, node }: NodePlace,
  writes: Pick<WriteLog, 'around'>,
): EgressLine {
  return {
    send(call, signal) {
      const planned = callWrites(method, new URL(`${target}${call.path}`));
      const context = { project, pipeline, node, origin: () => call.origin, mask: maskKeys };
      const perform = (): Promise<EgressOutcome> => line.send(call, signal);
      return writes.around(planned, context, signal, { perform, resultOf, lookUp: () => null });
    },
    close: () => line.close(),
  };
}

function resultOf(outcome: EgressOutcome): CallResult {
  return outcome.kind === 'answered' ? { status: outcome.status } : {};
}
