import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ROOT } from '#test/paths.ts';
import { startService } from '#test/service.ts';
import { dirPerTest } from '#test/test-dir.ts';
import { packageArchiveAt } from '../third-party/pack-folder.ts';
import { readArchive } from '../third-party/read-package.ts';
import { readArguments } from './arguments.ts';
import { PlainError } from './plain-error.ts';
import { setup } from './setup.ts';
import { type Ended, runSluice, startSluice } from './testing/sluice.ts';

// Each test starts real services, one after the other.
vi.setConfig({ testTimeout: 240_000 });

const ADDRESSES = ['--secret-store', 'file', '--gateway-host', '127.0.0.1', '--gateway-port', '0', '--ui-port', '0'];
const PASSWORD = 'correct horse battery';
const GUIDE = join(ROOT, 'docs/guides/many-pcs.md');
const SAMPLE = join(ROOT, 'docs/samples/sample-line.json');

const folder = dirPerTest();
let dataDir: string;

beforeEach(() => {
  dataDir = join(folder.path, 'data');
  copyFileSync(SAMPLE, inFolder('line.sluice.json'));
});

const inFolder = (name: string): string => join(folder.path, name);
const read = (name: string): string => readFileSync(inFolder(name), 'utf8').trim();

const PLAIN = {
  sluice: 'setup',
  format: 1,
  administrator: { name: 'admin', password: { environment: 'ADMIN_PASSWORD' } },
  projects: [{ file: 'line.sluice.json', start: 'all' }],
  keys: [{ project: 'sample-line', name: 'MES', scopes: ['db:write', 'tag:write'], file: 'mes.key' }],
};

/** Runs `sluice setup` with a file of these fields; an undefined field is left out. */
function setUp(fields: object = {}, words: readonly string[] = []): Promise<Ended> {
  writeFileSync(inFolder('setup.json'), JSON.stringify({ ...PLAIN, ...fields }));
  return run(['--from', inFolder('setup.json'), ...words]);
}

function run(words: readonly string[], input = ''): Promise<Ended> {
  const environment = { ADMIN_PASSWORD: PASSWORD };
  return runSluice(['setup', '--data', dataDir, ...ADDRESSES, ...words], { environment, input });
}

async function pluginDigest(path: string): Promise<string> {
  return (await readArchive(await packageArchiveAt(path))).digest;
}

function makePlugin(): string {
  const path = inFolder('plugin');
  mkdirSync(path);
  const kinds = [{ id: 'acme-x', title: 'X', summary: 'Does x.', scopes: [] }];
  const manifest = { id: 'acme', name: 'Acme', version: '1.0.0', kinds, capabilities: [], targets: [] };
  writeFileSync(join(path, 'sluice-plugin.json'), JSON.stringify(manifest));
  writeFileSync(join(path, 'index.js'), 'export default { "acme-x": ({ payload }) => ({ payload }) };');
  return path;
}

const order = JSON.stringify({ orderId: 'WO-1', product: 'Water', quantity: 1 });
const postOrder = (gateway: string, key: string) =>
  fetch(`${gateway}/api/v1/sample/orders`, {
    method: 'POST',
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
    body: order,
  });

