import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLogger } from '#common/node/log.ts';
import { VERSION } from '#common/version.ts';
import { ADMIN, startService } from '#test/service.ts';
import { tempDir, type TempDir } from '#test/temp-dir.ts';
import { runSluice } from '../cli/testing/sluice.ts';
import { openData } from '../host/open-data.ts';
import { PROJECTS_SCHEMA } from '../projects/schema.ts';
import { keepData, keptData, KEPT_MAX } from './kept-data.ts';
import { LAST_VERSION_FILE } from './last-version.ts';

vi.setConfig({ testTimeout: 240_000 });

let folder: TempDir;
let dataDir: string;
beforeEach(async () => {
  folder = await tempDir();
  dataDir = join(folder.path, 'data');
});
afterEach(() => folder.remove());

const inData = (...names: string[]): string => join(dataDir, ...names);
const kept = () => keptData(dataDir);

/** Changes the project store directly on the disk. */
function store<T>(act: (db: DatabaseSync) => T, file = inData('projects.sqlite')): T {
  const db = new DatabaseSync(file);
  try {
    return act(db);
  } finally {
    db.close();
  }
}
const schemaOf = (file?: string) =>
  store((db) => Number(db.prepare('PRAGMA user_version').get()?.['user_version']), file);

/** Starts and stops a release on the data. */
async function openOnce(): Promise<void> {
  const data = await openData({ dataDir, secretStore: 'file', overrides: {}, log: createLogger('test', () => {}) });
  if (data.people.setupNeeded) {
    await data.people.setUpAll({ administrator: ADMIN, roles: [], users: [] });
    data.projects.createProject({ id: 'old', name: 'Old' });
  }
  await data.close();
}

/** A data folder of a release that had no stops of writes and did not record its version. */
async function olderData(): Promise<void> {
  await openOnce();
  store((db) => db.exec(`DROP TABLE write_stops; PRAGMA user_version = ${PROJECTS_SCHEMA - 1}`));
  rmSync(inData(LAST_VERSION_FILE));
}

const rollback = () => runSluice(['update', 'rollback', '--data', dataDir]);

test('the first start of a newer release copies the data, and a rollback restores them', async () => {
  await olderData();
  {
    await using service = await startService([], { dataDir });
    await service.admin.logIn(ADMIN.name, ADMIN.password);
    await service.admin.ok('POST', '/projects', { id: 'new', name: 'New' });
    expect((await rollback()).stderr).toContain('Sluice is running on the data folder');
    expect(await service.stop()).toBe(0);
  }
  expect(readFileSync(inData(LAST_VERSION_FILE), 'utf8')).toBe(`${VERSION}\n`);
  expect(kept()).toMatchObject([{ from: null, to: VERSION }]);
  expect([schemaOf(), schemaOf(join(kept()[0]?.folder ?? '', 'projects.sqlite'))]).toEqual([
    PROJECTS_SCHEMA,
    PROJECTS_SCHEMA - 1,
  ]);

  const { code, stdout, stderr } = await rollback();
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain(`before the update to ${VERSION}.`);
  expect([schemaOf(), existsSync(inData(LAST_VERSION_FILE))]).toEqual([PROJECTS_SCHEMA - 1, false]);

  // The older release would start now. The current one is used instead and updates the data again.
  await using service = await startService([], { dataDir });
  await service.admin.logIn(ADMIN.name, ADMIN.password);
  expect(await service.admin.ok('GET', '/projects')).toMatchObject({ items: [{ id: 'old' }] });
  expect((await service.status()).alarms.map((alarm) => alarm.code)).toContain('vault_rolled_back');
  expect(await service.stop()).toBe(0);
  expect(kept()).toHaveLength(2);
});

test('a second start copies nothing, and an older release that cannot read the data names the copy', async () => {
  await olderData();
  await openOnce();
  await openOnce();
  expect(kept()).toHaveLength(1);

  writeFileSync(inData(LAST_VERSION_FILE), '99.0.0\n');
  store((db) => db.exec('PRAGMA user_version = 99'));
  const flags = ['--secret-store', 'file', '--gateway-host', '127.0.0.1', '--gateway-port', '0', '--ui-port', '0'];
  const { code, stderr } = await runSluice(['serve', '--data', dataDir, ...flags]);
  expect(code).toBe(1);
  const sentence = stderr.trimEnd().split('\n').at(-1) ?? '';
  expect(sentence).toMatch(
    new RegExp(`^sluice: The data was last opened by Sluice 99\\.0\\.0, and this is ${VERSION}: `),
  );
  expect(sentence).toContain(`in ${kept()[0]?.folder} with "sluice update rollback"`);
  expect((await rollback()).code).toBe(0);
  expect(schemaOf()).toBe(PROJECTS_SCHEMA - 1);
});

test('without a copy there is no rollback, and nothing is moved', async () => {
  await openOnce();
  const before = readdirSync(dataDir).toSorted();
  const { code, stderr } = await rollback();
  expect([code, stderr]).toEqual([1, expect.stringContaining('There is no copy from before an update in')]);
  expect(readdirSync(dataDir).toSorted()).toEqual(before);
});

test('only the latest copies stay, and an incomplete one does not count', async () => {
  await openOnce();
  for (let day = 1; day <= KEPT_MAX + 2; day++)
    await keepData(dataDir, '1.0.0', '1.1.0', new Date(Date.UTC(2026, 0, day)));
  expect(kept().map(({ createdAt }) => createdAt.slice(8, 10))).toEqual(['05', '04', '03']);
  rmSync(join(kept()[0]?.folder ?? '', 'vault.db'));
  expect(kept().map(({ createdAt }) => createdAt.slice(8, 10))).toEqual(['04', '03']);
});
