import { randomBytes } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, describe, expect, test } from 'vitest';
import { pipelineDefinition } from '#common/model/pipeline.ts';
import { createLogger } from '#common/node/log.ts';
import { stampOpening } from '#common/node/store-stamp.ts';
import { tempDir, type TempDir } from '#test/temp-dir.ts';
import { dirPerFile } from '#test/test-dir.ts';
import { VaultError } from '../vault/errors.ts';
import { HELD_FILE, HELD_PURPOSE, openHeldFile } from './held-file.ts';
import { openData, type Data } from './open-data.ts';

/** A folder in use, and each of its files damaged in each way, opened like by the service and the commands. */
const home = dirPerFile();
const base = (): string => join(home.path, 'base');
const older = (): string => join(home.path, 'older');
const PAGE = 4096;
const WIDE = { timeout: 60_000 };

const open = (dataDir: string, more: { withoutProjects?: boolean } = {}): Promise<Data> =>
  openData({ dataDir, secretStore: 'file', overrides: {}, log: createLogger('test', () => {}), ...more });

/** Opens a store like the gateway, and writes to it. */
function useDatabase(file: string): void {
  const db = new DatabaseSync(file);
  stampOpening(db);
  db.exec('PRAGMA journal_mode = WAL; CREATE TABLE IF NOT EXISTS rows (value TEXT)');
  const insert = db.prepare('INSERT INTO rows VALUES (?)');
  for (let row = 0; row < 20; row++) insert.run(randomBytes(1000).toString('hex'));
  db.close();
}

const openHeld = ({ vault }: Data, dataDir: string) =>
  openHeldFile(
    dataDir,
    vault.derive(HELD_PURPOSE),
    createLogger('test', () => {}),
  );

/** One start with an action of a user, and its stop. */
async function useOnce(dataDir: string): Promise<void> {
  const data = await open(dataDir);
  if (data.projects.project('line-7') === null) {
    data.projects.createProject({ id: 'line-7', name: 'Line 7' });
    await data.people.setUpAll({
      administrator: { name: 'Ada', password: 'correct horse battery' },
      roles: [],
      users: [],
    });
    await data.secrets.put(['a password'], 'Ada');
  }
  for (let save = 0; save < 40; save++) {
    const definition = pipelineDefinition.parse({ id: `p${save}`, name: 'x'.repeat(60) });
    if (data.projects.pipeline('line-7', definition.id) === null)
      data.projects.createPipeline('line-7', definition, 'Ada');
  }
  await data.audit.record({ act: 'key.create', target: 'x', user: 'Ada' });
  for (const name of ['outbox.sqlite', 'history.sqlite']) useDatabase(join(dataDir, name));
  openHeld(data, dataDir).write([]);
  mkdirSync(join(dataDir, 'journal/gateway'), { recursive: true });
  writeFileSync(join(dataDir, 'journal/gateway/000001.jsonl'), '');
  await data.close();
}

beforeAll(async () => {
  await useOnce(base());
  cpSync(base(), older(), { recursive: true });
  await useOnce(base());
}, 60_000);

type Damage = (file: string, bytes: Buffer, name: string) => void;
const DAMAGES: Record<string, Damage> = {
  missing: (file) => rmSync(file, { recursive: true }),
  emptied: (file) => writeFileSync(file, ''),
  truncated: (file, bytes) => writeFileSync(file, bytes.subarray(0, bytes.length / 2)),
  'junk at its head': (file, bytes) => writeFileSync(file, Buffer.concat([randomBytes(100), bytes.subarray(100)])),
  'junk in its middle': (file, bytes) => {
    const at = bytes.length < 4 * PAGE ? bytes.length >> 1 : Math.floor(bytes.length / PAGE / 2) * PAGE;
    writeFileSync(file, Buffer.concat([bytes.subarray(0, at), randomBytes(PAGE), bytes.subarray(at + PAGE)]));
  },
  'an older copy': (file, _, name) => cpSync(join(older(), name), file),
};
/** Stores without which the service does not start, and those whose loss raises an alarm: all of these at once. */
const REFUSED = ['vault.db', 'projects.sqlite'];
const TOLD = ['outbox.sqlite', 'history.sqlite', 'anchors', HELD_FILE];
const MANNERS = Object.keys(DAMAGES).filter((manner) => manner !== 'an older copy');

async function copyOfBase(dir: TempDir): Promise<string> {
  const dataDir = join(dir.path, 'data');
  cpSync(base(), dataDir, { recursive: true });
  return dataDir;
}

function damage(dataDir: string, store: string, manner: string): void {
  const file = join(dataDir, store);
  DAMAGES[manner]?.(file, readFileSync(file), store);
}

