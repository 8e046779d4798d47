import { describe, expect, test } from 'vitest';
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

const program = 'main/audit/testing/power-subject.ts';
const chain: Part = {
  name: 'journal, power mode',
  program,
  args: ['chain'],
  subject: await loadSubject(program, 'chainSubject'),
};
const again: Part = { name: 'journal', program, args: ['again'], subject: await loadSubject(program, 'againSubject') };
const ring: Part = {
  name: 'journal, ring of refusals',
  program,
  args: ['ring'],
  subject: await loadSubject(program, 'ringSubject'),
};

describe.skipIf(skipReason !== null)(`power loss in the journal${skipped}`, { timeout: 300_000 }, () => {
  test('every acknowledged row is read, the chain verifies without a false finding, and the writer continues', async () => {
    const recording = await recordPart(chain);
    expect((await replayPart(chain, recording, 600)).faults).toEqual([]);
    for (const figures of await replayRecovery(again, recording, 6, 80)) expect(figures.faults).toEqual([]);
    expect(await faultsWithoutFlushes(chain, recording, 150), 'the rig must see what is not flushed').not.toEqual([]);
  });

  test('every refusal that was only counted is in the ring or in a counted row', async () => {
    const recording = await recordPart(ring);
    expect((await replayPart(ring, recording, 60)).faults).toEqual([]);
  });

  test('the process mode, which flushes only now and then, is seen to lose rows', async () => {
    const recording = await recordPart({ ...chain, args: ['process'] });
    const { faults } = await replayPart({ ...chain, name: 'journal, process mode' }, recording, 100);
    expect(faults.some((fault) => fault.includes('lost: '))).toBe(true);
  });
});
