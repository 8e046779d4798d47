import { randomBytes } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from 'vitest';
import { createKeyHasher } from '#common/node/key-hash.ts';
import { pipelineDefinition } from '#common/model/pipeline.ts';
import { dirPerFile } from '#test/test-dir.ts';
import { backupFoldersPerTest, file, home, spare } from './testing/backup-folders.ts';
import type { KeyStore } from '../key-contracts.ts';
import { diskEdge, type FileEdge } from '#common/node/atomic-file.ts';
import { writeAnchors } from '../audit/anchors.ts';
import type { KeychainClient } from '../keychain/keychain-client.ts';
import { openProjectStore } from '../projects/project-store.ts';
import { restoreBackup, writeBackup } from './backup.ts';
import { encrypt } from './backup-cipher.ts';
import { createKeyStore } from './key-store.ts';
import type { OpenedVault } from './live-vault.ts';
import type { RestoreReport } from './restore.ts';
import { PENDING_FILE } from './swap.ts';
import { dyingDisk } from './testing/dying-disk.ts';
import { note, notes, openTestVault, silent } from './testing/open-test-vault.ts';

const PASSPHRASE = 'twelve chars';
/** Each scrypt intentionally takes most of a second. */
const WIDE = { timeout: 120_000 };

backupFoldersPerTest();
/**
 * A folder in use (`home`), its backup (`file`) and the value of the key, created once: most tests begin with a copy.
 */
const sample = dirPerFile();
let sampleValue: string;

beforeAll(async () => {
  sampleValue = await filled(join(sample.path, 'home'));
  await backUp(join(sample.path, 'home'), { to: join(sample.path, 'file') });
}, WIDE.timeout);

const keysOf = (vault: OpenedVault): KeyStore =>
  createKeyStore(vault, { now: Date.now, randomBytes, lastUsed: () => null });
const verifies = (vault: OpenedVault, value: string): boolean => {
  const hash = createKeyHasher(vault.derive('api-key-pepper'))(value).toString('hex');
  return keysOf(vault)
    .entries()
    .some((entry) => entry.hash === hash && !entry.revoked);
};

/** A folder in use: a key, a note, a project, a file, a plugin, a journal. Returns the value of the key. */
async function filled(dataDir: string, more: { journal?: boolean; pad?: number } = {}): Promise<string> {
  const vault = await openTestVault(dataDir);
  const { value } = await keysOf(vault).create({ project: 'line-7', name: 'MES', scopes: [], by: 'anna' });
  await note(vault, 'a', 'a-setting-nobody-may-read');
  const projects = openProjectStore({ file: join(dataDir, 'projects.sqlite'), now: Date.now });
  projects.createProject({ id: 'line-7', name: 'Line 7' });
  projects.createPipeline('line-7', pipelineDefinition.parse({ id: 'orders', name: 'Orders' }), 'anna');
  projects.close();
  mkdirSync(join(dataDir, 'projects/line-7/files'), { recursive: true });
  writeFileSync(join(dataDir, 'projects/line-7/files/list.csv'), Buffer.alloc(more.pad ?? 10, 'x'));
  symlinkSync('/etc/passwd', join(dataDir, 'projects/line-7/files/link'));
  if (more.journal !== false) {
    mkdirSync(join(dataDir, 'journal/host'), { recursive: true });
    writeFileSync(join(dataDir, 'journal/host/1.jsonl'), 'rows');
  }
  await vault.close();
  return value;
}

async function backUp(
  dataDir: string,
  { to = file, ...more }: { includeJournal?: boolean; to?: string } = {},
): Promise<Buffer> {
  const vault = await openTestVault(dataDir);
  const bytes = await buffer(await writeBackup({ vault, dataDir, passphrase: PASSPHRASE, ...more }));
  await vault.close();
  writeFileSync(to, bytes);
  return bytes;
}