describe('before the service has run for the first time', () => {
  test('a file creates everything that it names; the service then responds; a second run changes nothing', async () => {
    const path = makePlugin();
    const { code, stdout, stderr } = await setUp(
      {
        administrator: { name: 'admin', password: { generate: 'admin.password' } },
        settings: { journalDays: 30 },
        roles: [{ name: 'Line lead', permissions: ['view', 'run_pipelines'] }],
        users: [{ name: 'anna', roles: ['line lead'], password: { environment: 'ADMIN_PASSWORD' } }],
        plugins: [{ path: 'plugin', digest: await pluginDigest(path) }],
      },
      ['--json'],
    );
    expect(code, stderr).toBe(0);
    const report = JSON.parse(stdout) as { result: string; steps: string[] };
    expect(report).toMatchObject({
      result: 'set_up',
      warnings: [],
      keys: [{ project: 'sample-line', name: 'MES', file: inFolder('mes.key') }],
    });
    expect(report.steps).toContain('Added and approved the plugin acme 1.0.0.');
    expect(stdout + stderr).not.toContain(read('mes.key'));
    expect(stdout + stderr).not.toContain(read('admin.password'));
    for (const name of ['mes.key', 'admin.password']) expect(statSync(inFolder(name)).mode & 0o777).toBe(0o600);

    const before = [read('mes.key'), read('admin.password')];
    const again = await setUp({ settings: { journalDays: 31 } });
    expect(again).toMatchObject({ code: 3, stdout: 'Sluice is already set up; nothing was changed.\n', stderr: '' });
    expect([read('mes.key'), read('admin.password')]).toEqual(before);

    await using service = await startService([], { dataDir });
    expect(service.ready).not.toHaveProperty('setupTokenFile');
    expect((await postOrder(service.ready.gateway, read('mes.key'))).status).toBe(201);
    await service.admin.logIn('admin', read('admin.password'));
    expect(await service.admin.ok('GET', '/settings')).toMatchObject({ journalDays: 30 });
    expect(await service.admin.ok('GET', '/plugins')).toMatchObject({ items: [{ id: 'acme', loaded: true }] });
    const anna = service.admin.another();
    await anna.logIn('anna', PASSWORD);
    expect((await anna.request('GET', '/users')).status).toBe(403);
    expect(await service.stop()).toBe(0);
  });

  test('the example of the guide can be used unchanged', async () => {
    const [, example = ''] = /```json\n([^]*?)```/.exec(readFileSync(GUIDE, 'utf8')) ?? [];
    copyFileSync(SAMPLE, inFolder('sample-line.sluice.json'));
    writeFileSync(inFolder('setup.json'), example);
    const { code, stderr } = await run(['--from', inFolder('setup.json')]);
    expect(code, stderr).toBe(0);
    expect(read('mes.key')).toHaveLength(66);
  });

  test('the file may come on standard input, and --check changes nothing', async () => {
    writeFileSync(inFolder('setup.json'), JSON.stringify({ ...PLAIN, projects: [], keys: [] }));
    const checked = await run(['--from', '-', '--check'], read('setup.json'));
    expect(checked).toMatchObject({ code: 0, stdout: 'The set-up file can be used; nothing was changed.\n' });
    expect(existsSync(dataDir)).toBe(false);
    const done = await run(['--from', '-'], read('setup.json'));
    expect(done).toMatchObject({ code: 0, stdout: expect.stringMatching(/Sluice is set up\.\n$/) });
  });
});

