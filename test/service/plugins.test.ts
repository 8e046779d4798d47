import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { STOPPED_STATUS } from '#common/errors/gateway-codes.ts';
import type { RunRecord } from '#common/model/records.ts';
import type { Scope } from '#common/scopes.ts';
import { SERVICE_ENTRY } from '#test/paths.ts';
import { type MiddleNode, type RoutePipeline, routePipeline } from '#test/route-pipeline.ts';
import { nextGateway } from '#test/next-gateway.ts';
import { startService, type TestService } from '#test/service.ts';
import { dirPerFile } from '#test/test-dir.ts';
import { buildTemplate, type SmallPlugin, smallPlugin } from './plugin-package.ts';

/**
 * Third-party plugins over the whole service, with the interfaces of users: archives, the admin API, the command line,
 * HTTP routes. It shows that nothing runs before its approval or after a change of its bytes; that a plugin has only
 * the rights that were declared, approved and held by its caller; and that it can harm only its own nodes.
 */
interface Plugin {
  id: string;
  version: string;
  digest: string;
  trusted: boolean;
  approvedAt: string | null;
  loaded: boolean;
  reason: string | null;
}

const dir = dirPerFile();
let service: TestService;
let peer: Server;
let target: string;
beforeAll(async () => {
  peer = createServer((request, response) => {
    response.setHeader('Content-Type', 'text/plain').end(`peer saw ${request.url}`);
  });
  await new Promise<void>((resolve) => peer.listen(0, '127.0.0.1', resolve));
  const address = peer.address();
  target = `127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  service = await startService();
  await service.setUp();
  await service.admin.ok('POST', '/projects', { id: 'line-1', name: 'Line 1' });
});
afterAll(async () => {
  await service.stop();
  peer.closeAllConnections();
  await new Promise((resolve) => peer.close(resolve));
});

const plugins = async (): Promise<Plugin[]> => (await service.admin.ok<{ items: Plugin[] }>('GET', '/plugins')).items;
const pluginNamed = async (id: string): Promise<Plugin | undefined> => (await plugins()).find((one) => one.id === id);
const kinds = async (): Promise<string[]> => {
  const { items } = await service.admin.ok<{ items: { id: string }[] }>('GET', '/kinds');
  return items.map(({ id }) => id);
};
const alarm = async (code: string): Promise<string> =>
  (await service.status()).alarms.find((one) => one.code === code)?.text ?? '';

/** The command as typed. */
function sluice(words: readonly string[], input = '', data = service.dataDir): Promise<{ code: number; out: string }> {
  return new Promise((resolve) => {
    const args = [SERVICE_ENTRY, ...words, '--data', data, '--secret-store', 'file'];
    const child = execFile(process.execPath, args, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), out: stdout + stderr }),
    );
    child.stdin?.end(input);
  });
}

async function add(plugin: SmallPlugin): Promise<Plugin> {
  return service.admin.ok('POST', '/plugins', { archive: await smallPlugin(dir.path, plugin) });
}
async function approve({ id, digest, trusted }: Plugin): Promise<Plugin> {
  const confirm = trusted ? { confirm: `trust ${id}` } : {};
  return service.admin.ok('POST', `/plugins/${id}/approve`, { digest, ...confirm });
}
async function approved(plugin: SmallPlugin): Promise<Plugin> {
  return approve(await add(plugin));
}

async function publish(pipeline: RoutePipeline & { id: string; middle: MiddleNode[] }): Promise<void> {
  const definition = routePipeline({ method: 'POST', path: `/${pipeline.id}`, ...pipeline });
  await service.admin.ok('POST', '/projects/line-1/pipelines', definition);
  await start(pipeline.id);
}
const start = (id: string): Promise<unknown> => service.admin.ok('POST', `/projects/line-1/pipelines/${id}/start`, {});
const stop = (id: string): Promise<unknown> => service.admin.ok('POST', `/projects/line-1/pipelines/${id}/stop`, {});

async function makeKey(...scopes: Scope[]): Promise<string> {
  const name = scopes.join(' ') || 'no scopes';
  return (await service.admin.ok<{ key: string }>('POST', '/projects/line-1/keys', { name, scopes })).key;
}
let keyless: string;
let reader: string;
beforeAll(async () => {
  keyless = await makeKey();
  reader = await makeKey('vars:read');
});

interface Answer {
  status: number;
  body: unknown;
}
async function call(id: string, body: unknown = {}, key = keyless, gateway = service.ready.gateway): Promise<Answer> {
  const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
  const response = await fetch(`${gateway}/${id}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await response.text();
  return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text };
}
async function errorOf(id: string): Promise<RunRecord['error']> {
  const path = `/projects/line-1/pipelines/${id}/runs`;
  const { items } = await service.admin.ok<{ items: RunRecord[] }>('GET', path);
  return items[0]?.error ?? null;
}

