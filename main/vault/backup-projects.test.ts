import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { connectionDefinition } from '#common/model/connection.ts';
import { pipelineDefinition } from '#common/model/pipeline.ts';
import { backupFoldersPerTest, file, home, spare } from './testing/backup-folders.ts';
import { createClearResources } from '../projects/clear-resources.ts';
import { openProjectStore } from '../projects/project-store.ts';
import { restoreBackup, writeBackup } from './backup.ts';
import { createResourceSecrets } from './resource-secrets.ts';
import { openTestVault, silent } from './testing/open-test-vault.ts';

const PASSPHRASE = 'twelve chars';
const SECRET = 'the-password-of-the-database';
const WIDE = { timeout: 120_000 };

backupFoldersPerTest();
function put(name: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(home.path, name)), { recursive: true });
  writeFileSync(join(home.path, name), content);
}

async function backUp(meanwhile: () => void | Promise<void> = () => {}): Promise<void> {
  const vault = await openTestVault(home.path);
  const stream = await writeBackup({ vault, dataDir: home.path, passphrase: PASSPHRASE });
  await meanwhile();
  writeFileSync(file, await buffer(stream));
  await vault.close();
}

/** Backed up, restored elsewhere: the other data folder. */
async function moved(meanwhile?: () => void | Promise<void>): Promise<string> {
  await backUp(meanwhile);
  const dataDir = join(spare.path, 'data');
  await restoreBackup({ file, passphrase: PASSPHRASE, dataDir, secretStore: 'file', packaged: false, log: silent });
  return dataDir;
}

const EGRESS = pipelineDefinition.parse({
  id: 'report',
  name: 'Report',
  nodes: [{ id: 'call', kind: 'rest-api', settings: { mode: 'egress', staticHeaders: { Authorization: null } } }],
});

const numbers = (db: DatabaseSync, table: string): number[] =>
  db
    .prepare(`SELECT n FROM ${table} ORDER BY n`)
    .all()
    .map(({ n }) => Number(n));

