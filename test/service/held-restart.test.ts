import { join } from 'node:path';
import { expect, test } from 'vitest';
import { smallDisk, whyNoDisk } from '#test/mounts.ts';
import { call } from '#test/raw-request.ts';
import { routePipeline } from '#test/route-pipeline.ts';
import { startService, type TestService } from '#test/service.ts';

const reason = whyNoDisk();
const KEYS = '/projects/line-7/keys';

/** The data folder is on a separate disk, which has no free bytes when the key is revoked. */
test.skipIf(reason !== null)(
  `a key that was revoked on a full disk is refused after a power cut${reason === null ? '' : ` (skipped: ${reason})`}`,
  { timeout: 120_000 },
  async () => {
    await using disk = await smallDisk(48);
    const dataDir = join(disk.path, 'data');
    await using first = await startService([], { dataDir });
    await first.setUp();
    await first.admin.ok('POST', '/projects', { id: 'line-7', name: 'Line 7' });
    await first.admin.run('line-7', routePipeline({ id: 'ping', path: '/ping' }));
    const { key, record } = await first.admin.ok<{ key: string; record: { id: string } }>('POST', KEYS, {
      name: 'MES',
      scopes: [],
    });
    const statusOn = async ({ gatewayPort }: TestService) => (await call(gatewayPort, { path: '/ping', key })).status;
    expect(await statusOn(first)).toBe(200);

    await disk.fill();
    expect((await first.admin.request('POST', `${KEYS}/${record.id}/revoke`)).status).toBe(507);
    expect((await first.status()).alarms.map(({ code }) => code)).toContain('changes_unsaved');
    await first.kill9();
    await disk.empty();

    await using second = await startService([], { dataDir });
    expect(await statusOn(second)).toBe(401);
  },
);