async function restartGateway(): Promise<void> {
  const { pid } = (await service.status()).gateway;
  process.kill(pid ?? 0, 'SIGKILL');
  await nextGateway(service, pid);
}

const SCALE = { kind: 'acme-scale', settings: { field: 'flow', factor: 0.5 } };

describe('a plugin made from the template', () => {
  const mainFile = (): string => {
    const folder = join(service.dataDir, 'plugins/acme');
    const [version = ''] = readdirSync(folder);
    return join(folder, version, 'dist/index.js');
  };
  let archive: string;

  test('is added by the command line, which prints what the plugin asks for and how to approve it', async () => {
    archive = await buildTemplate(join(dir.path, 'first'), '1.0.0');
    const { code, out } = await sluice(['plugin', 'add', archive]);
    expect([code, out]).toEqual([0, expect.stringContaining('Acme line kinds (acme 1.0.0) by Acme Tooling, 3 files')]);
    const digest = (await pluginNamed('acme'))?.digest ?? '';
    for (const text of ['acme-scale: ', 'capabilities: tag:read', 'network targets: none', 'runs in the sandbox'])
      expect(out).toContain(text);
    expect(out).toContain(`sluice plugin approve acme ${digest} --data ${service.dataDir} --secret-store file\n`);
  });

  test('is not loaded before it is approved, and its kind cannot be started', async () => {
    expect(await pluginNamed('acme')).toMatchObject({
      approvedAt: null,
      loaded: false,
      reason: 'it waits for approval',
    });
    expect(await kinds()).not.toContain('acme-scale');
    const definition = routePipeline({ id: 'scale', method: 'POST', path: '/scale', middle: [SCALE] });
    await service.admin.ok('POST', '/projects/line-1/pipelines', definition);
    const { status, body } = await service.admin.request('POST', '/projects/line-1/pipelines/scale/start', {});
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('acme-scale')]);
  });

  test('is approved only by the digest that was shown', async () => {
    const digest = (await pluginNamed('acme'))?.digest ?? '';
    expect(await sluice(['plugin', 'approve', 'acme', '0'.repeat(64)])).toMatchObject({
      code: 1,
      out: expect.stringContaining('has a different digest now'),
    });
    expect(await sluice(['plugin', 'approve', 'acme', digest])).toEqual({
      code: 0,
      out: 'The plugin acme 1.0.0 is approved and loaded.\n',
    });
    expect(await kinds()).toEqual(expect.arrayContaining(['acme-scale', 'acme-deviation', 'rest-api']));
    const { items } = await service.admin.ok<{ items: object[] }>('GET', '/audit?type=admin&limit=20');
    const detail = `1.0.0 ${digest}`;
    for (const act of ['plugin.add', 'plugin.approve'])
      expect(items).toContainEqual(
        expect.objectContaining({ act, target: 'acme', detail, status: 200, user: 'command line' }),
      );
    expect(items).toContainEqual(expect.objectContaining({ act: 'plugin.approve', status: 409 }));
  });

  test('answers callers of a route', async () => {
    await start('scale');
    expect(await call('scale', { flow: 40, line: 7 })).toEqual({ status: 200, body: { flow: 20, line: 7 } });
    expect((await call('scale', { flow: 'forty' })).status).toBe(500);
    expect(await errorOf('scale')).toMatchObject({
      node: 'n0',
      code: 'plugin_failed',
      message: expect.stringContaining('expected a number in payload.body.flow'),
    });
  });

  test('is not loaded when a byte of it was changed on disk, and every user can see why', async () => {
    writeFileSync(mainFile(), readFileSync(mainFile(), 'utf8').replace('* factor', '+ factor'));
    await restartGateway();
    const reason = 'its file dist/index.js is not what was approved; add the plugin again and approve it';
    expect(await pluginNamed('acme')).toMatchObject({ loaded: false, reason });
    expect(await alarm('plugin_not_loaded')).toContain(`Acme line kinds (acme 1.0.0): ${reason}`);
    expect(service.log()).toContain(reason);
    expect((await sluice(['plugin', 'list'])).out).toContain(`not loaded: ${reason}`);
    expect((await call('scale', { flow: 40 })).status).toBe(STOPPED_STATUS);
    expect((await service.status()).pipelines).toMatchObject({ failed: 1 });
  });

  test('is loaded again once the original bytes are added again', async () => {
    expect((await sluice(['plugin', 'add', archive])).out).toContain('This version is already approved.');
    expect(await pluginNamed('acme')).toMatchObject({ loaded: true, reason: null });
    expect(await alarm('plugin_not_loaded')).toBe('');
    await start('scale');
    expect(await call('scale', { flow: 40 })).toMatchObject({ body: { flow: 20 } });
  });

  test('is restored from a backup with the approved files', async () => {
    const file = join(dir.path, 'line.backup');
    const spare = join(dir.path, 'spare');
    expect(await sluice(['backup', file], 'a long passphrase\n')).toMatchObject({ code: 0 });
    expect(await sluice(['restore', file], 'a long passphrase\n', spare)).toMatchObject({ code: 0 });
    const listed = await sluice(['plugin', 'list'], '', spare);
    expect(listed.out).toContain(
      'plugin acme 1.0.0  Acme line kinds  not loaded: the gateway is not running  (approved',
    );
    await using other = await startService([], { dataDir: spare });
    const answer = await call('scale', { flow: 40 }, keyless, other.ready.gateway);
    expect(answer).toEqual({ status: 200, body: { flow: 20 } });
  });

  test('is updated by an approval: running pipelines keep its nodes until their next start', async () => {
    const next = await buildTemplate(join(dir.path, 'second'), '1.1.0', (source) =>
      source.replace('+ offset', '+ 1000'),
    );
    await sluice(['plugin', 'add', next]);
    const versions = (await plugins()).filter(({ id }) => id === 'acme');
    expect(versions.map(({ version, loaded }) => [version, loaded])).toEqual([
      ['1.0.0', true],
      ['1.1.0', false],
    ]);
    const [, waiting] = versions;
    const approved = await sluice(['plugin', 'approve', 'acme', waiting?.digest ?? '']);
    expect(approved).toEqual({
      code: 0,
      out: 'The plugin acme 1.1.0 is approved and loaded.\nThese pipelines run the previous version until you start them again:\n  scale of project line-1\n',
    });
    expect((await plugins()).map(({ version, loaded }) => [version, loaded])).toEqual([['1.1.0', true]]);
    expect(readdirSync(join(service.dataDir, 'plugins/acme'))).toHaveLength(1);
    expect(await call('scale', { flow: 40 })).toMatchObject({ body: { flow: 20 } });
    await stop('scale');
    await start('scale');
    expect(await call('scale', { flow: 40 })).toMatchObject({ body: { flow: 1020 } });
  });

  test('is not removed while a running pipeline uses it, then is removed with all its files', async () => {
    const used = 'The plugin acme is used by the running pipeline "scale" of project "line-1"; stop it first.';
    expect(await service.admin.request('DELETE', '/plugins/acme')).toMatchObject({
      status: 409,
      body: { detail: used },
    });
    expect(await sluice(['plugin', 'remove', 'acme'])).toEqual({ code: 1, out: `sluice: ${used}\n` });
    expect(await call('scale', { flow: 40 })).toMatchObject({ status: 200 });
    await stop('scale');
    expect(await sluice(['plugin', 'remove', 'acme'])).toEqual({ code: 0, out: 'The plugin acme was removed.\n' });
    expect([await plugins(), (await kinds()).includes('acme-scale')]).toEqual([[], false]);
    expect(readdirSync(join(service.dataDir, 'plugins/acme'))).toEqual([]);
    expect((await service.admin.request('DELETE', '/plugins/acme')).status).toBe(404);
  });
});

