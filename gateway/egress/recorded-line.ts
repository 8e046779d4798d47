import { maskKeys } from '#common/api-key.ts';
import type { EgressEndpoint, EgressLine, EgressOutcome } from '#sdk';
import { type CallResult, callWrites, REHEARSED_ANSWER } from '../capabilities/writes/planned-write.ts';
import { noteWrites } from '../capabilities/writes/rehearsal.ts';
import type { WriteLog } from '../capabilities/write-log.ts';
import type { NodePlace } from './contract.ts';

/** A line whose calls are between their rows in the journal (docs/spec/journal.md#writes). */
export function recordedLine(
  line: EgressLine,
  { origin: target, method, storeAndForward }: EgressEndpoint,
  { project, pipeline, node }: NodePlace,
  writes: Pick<WriteLog, 'around'>,
): EgressLine {
  return {
    send(call, signal) {
      const { rehearsal } = call.run;
      const url = new URL(`${target}${call.path}`);
      call.run.expectTarget(url);
      const planned = callWrites(method, url);
      // A stored call would outlive the rehearsal, whatever its method.
      const isSimulated = rehearsal !== null && (storeAndForward || planned.length > 0);
      const context = { project, pipeline, node, origin: () => call.origin, mask: maskKeys };
      if (isSimulated) {
        noteWrites(rehearsal, planned.length > 0 ? planned : [{ kind: 'call', thing: `${method} ${target}` }], context);
        return writes.around(planned, context, signal, REHEARSED);
      }
      const perform = (): Promise<EgressOutcome> => line.send(call, signal);
      return writes.around(planned, context, signal, { perform, resultOf, lookUp: () => null });
    },
    close: () => line.close(),
  };
}

const ANSWER: EgressOutcome = { kind: 'answered', ...REHEARSED_ANSWER };
const REHEARSED = {
  perform: () => ANSWER,
  resultOf: (): CallResult => ({ result: 'rehearsed' }),
  lookUp: () => null,
};

function resultOf(outcome: EgressOutcome): CallResult {
  return outcome.kind === 'answered' ? { status: outcome.status } : {};
}