describe('a set-up that is killed', () => {
  test('is completed by the next run, once it has ended and the files with its keys are removed', async () => {
    const path = makePlugin();
    // Further keys after the first one, so that there is time to kill it before it finishes.
    const more = Array.from({ length: 40 }, (_, index) => ({
      project: 'sample-line',
      name: `Line ${index}`,
      scopes: [],
      file: `line-${index}.key`,
    }));
    const keys = [...PLAIN.keys, ...more];
    const fields = { plugins: [{ path: 'plugin', digest: await pluginDigest(path) }], keys };
    writeFileSync(inFolder('setup.json'), JSON.stringify({ ...PLAIN, ...fields }));
    await using service = await startService([], { dataDir });
    const words = ['setup', '--data', dataDir, ...ADDRESSES, '--from', inFolder('setup.json')];
    const { child, ended } = startSluice(words, { environment: { ADMIN_PASSWORD: PASSWORD } });
    const paused = Promise.withResolvers<void>();
    child.stdout?.on('data', (text: string) => {
      if (text.includes('Wrote the key') && child.kill('SIGSTOP')) paused.resolve();
    });
    await Promise.race([paused.promise, ended]);
    for (const { file } of keys) rmSync(inFolder(file), { force: true });
    expect((await setUp(fields)).stderr).toContain('Another "sluice setup"');
    child.kill('SIGKILL');
    expect((await ended).signal).toBe('SIGKILL');
    writeFileSync(inFolder('mes.key'), 'written by the first');
    expect((await setUp(fields)).stderr).toContain('mes.key could not be written: it already exists');
    for (const { file } of keys) rmSync(inFolder(file), { force: true });
    const { code, stdout, stderr } = await setUp(fields);
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('Removed the project sample-line, which an unfinished set-up had left behind.');
    expect(stdout).toContain('Removed the plugin acme');
    expect((await postOrder(service.ready.gateway, read('mes.key'))).status).toBe(201);
    await service.admin.logIn('admin', PASSWORD);
    expect(await service.admin.ok('GET', '/plugins')).toMatchObject({ items: [{ id: 'acme', loaded: true }] });
    expect(await service.stop()).toBe(0);
  });

  test('does not remove projects beside an older vault without an Administrator', async () => {
    const first = await startService([], { dataDir });
    expect(await first.stop()).toBe(0);
    const vault = join(dataDir, 'vault.db');
    const older = readFileSync(vault);
    expect((await setUp()).code).toBe(0);
    writeFileSync(vault, older);
    rmSync(inFolder('mes.key'));
    const { code, stdout, stderr } = await setUp();
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('The vault is an older one');
  });
});

describe('while the service runs', () => {
  test('a refused file is undone, and a valid file sets it up', async () => {
    await using service = await startService([], { dataDir });
    const project = JSON.parse(readFileSync(SAMPLE, 'utf8').replaceAll('/sample/', '/broken/')) as {
      project: object;
      pipelines: { nodes: object[] }[];
    };
    project.project = { id: 'broken', name: 'Broken' };
    project.pipelines[0]?.nodes.push({ id: 'odd', kind: 'no-such-kind', settings: {} });
    writeFileSync(inFolder('broken.sluice.json'), JSON.stringify(project));
    const { code, stdout, stderr } = await setUp({
      administrator: { name: 'admin', password: { generate: 'admin.password' } },
      settings: { journalDays: 30 },
      projects: [...PLAIN.projects, { file: 'broken.sluice.json', start: 'all' }],
    });
    expect(code, stdout).toBe(1);
    expect(stderr).toMatch(/^sluice: the set-up file .*no-such-kind.* Nothing was kept\.\n$/);
    for (const name of ['mes.key', 'admin.password']) expect(existsSync(inFolder(name))).toBe(false);

    const long = { ...PLAIN.keys[0], name: 'Display', file: `${'x'.repeat(300)}.key` };
    const late = await setUp({ keys: [{ ...PLAIN.keys[0], name: 'ERP' }, long] });
    expect([late.code, late.stderr]).toEqual([1, expect.stringMatching(/ENAMETOOLONG.* Nothing was kept\.\n$/)]);
    expect(existsSync(inFolder('mes.key'))).toBe(false);

    expect(await setUp()).toMatchObject({ code: 0, stderr: '' });
    await service.admin.logIn('admin', PASSWORD);
    expect(await service.admin.ok('GET', '/settings')).toMatchObject({ journalDays: 90 });
    expect(await service.admin.ok('GET', '/projects')).toMatchObject({ items: [{ id: 'sample-line' }] });
    expect((await postOrder(service.ready.gateway, read('mes.key'))).status).toBe(201);
    expect(existsSync(join(dataDir, 'setup-token'))).toBe(false);
    expect((await setUp({ projects: [], keys: [] })).code).toBe(3);
    const rows = await service.admin.ok<{ items: object[] }>('GET', '/audit?limit=1000');
    expect(rows.items).toContainEqual(
      expect.objectContaining({ act: 'setup', target: 'admin', user: 'command line', status: 200 }),
    );
    expect(await service.stop()).toBe(0);
  });
});

