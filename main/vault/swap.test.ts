import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '#test/temp-dir.ts';
import { commitSwap, finishSwap, PENDING_FILE, type Swap } from './swap.ts';
import { dyingDisk, type Moment } from './testing/dying-disk.ts';

const swap: Swap = {
  staging: '.restore-x',
  replaced: 'replaced-1',
  outgoing: ['vault.db', 'projects.sqlite', 'projects'],
  incoming: ['vault.db', 'projects', 'plugins'],
};

/** A folder with old files, a foreign file, and new staged ones. */
function fill(dir: string): void {
  const put = (name: string, text: string): void => {
    mkdirSync(join(dir, name, '..'), { recursive: true });
    writeFileSync(join(dir, name), text);
  };
  for (const name of ['vault.db', 'projects.sqlite', 'projects/p/f']) put(name, 'old');
  put('stranger', 'kept');
  for (const name of ['vault.db', 'projects/p/f', 'plugins/q']) put(`.restore-x/${name}`, 'new');
}

function content(dir: string): Record<string, string> {
  const names = ['vault.db', 'projects.sqlite', 'projects/p/f', 'plugins/q', 'stranger'];
  return Object.fromEntries(
    names.filter((name) => existsSync(join(dir, name))).map((name) => [name, readFileSync(join(dir, name), 'utf8')]),
  );
}

const OLD = { 'vault.db': 'old', 'projects.sqlite': 'old', 'projects/p/f': 'old', stranger: 'kept' };
const NEW = { 'vault.db': 'new', 'projects/p/f': 'new', 'plugins/q': 'new', stranger: 'kept' };

test('a swap puts the new files in place and keeps the old ones aside', async () => {
  await using dir = await tempDir();
  fill(dir.path);
  await commitSwap(dir.path, swap);
  expect(content(dir.path)).toEqual(NEW);
  expect(content(join(dir.path, 'replaced-1'))).toEqual({
    'vault.db': 'old',
    'projects.sqlite': 'old',
    'projects/p/f': 'old',
  });
  expect(readdirSync(dir.path).toSorted()).toEqual(['plugins', 'projects', 'replaced-1', 'stranger', 'vault.db']);
});

test('a crash at any step leaves all of the old files or, after the next start, all of the new', async () => {
  const seen = new Set<string>();
  let died = true;
  for (let step = 1; died; step++) {
    for (const moment of ['before', 'midway', 'after'] satisfies Moment[]) {
      await using dir = await tempDir();
      fill(dir.path);
      const disk = dyingDisk(step, moment);
      await commitSwap(dir.path, swap, disk).catch(() => {});
      died = disk.dead;
      const committed = existsSync(join(dir.path, PENDING_FILE)) || !died;
      await finishSwap(dir.path);
      const found = content(dir.path);
      expect([OLD, NEW], `step ${step}, ${moment}`).toContainEqual(found);
      if (committed) expect(found, `step ${step}, ${moment}`).toEqual(NEW);
      expect(existsSync(join(dir.path, '.restore-x')), `step ${step}, ${moment}`).toBe(false);
      seen.add(found['vault.db'] ?? '');
    }
  }
  expect([...seen].toSorted()).toEqual(['new', 'old']);
});

test('a second crash while the next start completes the swap changes nothing', async () => {
  for (let first = 6; first < 20; first += 3) {
    for (let second = 1; second < 12; second += 2) {
      await using dir = await tempDir();
      fill(dir.path);
      await commitSwap(dir.path, swap, dyingDisk(first, 'after')).catch(() => {});
      await finishSwap(dir.path, dyingDisk(second, 'after')).catch(() => {});
      await finishSwap(dir.path);
      expect(content(dir.path), `crashes ${first}, ${second}`).toEqual(NEW);
    }
  }
});

test('a plan that is damaged, or leads out of the folder, moves nothing', async () => {
  for (const plan of ['rubbish', JSON.stringify({ ...swap, outgoing: ['../x'] })]) {
    await using dir = await tempDir();
    fill(dir.path);
    writeFileSync(join(dir.path, PENDING_FILE), plan);
    await expect(finishSwap(dir.path)).rejects.toMatchObject({ reason: 'backup' });
    expect(content(dir.path)).toEqual(OLD);
  }
});