describe('the rights of a plugin kind', () => {
  const kind = (id: string, scopes: Scope[] = []): object => ({ id, title: id, summary: id, scopes });
  const READ = `async ({ payload }) => ({ payload: { body: { shift: await vars.get('shift') } } })`;
  const REQUEST = `async ({ payload }) => ({ payload: { body: { said: (await http.request(payload.body.url)).body } } })`;

  beforeAll(async () => {
    await service.admin.ok('PATCH', '/settings', { allowedInternalTargets: [target] });
    const code = `const read = ${READ};
      const ask = ${REQUEST};
      export default { 'probe-declared': read, 'probe-undeclared': read, 'probe-ask': ask };`;
    await approved({
      id: 'probe',
      code,
      capabilities: ['vars:read'],
      targets: [target, '127.0.0.1:1'],
      kinds: [kind('probe-declared', ['vars:read']), kind('probe-undeclared'), kind('probe-ask')],
    });
    for (const id of ['probe-declared', 'probe-undeclared'])
      for (const runAs of ['caller', 'pipeline'] as const)
        await publish({
          id: `${id}-${runAs}`,
          middle: [{ kind: id }],
          runAs,
          grants: runAs === 'pipeline' ? ['vars:read'] : [],
        });
    await publish({ id: 'no-grant', middle: [{ kind: 'probe-declared' }], runAs: 'pipeline' });
    await publish({ id: 'ask', middle: [{ kind: 'probe-ask' }] });
  });

  const allowed = { status: 200, body: { shift: null } };
  const refused = {
    status: 403,
    body: expect.objectContaining({ code: 'scope_missing', detail: 'The run lacks: vars:read.' }),
  };
  test.each([
    { path: 'probe-declared-caller', held: true, right: true },
    { path: 'probe-declared-caller', held: false, right: false },
    { path: 'probe-undeclared-caller', held: true, right: false },
    { path: 'probe-undeclared-caller', held: false, right: false },
    { path: 'probe-declared-pipeline', held: false, right: true },
    { path: 'probe-undeclared-pipeline', held: true, right: false },
    { path: 'no-grant', held: true, right: false },
  ])('$path, with a key that holds the scope: $held → may: $right', async ({ path, held, right }) => {
    expect(await call(path, {}, held ? reader : keyless)).toEqual(right ? allowed : refused);
  });

  test('are restricted to the limits of the key', async () => {
    const limits = { 'vars:read': ['orders/*'] };
    const { key } = await service.admin.ok<{ key: string }>('POST', '/projects/line-1/keys', {
      name: 'Limited',
      scopes: ['vars:read'],
      limits,
    });
    const limit = { scope: 'vars:read', thing: 'shift', entries: limits['vars:read'], more: 0 };
    for (const path of ['probe-declared-caller', 'probe-declared-pipeline'])
      expect(await call(path, {}, key)).toMatchObject({ status: 403, body: { code: 'limit_missing', limit } });
  });

  test('are reported by check before anybody calls', async () => {
    const definition = routePipeline({ id: 'checked', path: '/checked', middle: [{ kind: 'probe-declared' }] });
    await service.admin.ok('POST', '/projects/line-1/pipelines', definition);
    const checked = await service.admin.ok('POST', '/projects/line-1/pipelines/checked/check', {});
    expect(checked).toMatchObject({ scopes: ['vars:read'], warnings: [{ code: 'scope_not_required', node: 'n0' }] });
  });

  test('include the network targets that were approved', async () => {
    expect(await call('ask', { url: `http://${target}/today` })).toEqual({
      status: 200,
      body: { said: 'peer saw /today' },
    });
  });

  const otherPort = (): number => Number(target.split(':')[1]) + 1;
  const unlisted = 'is not among the targets that were approved for this plugin';
  test.each([
    ['a target that the manifest does not name', () => `http://localhost:${target.split(':')[1]}/`, unlisted],
    ['another port', () => `http://127.0.0.1:${otherPort()}/`, unlisted],
    [
      'an internal target that the gateway’s settings do not allow',
      () => 'http://127.0.0.1:1/',
      'allow it with the setting "allowed internal targets"',
    ],
    ['a target that is not HTTP', () => 'file:///etc/passwd', 'expected a URL that begins with http:// or https://'],
  ])('do not include %s', async (_what, url, reason) => {
    expect((await call('ask', { url: url() })).status).toBe(500);
    expect(await errorOf('ask')).toMatchObject({ code: 'plugin_failed', message: expect.stringContaining(reason) });
  });

  test('do not extend to scripts: only plugins may call http.request', async () => {
    const code = `export default async () => ({ body: typeof http })`;
    await publish({ id: 'script', middle: [{ kind: 'transform', settings: { code } }] });
    expect(await call('script')).toEqual({ status: 200, body: 'undefined' });
  });
});