describe('checks of a data folder in use', () => {
  test.for(REFUSED.flatMap((store) => MANNERS.map((manner) => [store, manner] as const)))(
    '%s, %s, is refused with the file and a way to recover',
    async ([store, manner]) => {
      await using dir = await tempDir();
      const dataDir = await copyOfBase(dir);
      damage(dataDir, store, manner);
      const error: unknown = await open(dataDir).catch((refusal: unknown) => refusal);
      expect(error).toBeInstanceOf(VaultError);
      expect(String(error)).toContain(join(dataDir, store));
      expect(String(error)).toContain('sluice restore');
    },
  );

  test.for(MANNERS)('stores of the gateway, the anchors and held changes, %s, are named', WIDE, async (manner) => {
    await using dir = await tempDir();
    const dataDir = await copyOfBase(dir);
    for (const store of TOLD) damage(dataDir, store, manner);
    const data = await open(dataDir);
    // The older of the two slots of held changes is at the head.
    const lost = manner === 'junk at its head' ? TOLD.filter((store) => store !== HELD_FILE) : TOLD;
    expect(data.lostStores().map(({ store }) => store)).toEqual(expect.arrayContaining(lost));
    expect(data.lostStores()).toHaveLength(lost.length);
    await data.close();
  });

  test('older copies are named, and so is a missing journal', WIDE, async () => {
    await using dir = await tempDir();
    const dataDir = await copyOfBase(dir);
    for (const store of ['projects.sqlite', 'outbox.sqlite', 'history.sqlite', HELD_FILE])
      damage(dataDir, store, 'an older copy');
    rmSync(join(dataDir, 'journal/host'), { recursive: true });
    const data = await open(dataDir);
    expect(data.lostStores()).toEqual([
      { store: 'projects.sqlite', fault: 'older' },
      { store: 'outbox.sqlite', fault: 'older' },
      { store: 'history.sqlite', fault: 'older' },
      { store: 'journal/host', fault: 'missing' },
      { store: HELD_FILE, fault: 'older' },
    ]);
    expect(data.vault.rolledBack).toBe(false);
    await data.close();
  });

  test('an older vault is named', WIDE, async () => {
    await using dir = await tempDir();
    const dataDir = await copyOfBase(dir);
    damage(dataDir, 'vault.db', 'an older copy');
    const data = await open(dataDir);
    expect(data.vault.notices.map(({ code }) => code)).toContain('vault_rolled_back');
    await data.close();
  });

  test('an intact one is not reported, across starts', async () => {
    const data = await open(base());
    expect([data.lostStores(), data.vault.rolledBack]).toEqual([[], false]);
    await data.close();
  });
});

describe('a lost store', () => {
  async function withoutOutbox(dir: TempDir): Promise<string> {
    const dataDir = await copyOfBase(dir);
    rmSync(join(dataDir, 'outbox.sqlite'));
    return dataDir;
  }
  const lostIn = async (dataDir: string): Promise<unknown> => {
    const data = await open(dataDir);
    useDatabase(join(dataDir, 'outbox.sqlite'));
    const lost = data.lostStores();
    await data.close();
    return lost;
  };

  test('stays lost across starts, even if it is created again, until a user accepts it', WIDE, async () => {
    await using dir = await tempDir();
    const dataDir = await withoutOutbox(dir);
    for (let start = 0; start < 2; start++)
      expect(await lostIn(dataDir)).toEqual([{ store: 'outbox.sqlite', fault: 'missing' }]);
    const data = await open(dataDir);
    await data.confirmVault();
    expect(data.lostStores()).toEqual([]);
    await expect(data.confirmVault()).rejects.toMatchObject({ code: 'conflict' });
    await data.close();
    expect(await lostIn(dataDir)).toEqual([]);
  });

  test('that is the file of held changes remains lost, even if it is created again', WIDE, async () => {
    await using dir = await tempDir();
    const dataDir = await copyOfBase(dir);
    rmSync(join(dataDir, HELD_FILE));
    for (let start = 0; start < 2; start++) {
      const data = await open(dataDir);
      expect(data.lostStores()).toEqual([{ store: HELD_FILE, fault: 'missing' }]);
      openHeld(data, dataDir).write([]);
      if (start === 1) await data.confirmVault();
      await data.close();
    }
    expect(await lostIn(dataDir)).toEqual([]);
  });

  test('is found again when the right file is restored', async () => {
    await using dir = await tempDir();
    const dataDir = await withoutOutbox(dir);
    expect(await lostIn(dataDir)).toHaveLength(1);
    cpSync(join(base(), 'outbox.sqlite'), join(dataDir, 'outbox.sqlite'));
    expect(await lostIn(dataDir)).toEqual([]);
  });

  test('that is the project store is created again only at the request of a user', async () => {
    await using dir = await tempDir();
    const dataDir = await copyOfBase(dir);
    rmSync(join(dataDir, 'projects.sqlite'));
    await expect(open(dataDir)).rejects.toThrow(/projects\.sqlite is missing.*sluice vault confirm/);
    const data = await open(dataDir, { withoutProjects: true });
    expect(data.projects.projects()).toEqual([]);
    await data.confirmVault();
    await data.close();
    expect(await lostIn(dataDir)).toEqual([]);
  });

  test('is refused too when the vault is of a release without stamps', async () => {
    await using dir = await tempDir();
    const dataDir = await copyOfBase(dir);
    const data = await open(dataDir);
    await data.vault.mutate((db) => db.run("DELETE FROM meta WHERE name = 'stores'"));
    const vault = readFileSync(join(dataDir, 'vault.db'));
    await data.close();
    writeFileSync(join(dataDir, 'vault.db'), vault);
    for (const name of readdirSync(dataDir)) if (name.startsWith('projects.sqlite')) rmSync(join(dataDir, name));
    await expect(open(dataDir)).rejects.toThrow(/projects\.sqlite is missing/);
  });
});
