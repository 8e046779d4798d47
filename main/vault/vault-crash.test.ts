import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { tempDir } from '#test/temp-dir.ts';
import type { OpenedVault } from './live-vault.ts';
import { dyingDisk, type Moment } from './testing/dying-disk.ts';
import { note, notes, openTestVault } from './testing/open-test-vault.ts';

const MOMENTS: Moment[] = ['before', 'midway', 'after'];

/** One process on a disk that dies at the given call; true if the note was acknowledged. */
async function lifeUntilDeath(
  dataDir: string,
  step: number,
  moment: Moment,
): Promise<{ answered: boolean; calls: number }> {
  const disk = dyingDisk(step, moment);
  let answered = false;
  let vault: OpenedVault | null = null;
  try {
    vault = await openTestVault(dataDir, { files: disk });
    await note(vault, 'second');
    answered = true;
  } catch {
    // Died on the way.
  }
  await vault?.close();
  return { answered, calls: disk.calls };
}

describe('a crash at any step of a write', () => {
  test(
    'leaves the old image or the new one, and the new one when the change was acknowledged',
    { timeout: 60_000 },
    async () => {
      const seen = new Set<string>();
      let died = true;
      for (let step = 1; died; step++) {
        for (const moment of MOMENTS) {
          await using dir = await tempDir();
          const first = await openTestVault(dir.path);
          await note(first, 'first');
          await first.close();
          const { answered, calls } = await lifeUntilDeath(dir.path, step, moment);
          died = calls >= step;
          const after = await openTestVault(dir.path);
          const found = notes(after);
          expect([['first'], ['first', 'second']], `step ${step}, ${moment}`).toContainEqual(found);
          if (answered) expect(found, `step ${step}, ${moment}`).toEqual(['first', 'second']);
          expect(after.rolledBack, `step ${step}, ${moment}`).toBe(false);
          await note(after, 'third');
          await after.close();
          expect(
            readdirSync(dir.path).filter((name) => name.endsWith('.new')),
            `step ${step}, ${moment}`,
          ).toEqual([]);
          seen.add(`${found.length} ${answered}`);
        }
      }
      // Otherwise the loop has not covered the critical moment.
      expect([...seen].toSorted()).toEqual(['1 false', '2 false', '2 true']);
    },
  );

  test('during the very first start leaves a folder that the next start can use', { timeout: 60_000 }, async () => {
    let died = true;
    for (let step = 1; died; step++) {
      for (const moment of MOMENTS) {
        await using dir = await tempDir();
        const { calls } = await lifeUntilDeath(dir.path, step, moment);
        died = calls >= step;
        const after = await openTestVault(dir.path);
        await note(after, 'third');
        expect(notes(after)).toContain('third');
        await after.close();
      }
    }
  });
});

describe('a process killed while it writes', () => {
  test('loses no acknowledged change', { timeout: 60_000 }, async () => {
    await using dir = await tempDir();
    let answered = 0;
    for (let round = 0; round < 8; round++) {
      const child = fork(fileURLToPath(new URL('./testing/writer.ts', import.meta.url)), [dir.path], { execArgv: [] });
      const target = answered + 3 + round;
      child.on('message', (count) => {
        answered = Number(count);
        if (answered >= target) child.kill('SIGKILL');
      });
      await once(child, 'exit');
      const vault = await openTestVault(dir.path);
      expect(notes(vault).length).toBeGreaterThanOrEqual(answered);
      expect(vault.rolledBack).toBe(false);
      await vault.close();
    }
    expect(answered).toBeGreaterThan(40);
  });
});
