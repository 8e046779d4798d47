import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createLogger } from '#common/node/log.ts';
import { tempDir } from '#test/temp-dir.ts';
import { until } from '#test/until.ts';
import { FileGrowth } from './file-growth.ts';

test('the growth of a file is divided by what was stored, and reused space counts for nobody', async () => {
  await using dir = await tempDir();
  const file = join(dir.path, 'shared.sqlite');
  writeFileSync(file, 'x'.repeat(1_000));
  const charged = new Map<string, number>();
  let afterLook = (): void => undefined;
  const disk = {
    room: () => {
      afterLook();
      return 100;
    },
    note: () => undefined,
    charge: (project: string, bytes: number) => void charged.set(project, (charged.get(project) ?? 0) + bytes),
  };
  const growth = new FileGrowth({ file, kind: 'outbox', disk, log: createLogger('test', () => {}), lookMs: 5 });
  expect(growth.hasRoom('late', 101)).toBe(false);
  // After each check, the free space of a refused project is queried if no other query is running.
  const nextLook = (act = (): void => undefined) =>
    new Promise<void>((resolve) => {
      afterLook = () => {
        afterLook = () => undefined;
        act();
        resolve();
      };
    });
  await nextLook();
  await nextLook(() => {
    growth.add('a', 30);
    expect(growth.hasRoom('a', 70)).toBe(true);
    expect(growth.hasRoom('a', 71)).toBe(false);
    growth.add('b', 10);
    appendFileSync(file, 'x'.repeat(400));
  });
  await until('it is divided', () => charged.size === 2);
  expect(charged).toEqual(
    new Map([
      ['a', 300],
      ['b', 100],
    ]),
  );
  growth.add('a', 50);
  await nextLook();
  await nextLook();
  expect(charged.get('a')).toBe(300);
  growth.close();
});