describe('a backup of projects', WIDE, () => {
  test("holds a consistent copy of a project's database, even while another process writes to it", async () => {
    mkdirSync(join(home.path, 'projects/line-7'), { recursive: true });
    const program = fileURLToPath(new URL('testing/database-writer.ts', import.meta.url));
    const writer = spawn(process.execPath, [program, join(home.path, 'projects/line-7/data.sqlite')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const gone = once(writer, 'exit');
    await once(writer.stdout, 'data');
    const data = await moved();
    expect(writer.exitCode).toBeNull();
    writer.kill('SIGKILL');
    await gone;
    expect(existsSync(join(data, 'projects/line-7/data.sqlite-wal'))).toBe(false);
    const restored = new DatabaseSync(join(data, 'projects/line-7/data.sqlite'));
    expect(restored.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
    const rows = numbers(restored, 'a');
    expect(numbers(restored, 'b')).toEqual(rows);
    expect(rows).toEqual(Array.from({ length: rows.length }, (_, index) => index + 1));
    expect(rows.length).toBeGreaterThanOrEqual(1_000);
    restored.close();
    // Data that a killed gateway left in the WAL of the database is in a backup too.
    rmSync(join(spare.path, 'data'), { recursive: true });
    const again = new DatabaseSync(join(await moved(), 'projects/line-7/data.sqlite'));
    expect(numbers(again, 'a').length).toBeGreaterThan(rows.length);
    again.close();
  });

  test('contains the certificate that OPC UA servers trust', async () => {
    put('opcua/client-key.pem', 'the key');
    put('opcua/client-certificate.pem', 'the certificate');
    const dataDir = await moved();
    expect(readFileSync(join(dataDir, 'opcua/client-key.pem'), 'utf8')).toBe('the key');
    expect(readFileSync(join(dataDir, 'opcua/client-certificate.pem'), 'utf8')).toBe('the certificate');
  });

  test('contains the files of a workspace unchanged, whatever their names', async () => {
    put('projects/line-7/files/not-really.sqlite', 'text');
    mkdirSync(join(home.path, 'projects/line-7/files'), { recursive: true });
    const made = new DatabaseSync(join(home.path, 'projects/line-7/files/real.sqlite'));
    made.exec('CREATE TABLE t (n)');
    made.close();
    // Bytes that SQLite itself would not copy.
    appendFileSync(join(home.path, 'projects/line-7/files/real.sqlite'), 'a tail');
    put('projects/line-7/files/notes.sqlite-wal', 'more text');
    put(`projects/line-7/files/${'long/'.repeat(60)}${'n'.repeat(200)}/${'ü'.repeat(120)}/${'m'.repeat(240)}.txt`, 'x');
    const data = await moved();
    const read = (name: string): string => readFileSync(join(data, 'projects/line-7/files', name), 'utf8');
    expect(read('not-really.sqlite')).toBe('text');
    expect(read('real.sqlite')).toMatch(/a tail$/);
    expect(read('notes.sqlite-wal')).toBe('more text');
    expect(read(`${'long/'.repeat(60)}${'n'.repeat(200)}/${'ü'.repeat(120)}/${'m'.repeat(240)}.txt`)).toBe('x');
  });

  test('contains a damaged database of one project unchanged, and everything else', async () => {
    put('projects/line-7/data.sqlite', 'x'.repeat(5_000));
    put('projects/line-7/files/a.txt', 'a');
    const data = await moved();
    expect(readFileSync(join(data, 'projects/line-7/data.sqlite'), 'utf8')).toBe('x'.repeat(5_000));
    expect(readFileSync(join(data, 'projects/line-7/files/a.txt'), 'utf8')).toBe('a');
  });

  test('holds a file that is replaced in the meantime in one of its states, omits a removed one, and follows no link', async () => {
    for (const name of ['removed', 'replaced', 'linked']) put(`projects/line-7/files/${name}.txt`, 'old');
    const data = await moved(() => {
      const at = (name: string): string => join(home.path, 'projects/line-7/files', name);
      rmSync(at('removed.txt'));
      writeFileSync(at('replaced.txt'), 'new and longer');
      rmSync(at('linked.txt'));
      symlinkSync('/etc/passwd', at('linked.txt'));
    });
    const files = join(data, 'projects/line-7/files');
    expect(readFileSync(join(files, 'replaced.txt'), 'utf8')).toBe('new and longer');
    expect([existsSync(join(files, 'removed.txt')), existsSync(join(files, 'linked.txt'))]).toEqual([false, false]);
  });

  test('holds resources, and the secrets of connections and egress nodes sealed: all are there on another machine', async () => {
    const vault = await openTestVault(home.path);
    const secrets = createResourceSecrets(vault, Date.now);
    const projects = openProjectStore({ file: join(home.path, 'projects.sqlite'), now: Date.now });
    projects.createProject({ id: 'line-7', name: 'Line 7' });
    const settings = { kind: 'postgresql', host: 'db', database: 'mes', user: 'mes' };
    const definition = connectionDefinition.parse({ id: 'mes', settings });
    const [password = ''] = await secrets.put([SECRET], 'anna');
    projects.resources.put('connections', 'line-7', { definition, secrets: { password } });
    const [ref = ''] = await secrets.put([SECRET], 'anna', 'egress');
    const held = [{ node: 'call', field: 'staticHeaders.Authorization', ref }];
    projects.createPipeline('line-7', EGRESS, 'anna', held);
    projects.setWanted('line-7', 'report', 1);
    projects.close();
    await vault.close();
    const data = await moved();
    expect(readFileSync(file).includes(SECRET)).toBe(false);
    for (const name of ['projects.sqlite', 'vault.db'])
      expect(readFileSync(join(data, name)).includes(SECRET)).toBe(false);
    const restored = await openTestVault(data);
    const store = openProjectStore({ file: join(data, 'projects.sqlite'), now: Date.now });
    const clear = createClearResources(store, createResourceSecrets(restored, Date.now));
    expect(clear.all()).toMatchObject([{ project: 'line-7', connections: [{ settings: { password: SECRET } }] }]);
    const headers = { staticHeaders: { Authorization: SECRET } };
    expect(clear.wanted()).toMatchObject([{ revision: 1, definition: { nodes: [{ settings: headers }] } }]);
    store.close();
    await restored.close();
  });

  test('has the store and the vault of one moment: a secret that is changed during the copy is not lost', async () => {
    const vault = await openTestVault(home.path);
    const secrets = createResourceSecrets(vault, Date.now);
    const projects = openProjectStore({ file: join(home.path, 'projects.sqlite'), now: Date.now });
    projects.createProject({ id: 'line-7', name: 'Line 7' });
    const definition = connectionDefinition.parse({
      id: 'mes',
      settings: { kind: 'postgresql', host: 'db', database: 'mes', user: 'mes' },
    });
    const [old = '', fresh = ''] = await secrets.put(['old', 'new'], 'anna');
    await secrets.remove([old]);
    const refersTo = (password: string): void =>
      projects.resources.put('connections', 'line-7', { definition, secrets: { password } });
    // As if the change happened between the first copy of the store and the vault's image.
    refersTo(old);
    let looks = 0;
    const changing = new Proxy(vault, {
      get(target, name) {
        if (name === 'generation' && ++looks === 2) refersTo(fresh);
        if (name === 'generation' && looks === 1) return target.generation - 1;
        const value: unknown = Reflect.get(target, name, target);
        return value;
      },
    });
    const stream = await writeBackup({ vault: changing, dataDir: home.path, passphrase: PASSPHRASE });
    writeFileSync(file, await buffer(stream));
    projects.close();
    await vault.close();
    const dataDir = join(spare.path, 'data');
    await restoreBackup({ file, passphrase: PASSPHRASE, dataDir, secretStore: 'file', packaged: false, log: silent });
    const restored = await openTestVault(dataDir);
    const store = openProjectStore({ file: join(dataDir, 'projects.sqlite'), now: Date.now });
    const [found] = createClearResources(store, createResourceSecrets(restored, Date.now)).all();
    expect(found?.connections).toMatchObject([{ settings: { password: 'new' } }]);
    store.close();
    await restored.close();
  });
});