describe('a plugin that misbehaves', () => {
  const BOMBS = {
    throw: { code: `() => { throw new Error('by intent'); }`, error: 'plugin_failed' },
    nonsense: { code: `() => 7`, error: 'plugin_failed' },
    elsewhere: { code: `() => ({ port: 'side', payload: 1 })`, error: 'plugin_failed' },
    loop: { code: `() => { for (;;); }`, error: 'plugin_deadline' },
    deaf: { code: `() => Array.prototype.reverse.call({ length: 2 ** 40 })`, error: 'plugin_deadline' },
    promises: { code: `async () => { for (;;) { try { await null; } catch {} } }`, error: 'plugin_deadline' },
    memory: { code: `() => { const all = []; for (;;) all.push(new Array(10000).fill(7)); }`, error: 'plugin_memory' },
    stall: { code: `() => new Promise(() => {})`, error: 'plugin_stalled' },
  } as const;
  const names = [
    'throw',
    'nonsense',
    'elsewhere',
    'loop',
    'deaf',
    'promises',
    'memory',
    'stall',
  ] as const satisfies (keyof typeof BOMBS)[];
  const fine = `() => ({ payload: { body: { fine: true } } })`;
  const kind = (id: string): object => ({ id, title: id, summary: id, deadline: 0.5 });

  beforeAll(async () => {
    const functions = names.map((name) => `'bomb-${name}': ${BOMBS[name].code}`);
    await approved({
      id: 'bomb',
      code: `export default { 'bomb-fine': ${fine}, ${functions.join(', ')} };`,
      kinds: [kind('bomb-fine'), ...names.map((name) => kind(`bomb-${name}`))],
    });
    await approved({ id: 'calm', code: `export default { calm: ${fine} };`, kinds: [kind('calm')] });
    await publish({ id: 'plain', middle: [], reply: { status: 200, body: 'plain' } });
    await publish({ id: 'calm', middle: [{ kind: 'calm' }] });
    for (const id of ['bomb-fine', ...names.map((name) => `bomb-${name}`)])
      await publish({ id, middle: [{ kind: id }] });
  });

  test.each(names)(
    '(%s) fails its own node with a code; other calls are served meanwhile, and the plugin works again',
    async (name) => {
      const { pid } = (await service.status()).gateway;
      let ended = false;
      const bomb = call(`bomb-${name}`).finally(() => (ended = true));
      const meanwhile = [];
      do meanwhile.push((await call('calm')).status, (await call('plain')).status);
      while (!ended);
      expect((await bomb).status).toBe(500);
      expect(new Set(meanwhile)).toEqual(new Set([200]));
      expect(await errorOf(`bomb-${name}`)).toMatchObject({ node: 'n0', code: BOMBS[name].error });
      expect(await call('bomb-fine')).toEqual({ status: 200, body: { fine: true } });
      expect((await service.status()).gateway.pid).toBe(pid);
    },
  );

  test.each([
    ['hangs', 'for (;;);', 'its main file index.js: it did not end within its deadline'],
    ['throws', `throw new Error('at the top');`, 'at the top'],
    ['wants Node', `import { readFileSync } from 'node:fs';`, 'cannot import'],
    ['does not parse', 'export default {', 'its main file index.js: '],
    ['exports no map', 'export const other = 1;', 'expected one export'],
  ])(
    'when it is loaded (%s) is rejected, the reason is reported, and the gateway continues',
    async (what, head, reason) => {
      const { pid } = (await service.status()).gateway;
      const id = `bad-${what.split(' ')[0]}`;
      const plugin = await approved({
        id,
        code: `${head}\nexport default { '${id}': () => null };`,
        kinds: [kind(id)],
      });
      expect(plugin).toMatchObject({ loaded: false, reason: expect.stringContaining(reason) });
      expect(await alarm('plugin_not_loaded')).toContain(`${id} 1.0.0): ${plugin.reason}`);
      expect(await call('calm')).toMatchObject({ status: 200 });
      expect((await service.status()).gateway.pid).toBe(pid);
      await service.admin.ok('DELETE', `/plugins/${id}`);
    },
  );
});

