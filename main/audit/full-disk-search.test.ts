import { existsSync } from 'node:fs';
import { truncate, writeFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chainFolder } from '#common/node/journal/format.ts';
import { openWriter } from '#common/node/journal/writer.ts';
import { createLogger } from '#common/node/log.ts';
import { smallDisk, whyNoDisk } from '#test/mounts.ts';
import { until } from '#test/until.ts';
import { openAudit } from './audit.ts';
import { INDEX_FILE } from './index-worker.ts';

const reason = whyNoDisk();
const NEVER_MS = 3_600_000;
const MIB = 1024 ** 2;

/** The disk is completely full, and there is no index yet: it was removed to free space, or the journal is new. */
test.skipIf(reason !== null)(
  `the journal is searched on a full disk${reason === null ? '' : ` (skipped: ${reason})`}`,
  { timeout: 60_000 },
  async () => {
    await using disk = await smallDisk(32);
    const folder = join(disk.path, 'journal');
    const index = { firstMs: NEVER_MS, wakeMs: NEVER_MS, wakeBatches: NEVER_MS, quietMs: NEVER_MS, lookMs: 10 };
    const files = { folder, anchorsFile: join(disk.path, 'anchors'), anchorKey: randomBytes(32) };
    const audit = await openAudit({
      ...files,
      days: 90,
      maxBytes: 2 ** 31,
      log: createLogger('audit', () => {}),
      index,
    });
    const options = { folder, chain: 'gateway', durability: 'process', ackMsMax: 30_000 } as const;
    const gateway = await openWriter({ ...options, onHead: () => {}, onState: () => {} });
    try {
      await until('the journal can be written', async () => gateway.state === 'ok');
      const row = { time: new Date().toISOString(), type: 'use', requestId: 'r1', keyId: 'k1' };
      expect(await new Promise((resolve) => gateway.append(JSON.stringify(row), resolve))).toBe(true);
      await disk.fill();

      expect((await audit.query({})).items).toMatchObject([row]);
      expect(await audit.lastUsed()).toEqual(new Map([['k1', row.time]]));
      const large = join(chainFolder(folder, 'gateway'), 'large');
      await writeFile(large, '');
      await truncate(large, 65 * MIB);
      await expect(audit.query({})).rejects.toMatchObject({ code: 'disk_reserve', status: 507 });

      await disk.empty();
      expect((await audit.query({ requestId: 'r1' })).items).toMatchObject([row]);
      expect(existsSync(join(folder, INDEX_FILE))).toBe(true);
    } finally {
      await gateway.close();
      await audit.close();
    }
  },
);
