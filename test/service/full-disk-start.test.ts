import { join } from 'node:path';
import { expect, test } from 'vitest';
import { smallDisk, whyNoDisk } from '#test/mounts.ts';
import { ADMIN, startService } from '#test/service.ts';

const reason = whyNoDisk();

/** The data folder is on a separate disk, which has no free bytes when the service starts. */
test.skipIf(reason !== null)(
  `the service starts on a full disk, and space can be freed in its UI${reason === null ? '' : ` (skipped: ${reason})`}`,
  { timeout: 120_000 },
  async () => {
    await using disk = await smallDisk(32);
    const dataDir = join(disk.path, 'data');
    // The gateway's compile cache is in the data folder, as in an installation: a start can remove it.
    const env = { NODE_COMPILE_CACHE: '' };
    await using first = await startService([], { dataDir, env });
    await first.setUp();
    await first.admin.ok('POST', '/projects', { id: 'line-7', name: 'Line 7' });
    await first.stop();
    await disk.fill();

    await using second = await startService([], { dataDir, env });
    await second.admin.logIn(ADMIN.name, ADMIN.password);
    await second.admin.ok('DELETE', '/projects/line-7');
    expect(await second.admin.ok('GET', '/projects')).toMatchObject({ items: [] });
    expect((await second.status()).alarms.map(({ code }) => code)).toContain('disk_full');
  },
);
