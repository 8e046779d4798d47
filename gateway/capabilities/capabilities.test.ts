import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { AuditRow } from '#common/model/audit.ts';
import { namedQuery } from '#common/model/named-query.ts';
import { NO_RESOURCES } from '#common/model/resources.ts';
import { settingsSchema } from '#common/model/settings.ts';
import { chainRows } from '#common/node/journal/read.ts';
import { plainChain } from '#common/node/journal/testing/plain-chain.ts';
import { createLogger } from '#common/node/log.ts';
import { tempDir } from '#test/temp-dir.ts';
import { until } from '#test/until.ts';
import { openJournal } from '../journal/journal.ts';
import { noScripts } from '../pipeline/harness.ts';
import { openCapabilities } from './capabilities.ts';

test('a write by the test of a query has two rows with its user, whether it succeeds or fails', async () => {
  await using dir = await tempDir();
  const journal = await openJournal({ ...plainChain(dir.path, 'gateway'), ackMsMax: 20_000 });
  const capabilities = openCapabilities({
    dataDir: dir.path,
    settings: settingsSchema.parse({}),
    scripts: noScripts,
    journal,
    onDiskWriters: () => {},
    copy: (payload) => ({ payload, bytes: 0 }),
    log: createLogger('test', () => undefined),
  });
  const rows = async (): Promise<AuditRow[]> => {
    const found: AuditRow[] = [];
    for await (const row of chainRows(join(dir.path, 'gateway'), () => true))
      if (row.write !== undefined) found.push(row);
    return found;
  };
  const run = (sql: string, readOnly = false) =>
    capabilities.trials['query-test']({
      project: 'p',
      query: namedQuery.parse({ id: 'draft', connection: 'embedded', sql }),
      params: {},
      readOnly,
      who: { user: 'ada', ip: '10.0.0.7' },
    });
  try {
    await capabilities.configure('p', NO_RESOURCES('p'));
    await run('CREATE TABLE orders (id INTEGER)');
    await expect(run('INSERT INTO nowhere VALUES (1)')).rejects.toThrow();
    await run('SELECT * FROM orders');
    await run('SELECT * FROM orders', true);
    const found = await until('each write has its rows', async () => {
      const all = await rows();
      return all.length >= 4 && all;
    });
    expect(found.map(({ type, result }) => [type, result])).toEqual([
      ['write', undefined],
      ['written', 'done'],
      ['write', undefined],
      ['written', 'failed'],
    ]);
    for (const row of found)
      expect(row).toMatchObject({ user: 'ada', ip: '10.0.0.7', project: 'p', kind: 'database', trigger: 'test' });
    expect(found.map(({ write }) => write)).toEqual([0, 0, 2, 2].map((at) => found[at]?.write));
  } finally {
    await capabilities.close();
    await journal.close();
  }
});
