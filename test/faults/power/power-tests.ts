import { describe, expect } from 'vitest';
import {
  faultsWithoutFlushes,
  loadSubject,
  type Part,
  recordPart,
  replayPart,
  replayRecovery,
  skipReason,
  skipped,
} from './power-loss.ts';
import type { Recording } from './operations.ts';

/** Tests that need strace. */
export function describePowerLoss(of: string, tests: () => void): void {
  describe.skipIf(skipReason !== null)(`power loss in the ${of}${skipped}`, { timeout: 300_000 }, tests);
}

/** The workload with that name, and the check of its results. */
export async function loadPart(program: string, workload: string, subject: string, name: string): Promise<Part> {
  return { name, program, args: [workload], subject: await loadSubject(program, subject) };
}

/** Records a part and expects no faults in this many of its states. */
export async function expectNoFaults(part: Part, statesMax: number): Promise<Recording> {
  const recording = await recordPart(part);
  expect((await replayPart(part, recording, statesMax)).faults).toEqual([]);
  return recording;
}

/** The same, with a second cut during the recovery; without any flush, faults must be found. */
export async function expectSurvival(
  part: Part,
  again: Part,
  states: { readonly first: number; readonly cuts: number; readonly second: number },
): Promise<void> {
  const recording = await expectNoFaults(part, states.first);
  for (const figures of await replayRecovery(again, recording, states.cuts, states.second))
    expect(figures.faults).toEqual([]);
  expect(await faultsWithoutFlushes(part, recording, 150), 'the rig must see what is not flushed').not.toEqual([]);
}
