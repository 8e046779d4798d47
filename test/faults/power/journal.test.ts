import { expect, test } from 'vitest';
import { recordPart, replayPart } from './power-loss.ts';
import { describePowerLoss, expectNoFaults, expectSurvival, loadPart } from './power-tests.ts';

const PROGRAM = 'main/audit/testing/power-subject.ts';
const chain = await loadPart(PROGRAM, 'chain', 'chainSubject', 'journal, power mode');
const again = await loadPart(PROGRAM, 'again', 'againSubject', 'journal');
const ring = await loadPart(PROGRAM, 'ring', 'ringSubject', 'journal, ring of refusals');

describePowerLoss('journal', () => {
  test('every acknowledged row is readable, the chain verifies without a false finding, and the writer continues', () =>
    expectSurvival(chain, again, { first: 600, cuts: 6, second: 80 }));

  test('every refusal that was only counted is in the ring or in a row with a count', () => expectNoFaults(ring, 60));

  test('the process mode, which flushes only occasionally, loses rows', async () => {
    const recording = await recordPart({ ...chain, args: ['process'] });
    const { faults } = await replayPart({ ...chain, name: 'journal, process mode' }, recording, 100);
    expect(faults.some((fault) => fault.includes('lost: '))).toBe(true);
  });
});
