import { join } from 'node:path';
import { expect, test } from 'vitest';
import { smallDisk, whyNoDisk } from '#test/mounts.ts';
import { call } from '#test/raw-request.ts';
import { routePipeline } from '#test/route-pipeline.ts';
import { ADMIN, startService } from '#test/service.ts';
import { until } from '#test/until.ts';

const reason = whyNoDisk();
const FILE = '/projects/line-7/files/large';
/** More rows than fit into the rest of the last block of the journal. */
const LOG_INS_MAX = 30;

/** The data folder is on a separate disk, which is completely full and has no ballast. */
test.skipIf(reason !== null)(
  `a user logs in on a full disk and deletes a file${reason === null ? '' : ` (skipped: ${reason})`}`,
  { timeout: 120_000 },
  async () => {
    await using disk = await smallDisk(48);
    await using service = await startService([], { dataDir: join(disk.path, 'data') });
    const { admin } = service;
    await service.setUp();
    await admin.ok('PATCH', '/settings', { diskReserveBytes: 1024 ** 2 });
    await admin.ok('POST', '/projects', { id: 'line-7', name: 'Line 7' });
    await admin.ok('PUT', FILE, { content: 'x'.repeat(8 * 1024 ** 2), format: 'text' });
    await admin.run('line-7', routePipeline({ id: 'ping', path: '/ping' }));
    const { key } = await admin.ok<{ key: string }>('POST', '/projects/line-7/keys', { name: 'MES', scopes: [] });
    const statusOfCall = async () => (await call(service.gatewayPort, { path: '/ping', key })).status;
    const holdsRows = async () => (await service.status()).alarms.some(({ code }) => code === 'journal_rows_held');
    expect(await statusOfCall()).toBe(200);

    let logIns = 1;
    for (let held = false; !held; held = await holdsRows()) {
      expect(logIns).toBeLessThan(LOG_INS_MAX);
      // Each time: the space that Sluice frees is enough for a row or two.
      await disk.fill();
      await admin.logIn(ADMIN.name, ADMIN.password);
      logIns++;
    }
    await until('calls are refused', async () => {
      await disk.fill();
      return (await statusOfCall()) === 503;
    });
    expect((await admin.ok<{ items: unknown[] }>('GET', '/audit?limit=10')).items.length).toBeGreaterThan(0);
    expect((await admin.ok<{ items: unknown[] }>('GET', '/projects/line-7/keys')).items).toHaveLength(1);
    await admin.ok('DELETE', FILE);
    await until('calls are served again', async () => (await statusOfCall()) === 200);
    await until('no rows are held', async () => !(await holdsRows()));
    const { items } = await admin.ok<{ items: { act: string; count?: number }[] }>(
      'GET',
      '/audit?type=admin&limit=100',
    );
    const counts = items.filter(({ act }) => act === 'session.login').map(({ count = 1 }) => count);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(logIns);
    expect(items.map(({ act }) => act)).toContain('file.delete');
  },
);
