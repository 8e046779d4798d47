import { test } from 'vitest';
import { describePowerLoss, expectSurvival, loadPart } from './power-tests.ts';

const PROGRAM = 'main/vault/testing/power-subject.ts';

describePowerLoss('vault', () => {
  test('every state opens to an image with all acknowledged changes', async () => {
    const vault = await loadPart(PROGRAM, 'vault', 'vaultSubject', 'vault');
    const again = await loadPart(PROGRAM, 'again', 'againSubject', 'vault');
    await expectSurvival(vault, again, { first: 600, cuts: 2, second: 80 });
  });
});
