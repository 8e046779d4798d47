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

const program = 'main/vault/testing/power-subject.ts';

describe.skipIf(skipReason !== null)(`power loss in the vault${skipped}`, { timeout: 300_000 }, () => {
  test('every state opens to an image with all that was answered', async () => {
    const part: Part = { name: 'vault', program, args: ['vault'], subject: await loadSubject(program, 'vaultSubject') };
    const recording = await recordPart(part);
    expect((await replayPart(part, recording, 600)).faults).toEqual([]);
    const again: Part = {
      name: 'vault',
      program,
      args: ['again'],
      subject: await loadSubject(program, 'againSubject'),
    };
    for (const figures of await replayRecovery(again, recording, 2, 80)) expect(figures.faults).toEqual([]);
    expect(await faultsWithoutFlushes(part, recording, 150), 'the rig must see what is not flushed').not.toEqual([]);
  });
});