/** In the state in which `filled` and then `backUp` of `home` would leave it. */
function filledAndBackedUp(): string {
  cpSync(join(sample.path, 'home'), home.path, { recursive: true, verbatimSymlinks: true });
  copyFileSync(join(sample.path, 'file'), file);
  return sampleValue;
}

const restore = (dataDir: string, more: Partial<Parameters<typeof restoreBackup>[0]> = {}): Promise<RestoreReport> =>
  restoreBackup({ file, passphrase: PASSPHRASE, dataDir, secretStore: 'file', packaged: false, log: silent, ...more });

/** Like `writeArchive`, but with any names. */
async function* rawArchive(entries: { name: string; bytes: Uint8Array }[]): AsyncGenerator<Uint8Array> {
  for (const { name, bytes } of entries) {
    const head = Buffer.alloc(10 + name.length);
    head.writeUInt16BE(name.length);
    head.write(name, 2);
    head.writeBigUInt64BE(BigInt(bytes.length), 2 + name.length);
    yield head;
    yield bytes;
  }
  yield Buffer.alloc(2);
}

describe('a backup', WIDE, () => {
  test('restored on a spare PC accepts every key, under another secret, with projects and files', async () => {
    const value = filledAndBackedUp();
    const data = join(spare.path, 'data');
    expect(await restore(data)).toMatchObject({ replaced: null, journal: 'none' });
    expect(readFileSync(join(data, 'vault.secret'), 'utf8')).not.toBe(
      readFileSync(join(home.path, 'vault.secret'), 'utf8'),
    );
    const vault = await openTestVault(data);
    expect(verifies(vault, value)).toBe(true);
    expect(notes(vault)).toEqual(['a']);
    expect(vault.rolledBack).toBe(false);
    const added = await keysOf(vault).create({ project: 'line-7', name: 'new', scopes: [], by: 'x' });
    expect(verifies(vault, added.value)).toBe(true);
    await vault.close();
    const projects = openProjectStore({ file: join(data, 'projects.sqlite'), now: Date.now });
    expect(projects.pipelines('line-7')).toHaveLength(1);
    projects.close();
    expect(readdirSync(join(data, 'projects/line-7/files'))).toEqual(['list.csv']);
    expect(statSync(join(data, 'projects/line-7/files/list.csv')).mode & 0o777).toBe(0o600);
    expect(readdirSync(data).filter((name) => name.startsWith('.') || name === 'journal')).toEqual([]);
  });

  test('of a restored vault can be restored again', async () => {
    const value = filledAndBackedUp();
    await restore(join(spare.path, 'one'));
    await backUp(join(spare.path, 'one'));
    await restore(join(spare.path, 'two'));
    const vault = await openTestVault(join(spare.path, 'two'));
    expect(verifies(vault, value)).toBe(true);
    await vault.close();
  });

  test('can be restored under a systemd credential', async () => {
    const value = filledAndBackedUp();
    writeFileSync(join(spare.path, 'sluice-secret'), 'cd'.repeat(32));
    const options = { secretStore: 'credential', stores: { credentialsDir: spare.path } } as const;
    await restore(join(spare.path, 'data'), options);
    const vault = await openTestVault(join(spare.path, 'data'), options);
    expect([verifies(vault, value), vault.rolledBack, vault.secretStore]).toEqual([true, false, 'credential']);
    await vault.close();
  });

  test('includes the journal on request', async () => {
    await filled(home.path);
    await backUp(home.path, { includeJournal: true });
    const data = join(spare.path, 'data');
    expect(await restore(data)).toMatchObject({ journal: 'restored' });
    expect(readFileSync(join(data, 'journal/host/1.jsonl'), 'utf8')).toBe('rows');
  });

  test('shows nothing of its content, and leaves nothing behind in the folder', async () => {
    const value = await filled(home.path);
    const bytes = await backUp(home.path);
    for (const text of [
      value,
      value.slice(4, 16),
      'a-setting-nobody-may-read',
      'orders',
      'SQLite format',
      'list.csv',
    ]) {
      expect(bytes.includes(text)).toBe(false);
    }
    expect(readdirSync(home.path).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  test('that is cancelled half-way leaves nothing behind either', async () => {
    await filled(home.path);
    const vault = await openTestVault(home.path);
    const stream = await writeBackup({ vault, dataDir: home.path, passphrase: PASSPHRASE });
    const closed = new Promise((resolve) => stream.once('close', resolve));
    stream.destroy();
    await closed;
    await expect.poll(() => readdirSync(home.path).filter((name) => name.startsWith('.'))).toEqual([]);
    await vault.close();
  });

  test('is limited to two at a time, since each stores copies on the disk', async () => {
    await filled(home.path);
    const vault = await openTestVault(home.path);
    const make = () => writeBackup({ vault, dataDir: home.path, passphrase: PASSPHRASE });
    const made = await Promise.allSettled([make(), make(), make()]);
    expect(made.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect(made.at(-1)).toMatchObject({ reason: { code: 'conflict' } });
    for (const one of made) if (one.status === 'fulfilled') one.value.destroy();
    await expect.poll(() => readdirSync(home.path).filter((name) => name.startsWith('.'))).toEqual([]);
    (await make()).destroy();
    await expect.poll(() => readdirSync(home.path).filter((name) => name.startsWith('.'))).toEqual([]);
    await vault.close();
  });

  test('refuses a passphrase of less than twelve characters', async () => {
    const vault = await openTestVault(home.path);
    const writing = writeBackup({ vault, dataDir: home.path, passphrase: 'eleven char' });
    await expect(writing).rejects.toThrow('The passphrase has 11 characters; expected at least 12.');
    await vault.close();
  });
});

describe('a restore that fails', WIDE, () => {
  test('leaves the folder unchanged: wrong passphrase, cut, damaged, extended, or not a backup at all', async () => {
    await filled(home.path, { pad: 2_200_000 });
    const bytes = await backUp(home.path);
    const data = join(spare.path, 'data');
    const old = await filled(data);
    const before = readdirSync(data).toSorted();
    const vaultBefore = readFileSync(join(data, 'vault.db'));
    const flip = (at: number): Buffer => Buffer.from(bytes.map((byte, index) => (index === at ? byte ^ 4 : byte)));
    const chunk = 28 + 1024 ** 2 + 16;
    const damaged: [string, Uint8Array][] = [
      ['backup', Buffer.alloc(0)],
      ['passphrase', bytes.subarray(0, 28)],
      // Exactly after a chunk: only the mark of the last chunk shows that data is missing.
      ['passphrase', bytes.subarray(0, chunk)],
      ['backup', bytes.subarray(0, chunk + 1024 ** 2 + 16)],
      ['backup', bytes.subarray(0, -1)],
      ['backup', Buffer.concat([bytes, Buffer.alloc(1)])],
      ['passphrase', flip(5_000)],
      ['backup', flip(chunk + 5_000)],
      ['backup', flip(bytes.length - 1)],
    ];
    for (const [reason, content] of damaged) {
      writeFileSync(file, content);
      await expect(restore(data)).rejects.toMatchObject({ name: 'VaultError', reason });
    }
    writeFileSync(file, bytes);
    await expect(restore(data, { passphrase: 'another passphrase' })).rejects.toThrow(
      'The passphrase does not open this backup',
    );
    await expect(restore(data, { file: join(spare.path, 'none') })).rejects.toThrow(/none cannot be read \(ENOENT\)/);
    expect(readdirSync(data).toSorted()).toEqual(before);
    expect(readFileSync(join(data, 'vault.db')).equals(vaultBefore)).toBe(true);
    const vault = await openTestVault(data);
    expect([verifies(vault, old), vault.rolledBack]).toEqual([true, false]);
    await vault.close();
  });

  test.each([
    ['a place outside', '../evil', 'x', /cannot be in a backup/],
    [
      'a file that is not Sluice’s to restore',
      'vault.secret',
      'x',
      /vault\.secret, which this version of Sluice does not know/,
    ],
    ['a database that is damaged', 'projects.sqlite', 'x'.repeat(5_000), /database in the backup is damaged/],
  ])('is refused when the backup contains %s', async (_, name, text, message) => {
    const vault = await openTestVault(home.path);
    const { image, derivationRoot, generation } = vault.backupContents();
    await vault.close();
    const manifest = { format: 1, createdAt: '', generation, derivationRoot: derivationRoot.toString('base64url') };
    const crafted = [
      { name: 'manifest.json', bytes: Buffer.from(JSON.stringify(manifest)) },
      { name: 'vault.image', bytes: image },
      { name, bytes: Buffer.from(text) },
    ];
    writeFileSync(file, await buffer(encrypt(PASSPHRASE, rawArchive(crafted))));
    const data = join(spare.path, 'data');
    await expect(restore(data)).rejects.toThrow(message);
    expect(readdirSync(data)).toEqual(['lock.sqlite']);
    expect(existsSync(join(spare.path, 'evil'))).toBe(false);
  });

  test('is refused while a Sluice runs on the folder', async () => {
    filledAndBackedUp();
    const vault = await openTestVault(home.path);
    await expect(restore(home.path)).rejects.toMatchObject({ reason: 'locked' });
    await vault.close();
  });

  test('leaves the old or the new files when it crashes during the swap', async () => {
    const value = filledAndBackedUp();
    const found = new Set<boolean>();
    for (const step of [3, 4, 6, 14]) {
      const data = join(spare.path, `data-${step}`);
      await filled(data);
      await restore(data, { files: dyingDisk(step, 'after') }).catch(() => {});
      const vault = await openTestVault(data);
      found.add(verifies(vault, value));
      expect(keysOf(vault).entries()).toHaveLength(1);
      await note(vault, 'b');
      await vault.close();
      const projects = openProjectStore({ file: join(data, 'projects.sqlite'), now: Date.now });
      expect(projects.pipelines('line-7')).toHaveLength(1);
      projects.close();
    }
    expect(found).toEqual(new Set([false, true]));
  });
});

describe('a restore over a folder in use', WIDE, () => {
  test('counts as rolled back, so that a key revoked since then is detected, and journal and old files are kept', async () => {
    const value = filledAndBackedUp();
    const vault = await openTestVault(home.path);
    const [key] = keysOf(vault).list();
    await keysOf(vault).revoke(key?.id ?? '', 'anna');
    await vault.close();
    const report = await restore(home.path);
    expect(report).toMatchObject({ replaced: expect.stringContaining('replaced-'), journal: 'kept' });
    const restored = await openTestVault(home.path);
    expect([restored.rolledBack, verifies(restored, value)]).toEqual([true, true]);
    await restored.close();
    expect(readFileSync(join(home.path, 'journal/host/1.jsonl'), 'utf8')).toBe('rows');
    // SQLite's side files go with their database, where there are some.
    const kept = readdirSync(report.replaced ?? '').filter((name) => !/-(?:wal|shm)$/.test(name));
    expect(kept.toSorted()).toEqual(['projects', 'projects.sqlite', 'vault.db', 'vault.db.previous', 'vault.secret']);
  });

  test("of another installation removes that one's journal and is not a rollback", async () => {
    filledAndBackedUp();
    const data = join(spare.path, 'data');
    await filled(data);
    copyFileSync(join(data, 'journal/host/1.jsonl'), join(data, 'stranger'));
    expect(await restore(data)).toMatchObject({ journal: 'none' });
    const vault = await openTestVault(data);
    expect(vault.rolledBack).toBe(false);
    await vault.close();
    expect([existsSync(join(data, 'journal')), existsSync(join(data, 'stranger'))]).toEqual([false, true]);
  });

  test("of another installation keeps only a journal whose anchors prove it to be the backup's own", async () => {
    filledAndBackedUp();
    const data = join(spare.path, 'data');
    await filled(data);
    writeFileSync(join(data, 'history.sqlite'), 'somebody’s history');
    const vault = await openTestVault(home.path);
    await writeAnchors(join(data, 'anchors'), vault.derive('anchors'), { heads: [], broken: [] });
    await vault.close();
    expect(await restore(data)).toMatchObject({ journal: 'kept' });
    expect([existsSync(join(data, 'journal/host/1.jsonl')), existsSync(join(data, 'history.sqlite'))]).toEqual([
      true,
      false,
    ]);
    const restored = await openTestVault(data);
    expect(restored.rolledBack).toBe(true);
    await restored.close();
  });

  test.each([
    ['that opens', false],
    ['that cannot be opened', true],
  ])('of another installation, with a vault %s, does not trust its anchors', async (_, sealed) => {
    filledAndBackedUp();
    const data = join(spare.path, 'data');
    await filled(data);
    const other = await openTestVault(data);
    await writeAnchors(join(data, 'anchors'), other.derive('anchors'), { heads: [], broken: [] });
    await other.close();
    // Encrypted for its service only, as in the .deb.
    if (sealed) rmSync(join(data, 'vault.secret'));
    expect(await restore(data)).toMatchObject({ journal: 'none' });
    expect([existsSync(join(data, 'journal')), existsSync(join(data, 'anchors'))]).toEqual([false, false]);
    const vault = await openTestVault(data);
    expect(vault.rolledBack).toBe(false);
    await vault.close();
  });

  test('whose vault is lost but whose journal exists counts as rolled back', async () => {
    filledAndBackedUp();
    const data = join(spare.path, 'data');
    mkdirSync(join(data, 'journal'), { recursive: true });
    expect(await restore(data)).toMatchObject({ journal: 'kept' });
    const vault = await openTestVault(data);
    expect(vault.rolledBack).toBe(true);
    await vault.close();
  });
});

describe('an error after the swap', WIDE, () => {
  /** A keychain in memory, shared by its clients; `broken` is called whenever one is created. */
  function keychain(broken: () => boolean = () => false): () => KeychainClient {
    const entries = new Map<string, string>();
    return () => {
      if (broken()) throw new Error('the keychain does not start');
      return {
        get: async (account) => entries.get(account) ?? null,
        set: async (account, value) => void entries.set(account, value),
        remove: async (account) => void entries.delete(account),
        close: () => {},
      };
    };
  }
  const swapped = (): boolean =>
    readdirSync(home.path).some((name) => name.startsWith('replaced-')) && !existsSync(join(home.path, PENDING_FILE));

  test("does not undo the restore or remove the secret of the vault: the old one's keychain", async () => {
    filledAndBackedUp();
    rmSync(home.path, { recursive: true });
    let watched = false;
    const stores = { keychain: keychain(() => watched && swapped()) };
    await (await openTestVault(home.path, { secretStore: 'keychain', stores })).close();
    watched = true;
    await expect(restore(home.path, { secretStore: 'keychain', stores })).resolves.toMatchObject({
      replaced: expect.stringContaining('replaced-'),
    });
    watched = false;
    const vault = await openTestVault(home.path, { stores });
    expect(verifies(vault, sampleValue)).toBe(true);
    await vault.close();
  });

  test("does not undo the restore or remove the secret of the vault: the folder's flush", async () => {
    const value = filledAndBackedUp();
    const files: FileEdge = {
      ...diskEdge,
      async syncFolder(path) {
        if (swapped()) throw new Error('the disk does not flush');
        await diskEdge.syncFolder(path);
      },
    };
    await restore(home.path, { files });
    const vault = await openTestVault(home.path);
    expect(verifies(vault, value)).toBe(true);
    await vault.close();
  });
});
