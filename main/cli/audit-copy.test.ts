import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { memoryDir } from '#test/temp-dir.ts';
import { runSluice, startSluice } from './testing/sluice.ts';

vi.setConfig({ testTimeout: 120_000 });

test('a copy of the journal is verified without the vault, with the key and the heads kept outside', async () => {
  const temp = await memoryDir();
  const [data, share, copy] = [join(temp.path, 'data'), join(temp.path, 'share'), join(temp.path, 'copy')];
  mkdirSync(share);
  const heads = join(share, 'line.heads');
  const flags = ['--data', data, '--secret-store', 'file'];
  const ports = ['--gateway-host', '127.0.0.1', '--gateway-port', '0', '--ui-port', '0'];
  const environment = { SLUICE_JOURNAL_HEAD_FILE: heads };
  const served = startSluice(['serve', ...flags, ...ports], { environment });
  await served.ready;
  const { stdout: key } = await runSluice(['audit', 'key', ...flags]);
  expect(await runSluice(['audit', 'verify', ...flags, '--head', heads])).toMatchObject({ code: 0 });
  served.child.kill('SIGTERM');
  expect((await served.ended).code).toBe(0);
  mkdirSync(copy);
  for (const name of ['journal', 'anchors']) cpSync(join(data, name), join(copy, name), { recursive: true });
  expect(existsSync(join(copy, 'vault.db'))).toBe(false);

  const verify = (input: string, ...more: string[]) =>
    runSluice(['audit', 'verify', '--copy', copy, ...more], { input });
  expect(await verify(key, '--head', heads)).toMatchObject({ code: 0, stdout: expect.stringContaining('is intact.') });
  expect(await verify(`${'A'.repeat(43)}\n`)).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('is NOT intact'),
  });
  expect((await verify('short\n')).stderr).toContain('the verification key is not complete');

  const kept = readFileSync(heads, 'utf8');
  writeFileSync(heads, kept.replaceAll('"seq":', '"seq":9'));
  expect((await verify(key, '--head', heads)).stdout).toContain('head that was kept outside was changed');
  await temp.remove();
});
