import { readdirSync } from 'node:fs';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RESTORE_IDLE_MS } from '#common/model/restore.ts';
import { until } from '#test/until.ts';
import { tempDir, type TempDir } from '#test/temp-dir.ts';
import { RestoreUpload } from './restore-upload.ts';

let folder: TempDir;
let upload: RestoreUpload;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  folder = await tempDir();
  const log = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() };
  upload = new RestoreUpload({
    dataDir: folder.path,
    keys: { list: () => [] },
    uiPortOf: (saved) => saved,
    uiPort: () => 0,
    log,
  });
});
afterEach(async () => {
  vi.useRealTimers();
  await upload.close();
  await folder.remove();
});

test('an upload without requests is removed', async () => {
  await upload.begin(10);
  expect(readdirSync(folder.path)).toHaveLength(1);
  vi.advanceTimersByTime(RESTORE_IDLE_MS);
  vi.useRealTimers();
  await until('the upload is removed', () => readdirSync(folder.path).length === 0);
});

test('an upload whose step outlasts that time is kept, and removed when nothing follows', async () => {
  const id = await upload.begin(10);
  const step = upload.take(id, 0, Buffer.from('01234'));
  vi.advanceTimersByTime(RESTORE_IDLE_MS);
  expect(await step).toBe(5);
  expect(await upload.take(id, 5, Buffer.from('56789'))).toBe(10);
  const last = upload.take(id, 10, Buffer.alloc(0));
  vi.advanceTimersByTime(RESTORE_IDLE_MS);
  expect(await last).toBe(10);
  vi.advanceTimersByTime(RESTORE_IDLE_MS);
  vi.useRealTimers();
  await until('the upload is removed', () => readdirSync(folder.path).length === 0);
});