describe('trusted plugins', () => {
  const trusted: SmallPlugin = {
    id: 'power',
    trusted: true,
    code: `import { hostname } from 'node:os';
      export default { power: ({ payload }) => ({ payload: { body: { host: hostname() } } }) };`,
    kinds: [{ id: 'power', title: 'Power', summary: 'Has all that Node can do.' }],
  };

  test('require a typed confirmation, are named by a lasting alarm, and run in the gateway', async () => {
    const plugin = await add(trusted);
    for (const confirm of [undefined, '', 'yes', 'trust', 'trust other']) {
      const body = { digest: plugin.digest, ...(confirm !== undefined && { confirm }) };
      const refusal = await service.admin.request('POST', '/plugins/power/approve', body);
      expect(refusal).toMatchObject({ status: 400, body: { errors: [{ path: 'confirm' }] } });
    }
    expect(await sluice(['plugin', 'approve', 'power', plugin.digest])).toMatchObject({
      code: 1,
      out: expect.stringContaining('--trust power'),
    });
    expect([await alarm('plugin_trusted'), await kinds()]).toEqual(['', expect.not.arrayContaining(['power'])]);
    const typed = ['plugin', 'approve', 'power', plugin.digest, '--trust', 'power'];
    expect((await sluice(typed)).out).toBe('The plugin power 1.0.0 is approved and loaded.\n');
    expect(await alarm('plugin_trusted')).toContain('power (power 1.0.0)');
    expect((await sluice(['plugin', 'list'])).out).toContain('TRUSTED');
    await publish({ id: 'power', middle: [{ kind: 'power' }] });
    expect(await call('power')).toEqual({ status: 200, body: { host: expect.any(String) } });
  });

  test('clear the alarm when they are removed', async () => {
    await stop('power');
    await service.admin.ok('DELETE', '/plugins/power');
    expect(await alarm('plugin_trusted')).toBe('');
  });
});