describe('an unusable set-up file gets one sentence, and nothing is created', () => {
  const twice = [...PLAIN.keys, { ...PLAIN.keys[0], name: 'Display' }];
  const stdin = { password: { stdin: true }, roles: [] };
  test.each([
    [{ sluise: 1 }, 'unknown field "sluise"'],
    [{ sluice: 'project' }, 'sluice: expected "setup": a set-up file'],
    [{ format: 2 }, 'format: expected 1'],
    [{ administrator: { name: 'admin', password: PASSWORD } }, 'administrator.password: expected where the password'],
    [{ administrator: { name: 'admin', password: {} } }, 'administrator.password: expected exactly one of'],
    [{ administrator: { name: 'a', password: { environment: 'NONE' } } }, 'the variable NONE is not set'],
    [{ administrator: { name: 'a', password: { file: 'short' } } }, 'password: expected at least 10'],
    [{ settings: { gatewayPort: 'x' } }, 'settings.gatewayPort: '],
    [{ settings: { port: 1 } }, 'settings: unknown field "port"'],
    [{ projects: [{ file: 'none.json' }], keys: [] }, 'projects.0.file: '],
    [{ projects: [{ file: 'setup.json' }], keys: [] }, 'projects.0.file: sluice: expected "project"'],
    [{ projects: [{ file: 'line.sluice.json', start: ['x'] }] }, 'projects.0.start.0: there is no pipeline "x"'],
    [{ keys: [{ ...PLAIN.keys[0], project: 'x' }] }, 'keys.0.project: there is no project "x"'],
    [{ keys: [{ ...PLAIN.keys[0], scopes: ['all'] }] }, 'keys.0.scopes: "all" is not a scope'],
    [{ keys: [{ ...PLAIN.keys[0], file: 'setup.json' }] }, 'setup.json could not be written: it already exists'],
    [{ keys: twice }, 'mes.key" is already used at keys.0.file'],
    [
      { keys: [PLAIN.keys[0], { ...PLAIN.keys[0], file: 'b' }] },
      'keys.1.name: "MES of sample-line" is already used at keys.0.name',
    ],
    [{ users: [{ name: 'anna', ...stdin, roles: ['Lead'] }] }, 'there is no role "Lead"'],
    [{ users: [{ name: 'ADMIN', ...stdin }] }, 'users.0.name: "admin" is already used at administrator.name'],
    [
      {
        users: [
          { name: 'a', ...stdin },
          { name: 'b', ...stdin },
        ],
      },
      'users.1.password.stdin: standard input is read once',
    ],
    [{ plugins: [{ path: 'plugin', digest: '0'.repeat(64) }] }, 'plugins.0.digest: the plugin acme 1.0.0 has the'],
  ])('%j', async (fields, sentence) => {
    makePlugin();
    writeFileSync(inFolder('short'), 'short\n');
    writeFileSync(inFolder('setup.json'), JSON.stringify({ ...PLAIN, ...fields }));
    const words = ['--from', inFolder('setup.json'), '--data', dataDir];
    const printed: string[] = [];
    const context = { environment: { ADMIN_PASSWORD: PASSWORD }, print: (line: string) => void printed.push(line) };
    const refused = setup.run(readArguments('setup', words, setup.flags, []), context);
    await expect(refused).rejects.toSatisfy((error) => error instanceof PlainError && !error.message.includes('\n'));
    await expect(refused).rejects.toThrow(sentence);
    expect(printed).toEqual([]);
    expect(existsSync(dataDir)).toBe(false);
  });

  test('a secret among the settings is used, with a warning', async () => {
    const { code, stdout } = await setUp({ settings: { metricsToken: 'a token of some length' } }, ['--check']);
    expect(code).toBe(0);
    expect(stdout).toContain('Warning: settings.metricsToken is a secret in the set-up file');
    expect(stdout).not.toContain('a token of some length');
  });
});
