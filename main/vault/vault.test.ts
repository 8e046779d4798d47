import { fork } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { diskEdge } from '#common/node/atomic-file.ts';
import type { ChainHead } from '#common/model/audit.ts';
import { tempDir } from '#test/temp-dir.ts';
import { dirPerTest } from '#test/test-dir.ts';
import { readJournalHeads } from './journal-heads.ts';
import type { OpenedVault } from './live-vault.ts';
import { WAITING_MAX } from './mutation-queue.ts';
import { note, notes, openTestVault } from './testing/open-test-vault.ts';

const dir = dirPerTest();
let vault: OpenedVault | null = null;

afterEach(async () => {
  await vault?.close();
  vault = null;
});

const open = async (more: Parameters<typeof openTestVault>[1] = {}): Promise<OpenedVault> =>
  (vault = await openTestVault(dir.path, more));
const path = (name: string): string => join(dir.path, name);

describe('a vault', () => {
  test('keeps its data, and derives the same keys, after a restart', async () => {
    const first = await open();
    await note(first, 'a');
    const pepper = first.derive('api-key-pepper');
    await first.close();
    const second = await open();
    expect(notes(second)).toEqual(['a']);
    expect(second.derive('api-key-pepper')).toEqual(pepper);
    expect(second.derive('anchors')).not.toEqual(pepper);
    expect(second.generation).toBe(2);
    expect(second.rolledBack).toBe(false);
  });

  test('leaves nothing of its content readable in its files', async () => {
    const first = await open();
    await note(first, 'a', 'a-secret-nobody-may-read');
    for (const name of readdirSync(dir.path)) {
      expect(readFileSync(path(name)).includes('a-secret-nobody-may-read')).toBe(false);
    }
  });

  test('is in a folder and in files that only its owner can access', async () => {
    await note(await open(), 'a');
    expect(statSync(dir.path).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(dir.path))
      expect(`${name} ${(statSync(path(name)).mode & 0o777).toString(8)}`).toBe(`${name} 600`);
  });

  test('writes waiting changes together as one generation', async () => {
    const first = await open();
    await Promise.all(Array.from({ length: 50 }, (_, index) => note(first, `n${index}`)));
    expect(notes(first)).toHaveLength(50);
    expect(first.generation).toBe(2);
  });

  test('undoes a change that throws and keeps the others of the batch', async () => {
    const first = await open();
    const bad = first.mutate((db) => {
      db.run("INSERT INTO settings VALUES ('half', '1', '', '')");
      throw new Error('changed my mind');
    });
    const results = await Promise.allSettled([note(first, 'a'), bad, note(first, 'b')]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(notes(first)).toEqual(['a', 'b']);
  });

  test('refuses an asynchronous change', async () => {
    const first = await open();
    await expect(first.mutate(async (db) => void db.run('DELETE FROM settings'))).rejects.toThrow(
      'must be synchronous',
    );
  });

  test('shows a change to readers only once it is on disk', async () => {
    const first = await open();
    const writing = note(first, 'a');
    await Promise.resolve();
    await Promise.resolve();
    expect(notes(first)).toEqual([]);
    await writing;
    expect(notes(first)).toEqual(['a']);
  });

  test('returns a copy that cannot change the image', async () => {
    const first = await open();
    await note(first, 'a');
    expect(() => first.read((db) => db.run('DELETE FROM settings'))).toThrow('readonly');
    expect(notes(first)).toEqual(['a']);
  });

  test('rejects and undoes a change that the disk does not accept, and continues when it does again', async () => {
    let full = false;
    const create: typeof diskEdge.create = async (file, bytes) => {
      if (full) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
      await diskEdge.create(file, bytes);
    };
    const first = await open({ files: { ...diskEdge, create } });
    await note(first, 'a');
    full = true;
    await expect(note(first, 'lost')).rejects.toMatchObject({ code: 'internal' });
    expect(notes(first)).toEqual(['a']);
    full = false;
    await note(first, 'b');
    await first.close();
    expect(notes(await open())).toEqual(['a', 'b']);
  });

  test('puts the old file back when the folder cannot be flushed after the rename', async () => {
    let failing = false;
    const syncFolder: typeof diskEdge.syncFolder = async (folder) => {
      if (failing) throw new Error('input/output error');
      await diskEdge.syncFolder(folder);
    };
    const first = await open({ files: { ...diskEdge, syncFolder } });
    await note(first, 'a');
    const before = readFileSync(path('vault.db'));
    failing = true;
    await expect(note(first, 'lost')).rejects.toMatchObject({ code: 'internal' });
    expect(readFileSync(path('vault.db')).equals(before)).toBe(true);
  });

  test('rejects a write that is not read back as it was written', async () => {
    let flipping = false;
    const read: typeof diskEdge.read = async (file) => {
      const bytes = Buffer.from(await diskEdge.read(file));
      if (flipping) bytes[100] = (bytes[100] ?? 0) ^ 1;
      return bytes;
    };
    const first = await open({ files: { ...diskEdge, read } });
    await note(first, 'a');
    flipping = true;
    await expect(note(first, 'lost')).rejects.toMatchObject({ code: 'internal' });
    expect(notes(first)).toEqual(['a']);
    await first.close();
    expect(notes(await open())).toEqual(['a']);
  });

  test('refuses more waiting changes than its limit', async () => {
    const first = await open();
    const results = await Promise.allSettled(
      Array.from({ length: WAITING_MAX + 5 }, (_, index) => note(first, `n${index}`)),
    );
    const refused = results.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(5);
    expect(refused[0]).toMatchObject({ reason: { code: 'overloaded' } });
  });

  test('saves the journal heads with each write and at stop', async () => {
    const head = (seq: number): ChainHead => ({
      chain: 'host',
      seq,
      hash: `${seq}`.repeat(64).slice(0, 64),
      time: 't',
    });
    let heads = [head(1)];
    const first = await open({ heads: () => heads });
    await note(first, 'a');
    expect(readJournalHeads(first)).toEqual([head(1)]);
    heads = [head(2)];
    await first.close();
    const second = await open();
    expect(readJournalHeads(second)).toEqual([head(2)]);
  });

  test('reports that its secret is in a file, without the keychain', async () => {
    expect((await open()).notices).toEqual([expect.objectContaining({ code: 'secret_unprotected' })]);
  });

  test('does not respond after it was closed', async () => {
    const first = await open();
    await first.close();
    await first.close();
    await expect(note(first, 'a')).rejects.toMatchObject({ reason: 'closed' });
    expect(() => notes(first)).toThrow('closed');
  });
});

describe('the data folder', () => {
  test('that cannot be one is refused in one plain sentence', async () => {
    writeFileSync(path('file'), '');
    await expect(openTestVault(path('file'))).rejects.toThrow(
      /^The data folder .*file cannot be used \(EEXIST\); expected a folder/,
    );
  });

  test('whose vault.db is not a file gets an error that names a way to recover', async () => {
    mkdirSync(path('vault.db'));
    await expect(open()).rejects.toThrow(/vault\.db cannot be opened: it cannot be read \(EISDIR\)\. .*sluice restore/);
  });
});

describe('the lock', () => {
  test('keeps a second opener in the same process out until the first closes', async () => {
    const first = await open();
    await expect(openTestVault(dir.path)).rejects.toThrow(
      /^Another Sluice is running on the data folder .*; stop it first\.$/,
    );
    await first.close();
    await open();
  });

  test('keeps a second process out, and a killed one leaves no lock behind', async () => {
    const child = fork(fileURLToPath(new URL('./testing/holder.ts', import.meta.url)), [dir.path], { execArgv: [] });
    await once(child, 'message');
    await expect(openTestVault(dir.path)).rejects.toMatchObject({ reason: 'locked' });
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(notes(await open())).toEqual(['held']);
  });
});

describe('a vault that lost a file', () => {
  async function made(names: string[]): Promise<void> {
    const first = await openTestVault(dir.path);
    for (const name of names) await note(first, name);
    await first.close();
  }

  test.each([
    ['vault.db', 'missing', /vault\.db\.previous .* rename vault\.db\.previous to vault\.db, .*sluice restore/],
    ['vault.secret', 'secret_lost', /vault\.secret beside it is missing or damaged.*sluice restore/],
  ])('is an error without %s, not an empty vault', async (name, reason, message) => {
    await made(['a']);
    const before = readdirSync(dir.path).filter((file) => file !== name);
    rmSync(path(name));
    const error: unknown = await open().catch((error: unknown) => error);
    expect(error).toMatchObject({ reason, message: expect.stringMatching(message) });
    expect(readdirSync(dir.path)).toEqual(before);
  });

  test('is an error when only the project store or the secret is left', async () => {
    await made(['a']);
    for (const name of ['vault.db', 'vault.db.previous']) rmSync(path(name));
    await expect(open()).rejects.toMatchObject({ reason: 'missing' });
    rmSync(path('vault.secret'));
    writeFileSync(path('projects.sqlite'), '');
    await expect(open()).rejects.toMatchObject({ reason: 'missing' });
    expect(existsSync(path('vault.db'))).toBe(false);
  });

  test('names its previous generation when that is intact, and opens it as rolled back once renamed', async () => {
    await made(['a', 'b']);
    writeFileSync(path('vault.db'), 'rubbish');
    await expect(open()).rejects.toThrow(
      /cannot be opened: it is cut short\. Its previous generation, 2, is intact: rename/,
    );
    renameSync(path('vault.db.previous'), path('vault.db'));
    const second = await open();
    expect(notes(second)).toEqual(['a']);
    expect(second.rolledBack).toBe(true);
  });

  test('reports that its previous generation is missing too', async () => {
    await made(['a']);
    for (const name of ['vault.db', 'vault.db.previous']) writeFileSync(path(name), 'rubbish');
    await expect(open()).rejects.toThrow('There is no previous generation that can be opened: restore a backup');
  });

  test('does not open with a secret that others can read', async () => {
    await made([]);
    chmodSync(path('vault.secret'), 0o640);
    await expect(open()).rejects.toThrow(/open to other users; expected mode 0600/);
  });

  test('does not open with the secret of another vault', async () => {
    await made([]);
    await using other = await tempDir();
    await (await openTestVault(other.path)).close();
    copyFileSync(join(other.path, 'vault.secret'), path('vault.secret'));
    await expect(open()).rejects.toMatchObject({ reason: 'secret_lost' });
  });

  test('does not open an image of a later release', async () => {
    const first = await openTestVault(dir.path);
    await first.mutate((db) => void db.run('PRAGMA user_version = 99'));
    await first.close();
    await expect(open()).rejects.toMatchObject({ reason: 'too_new' });
  });
});

describe('a restored older image', () => {
  test('is opened as rolled back, and stays so across writes and restarts until it is confirmed', async () => {
    const first = await openTestVault(dir.path);
    await note(first, 'a');
    const older = readFileSync(path('vault.db'));
    await note(first, 'b');
    await first.close();
    writeFileSync(path('vault.db'), older);

    const second = await open();
    expect(second.rolledBack).toBe(true);
    expect(second.notices.map(({ code }) => code)).toContain('vault_rolled_back');
    await note(second, 'c');
    expect(second.generation).toBe(4);
    await second.close();

    const third = await open();
    expect(third.rolledBack).toBe(true);
    await third.confirmRollback();
    expect(third.rolledBack).toBe(false);
    await third.close();
    expect((await open()).rolledBack).toBe(false);
  });

  test('does not count as rolled back after a crash before the keychain write', async () => {
    const first = await openTestVault(dir.path);
    const secretBefore = readFileSync(path('vault.secret'));
    await note(first, 'a');
    await first.close();
    writeFileSync(path('vault.secret'), secretBefore);
    const second = await open();
    expect(second.rolledBack).toBe(false);
    expect(readFileSync(path('vault.secret')).equals(secretBefore)).toBe(false);
  });
});

describe('the systemd credential', () => {
  const credential = async (content: string | Buffer): Promise<string> => {
    writeFileSync(path('sluice-secret'), content);
    return dir.path;
  };

  test('opens the vault, and a lost generation file counts as rolled back', async () => {
    const credentialsDir = await credential('ab'.repeat(32));
    await using data = await tempDir();
    const options = { secretStore: 'credential', stores: { credentialsDir } } as const;
    const first = await openTestVault(data.path, options);
    expect(first.secretStore).toBe('credential');
    expect(first.notices).toEqual([]);
    await note(first, 'a');
    await first.close();
    rmSync(join(data.path, 'vault.generation'));
    const second = await openTestVault(data.path, options);
    expect(second.rolledBack).toBe(true);
    await second.close();
    const third = await openTestVault(data.path, options);
    expect(third.rolledBack).toBe(true);
    await third.close();
  });

  test('is refused with the reason when it is missing or not 32 bytes', async () => {
    await expect(open({ secretStore: 'credential', stores: { credentialsDir: '' } })).rejects.toThrow(
      /CREDENTIALS_DIRECTORY is not set/,
    );
    const credentialsDir = await credential('short');
    await using data = await tempDir();
    const opening = openTestVault(data.path, { secretStore: 'credential', stores: { credentialsDir } });
    await expect(opening).rejects.toThrow(/expected 32 bytes, raw, in hex or in base64/);
  });

  test('of another secret does not open the vault', async () => {
    const credentialsDir = await credential(Buffer.alloc(32, 1));
    await using data = await tempDir();
    const options = { secretStore: 'credential', stores: { credentialsDir } } as const;
    await (await openTestVault(data.path, options)).close();
    await credential(Buffer.alloc(32, 2));
    await expect(openTestVault(data.path, options)).rejects.toMatchObject({ reason: 'unreadable' });
  });
});
