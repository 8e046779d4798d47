import { test } from 'vitest';
import { describePowerLoss, expectNoFaults, expectSurvival, loadPart } from './power-tests.ts';

const PROGRAM = 'gateway/egress/testing/outbox-subject.ts';

describePowerLoss('outbox', () => {
  test('every accepted event remains with its body, no discarded one returns, and the outbox continues', async () => {
    const outbox = await loadPart(PROGRAM, 'outbox', 'outboxSubject', 'outbox');
    const again = await loadPart(PROGRAM, 'again', 'againSubject', 'outbox');
    await expectSurvival(outbox, again, { first: 250, cuts: 2, second: 40 });
  });

  test('the same holds while SQLite writes its full log to the file', async () =>
    expectNoFaults(await loadPart(PROGRAM, 'full-log', 'fullLogSubject', 'outbox, full log'), 100));
});
