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

const program = 'gateway/egress/testing/outbox-subject.ts';
const part = async (name: string, workload: string, subject: string): Promise<Part> => ({
  name,
  program,
  args: [workload],
  subject: await loadSubject(program, subject),
});

describe.skipIf(skipReason !== null)(`power loss in the outbox${skipped}`, { timeout: 300_000 }, () => {
  test('every accepted event is there with its body, no discarded one is back, and it continues', async () => {
    const outbox = await part('outbox', 'outbox', 'outboxSubject');
    const recording = await recordPart(outbox);
    expect((await replayPart(outbox, recording, 250)).faults).toEqual([]);
    const again = await part('outbox', 'again', 'againSubject');
    for (const figures of await replayRecovery(again, recording, 2, 40)) expect(figures.faults).toEqual([]);
    expect(await faultsWithoutFlushes(outbox, recording, 150), 'the rig must see what is not flushed').not.toEqual([]);
  });

  test('the same while SQLite’s log is full and is written into the file', async () => {
    const fullLog = await part('outbox, full log', 'full-log', 'fullLogSubject');
    const recording = await recordPart(fullLog);
    expect((await replayPart(fullLog, recording, 100)).faults).toEqual([]);
  });
});
