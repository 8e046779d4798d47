import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '#test/temp-dir.ts';
import { until } from '#test/until.ts';
import { resourcesOf } from './fake-tags.ts';
import { openHistorian } from './harness.ts';

const CHILD = join(import.meta.dirname, 'testing', 'record-process.ts');

test('a gateway killed during recording leaves a readable file with every committed point', async () => {
  await using dir = await tempDir();
  const file = join(dir.path, 'history.sqlite');
  for (const commits of [3, 20]) {
    let committed = 0;
    let told = 0;
    const child = fork(CHILD, [file], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], execArgv: [] });
    child.on('message', (count: number) => {
      committed = count;
      told += 1;
    });
    const exit = once(child, 'exit');
    await until('it has recorded for a while', () => told >= commits, { timeoutMs: 30_000 });
    child.kill('SIGKILL');
    expect(await exit).toEqual([null, 'SIGKILL']);
    await using history = await openHistorian({ file });
    await history.historian.configure?.('p', resourcesOf('p', [{ path: 'counter' }]));
    const wanted = { tags: ['counter'], from: '2026-03-01T00:00:00Z', to: '2026-03-03T00:00:00Z' };
    const [series] = await history.query({ ...wanted, limit: 100_000 });
    const values = series?.points.map(({ value }) => Number(value)) ?? [];
    expect(values.length).toBeGreaterThanOrEqual(committed);
    expect(values).toEqual(values.map((_, index) => index));
  }
});
