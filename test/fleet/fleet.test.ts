import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '#test/free-port.ts';
import { natsServer } from '#test/nats-program.ts';
import { call } from '#test/raw-request.ts';
import { fixedReply, routePipeline } from '#test/route-pipeline.ts';
import { ADMIN, startService, type TestService } from '#test/service.ts';
import { tempDir, type TempDir } from '#test/temp-dir.ts';
import { until } from '#test/until.ts';
import { type Link, startLink } from './link.ts';
import { sluice, sluiceOk } from './sluice.ts';

/**
 * A hub with nats-server and two edges, each a whole service; edge-2 is behind a link that the tests cut. The tests tell
 * one story in this order.
 */
const WAIT = { timeoutMs: 40_000, everyMs: 50 };

interface Edge {
  edge: string;
  contact: string;
  phase: string | null;
  reason: string | null;
  have: { epoch: number; serial: number } | null;
}
interface Report {
  fleet?: { serial: number; confirmed: string[]; silent: string[]; cutOff: { edge: string; since: string | null }[] };
}

let folder: TempDir;
let hub: TestService;
let link: Link;
const edges = new Map<string, TestService>();
const keys = new Map<string, { id: string; value: string }>();
let hubFlags: string[];

const dataOf = (name: string) => `${folder.path}/${name}`;
const edge = (name: string): TestService => {
  const found = edges.get(name);
  if (!found) throw new Error(`${name} does not run`);
  return found;
};
const keyOf = (name: string) => keys.get(name) ?? { id: '', value: '' };
const status = async (): Promise<Edge[]> =>
  (JSON.parse(await sluiceOk('fleet', 'status', '--data', hub.dataDir)) as { edges: Edge[] }).edges;
const statusOf = async (name: string): Promise<Edge | undefined> => (await status()).find((one) => one.edge === name);
const answer = async (name: string, key: string) =>
  (await call(edge(name).gatewayPort, { path: '/count', key: keyOf(key).value })).status;
const revoke = (key: string) =>
  hub.admin.ok<Report>('POST', `/projects/line/keys/${keyOf(key).id}/revoke`, {}).then(({ fleet }) => fleet);

async function addKey(name: string): Promise<void> {
  const made = await hub.admin.ok<{ key: string; record: { id: string } }>('POST', '/projects/line/keys', { name });
  keys.set(name, { id: made.record.id, value: made.key });
}

/** A new revision of the pipeline on the hub. */
async function save(path: string, value: string): Promise<void> {
  const record = await hub.admin.request('GET', '/projects/line/pipelines/count');
  await hub.admin.ok(
    'PUT',
    '/projects/line/pipelines/count',
    routePipeline({ id: 'count', path, ...fixedReply(value) }),
    {
      'If-Match': record.headers.get('etag') ?? '',
    },
  );
}

async function change(path: string, value: string): Promise<void> {
  await save(path, value);
  await hub.admin.ok('POST', '/projects/line/pipelines/count/start', {});
}

async function serveEdge(name: string): Promise<void> {
  edges.set(name, await startService([], { dataDir: dataOf(name) }));
}

beforeAll(async () => {
  folder = await tempDir('sluice-fleet-');
  const port = await freePort();
  link = await startLink(port);
  hubFlags = [
    '--nats-host=127.0.0.1',
    `--nats-port=${port}`,
    `--address=127.0.0.1:${link.port}`,
    `--nats-server=${natsServer() ?? ''}`,
  ];
  hub = await startService(hubFlags, { command: 'hub', dataDir: dataOf('hub') });
  await hub.setUp();
  await hub.admin.ok('POST', '/projects', { id: 'line', name: 'Line' });
  await hub.admin.run('line', routePipeline({ id: 'count', path: '/count', ...fixedReply('one') }));
  for (const name of ['first', 'second', 'third', 'last']) await addKey(name);
}, 120_000);

afterAll(async () => {
  if (process.env['FLEET_LOG']) for (const service of [hub, ...edges.values()]) console.error(service.log());
  for (const service of edges.values()) await service.stop();
  await hub?.stop();
  await link?.[Symbol.asyncDispose]();
  await folder?.remove();
}, 60_000);

describe('a fleet', { timeout: 180_000 }, () => {
  test('of two machines that join with one token, one becomes the edge', async () => {
    const token = await sluiceOk('hub', 'token', 'edge-1', '--data', hub.dataDir);
    const joins = await Promise.all(
      ['a', 'b'].map((name) => sluice('join', token, '--data', dataOf(name), '--secret-store', 'file')),
    );
    expect(joins.filter(({ code }) => code === 0)).toHaveLength(1);
    const lost = joins.find(({ code }) => code === 1);
    expect(lost?.error).toMatch(/The token was already used/);
    expect(lost?.error).not.toContain(token);
    const winner = joins[0]?.code === 0 ? 'a' : 'b';
    edges.set('edge-1', await startService([], { dataDir: dataOf(winner) }));
    const second = await sluiceOk('hub', 'token', 'edge-2', '--data', hub.dataDir);
    await sluiceOk('join', second, '--data', dataOf('edge-2'), '--secret-store', 'file');
    await serveEdge('edge-2');
    await until(
      'both are connected',
      async () => (await status()).every(({ contact }) => contact === 'connected'),
      WAIT,
    );
    expect((await sluice('join', second, '--data', dataOf('c'), '--secret-store', 'file')).error).toMatch(
      /does not accept the token any more|already used/,
    );
  });

  test('an assigned project runs on both edges and takes the keys of the hub', async () => {
    for (const name of ['edge-1', 'edge-2']) await sluiceOk('hub', 'assign', 'line', name, '--data', hub.dataDir);
    await until('both have it', async () => (await status()).every(({ have }) => have?.epoch === 1), WAIT);
    expect((await status()).map(({ phase, reason }) => [phase, reason])).toEqual([
      ['settled', null],
      ['settled', null],
    ]);
    for (const name of ['edge-1', 'edge-2']) expect(await answer(name, 'first')).toBe(200);
  });

  test('the admin API of hub and edge shows the fleet, and which edges have a key', async () => {
    expect((await hub.status()).fleet).toBe('hub');
    expect(await hub.admin.ok('GET', '/fleet')).toMatchObject({
      role: 'hub',
      edges: [
        { edge: 'edge-1', project: 'line', contact: 'connected' },
        { edge: 'edge-2', project: 'line', contact: 'connected' },
      ],
    });
    expect(await hub.admin.ok('GET', `/projects/line/keys/${keyOf('first').id}/edges`)).toMatchObject({
      ofFleet: true,
      edges: [
        { edge: 'edge-1', key: 'accepted' },
        { edge: 'edge-2', key: 'accepted' },
      ],
    });
    const { admin } = edge('edge-2');
    await edge('edge-2').setUp();
    expect(await admin.ok('GET', '/fleet')).toMatchObject({
      role: 'edge',
      edge: 'edge-2',
      project: 'line',
      contact: 'connected',
    });
  });

  test('a revocation returns when gateway and vault of both edges have it', async () => {
    expect(await answer('edge-1', 'second')).toBe(200);
    const report = await revoke('second');
    expect(report).toMatchObject({ silent: [], cutOff: [] });
    expect(report?.confirmed.toSorted()).toEqual(['edge-1', 'edge-2']);
    for (const name of ['edge-1', 'edge-2']) expect(await answer(name, 'second')).toBe(401);
    expect(await answer('edge-1', 'first')).toBe(200);
  });

  test('a pause and its end are in force on both edges when the calls return', async () => {
    const path = `/projects/line/keys/${keyOf('first').id}`;
    const paused = await hub.admin.ok<Report>('POST', `${path}/pause`, { reason: 'repair' });
    expect(paused.fleet?.confirmed.toSorted()).toEqual(['edge-1', 'edge-2']);
    for (const name of ['edge-1', 'edge-2']) expect(await answer(name, 'first')).toBe(403);
    const resumed = await hub.admin.ok<Report>('POST', `${path}/resume`, {});
    expect(resumed.fleet?.confirmed.toSorted()).toEqual(['edge-1', 'edge-2']);
    for (const name of ['edge-1', 'edge-2']) expect(await answer(name, 'first')).toBe(200);
  });

  test('an edge that is cut off serves on, and is under the new state before its first answer after the return', async () => {
    link.cut();
    await until(
      'the hub misses both',
      async () => (await status()).every(({ contact }) => contact === 'cut off'),
      WAIT,
    );
    const report = await revoke('third');
    expect(report?.confirmed).toEqual([]);
    expect(report?.cutOff.map((one) => one.edge).toSorted()).toEqual(['edge-1', 'edge-2']);
    expect(await answer('edge-2', 'third')).toBe(200);
    link.restore();
    const seen = new Set<number>();
    await until(
      'the revoked key is refused',
      async () => {
        const code = await answer('edge-2', 'third');
        // Refused once, it is never accepted again.
        if (seen.has(503) || seen.has(401)) expect(code).not.toBe(200);
        seen.add(code);
        return code === 401;
      },
      { timeoutMs: 40_000, everyMs: 1 },
    );
    expect(await until('the other key is accepted', async () => (await answer('edge-2', 'first')) === 200, WAIT)).toBe(
      true,
    );
    await until('the hub knows', async () => (await statusOf('edge-2'))?.have?.serial === report?.serial, WAIT);
  });

  test('a new assignment replaces the pipeline, and keys that are left out are refused', async () => {
    await save('/count', 'two');
    const refused = await sluice('hub', 'assign', 'line', 'edge-1', '--data', hub.dataDir);
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.error).toContain('The pipeline count runs in revision 1, and 2 is the newest');
    await hub.admin.ok('POST', '/projects/line/pipelines/count/start', {});
    await sluiceOk('hub', 'assign', 'line', 'edge-1', '--data', hub.dataDir);
    await until('it is in force', async () => (await statusOf('edge-1'))?.have?.epoch === 2, WAIT);
    const reply = await call(edge('edge-1').gatewayPort, { path: '/count', key: keyOf('first').value });
    expect([reply.status, reply.body.toString()]).toEqual([200, 'two']);
    expect(await answer('edge-1', 'third')).toBe(401);
  });

  test('an assignment that an edge cannot start is rolled back there, with its reason', async () => {
    const own = edge('edge-2').admin;
    await own.ok('POST', '/projects', { id: 'own', name: 'Own' });
    await own.run('own', routePipeline({ id: 'taken', path: '/taken', ...fixedReply('own') }));
    const before = (await statusOf('edge-2'))?.have?.epoch ?? 0;
    await change('/taken', 'three');
    await sluiceOk('hub', 'assign', 'line', 'edge-2', '--data', hub.dataDir);
    await until('the hub knows', async () => (await statusOf('edge-2'))?.phase === 'refused', WAIT);
    const { have, reason } = (await statusOf('edge-2')) ?? {};
    expect(have?.epoch).toBe(before);
    expect(reason).toContain('/taken');
    expect(reason).toContain(`Assignment ${before} is in force again.`);
    const reply = await call(edge('edge-2').gatewayPort, { path: '/count', key: keyOf('first').value });
    expect([reply.status, reply.body.toString()]).toEqual([200, 'one']);
    await change('/count', 'two');
    await sluiceOk('hub', 'assign', 'line', 'edge-2', '--data', hub.dataDir);
    await until('the next one is in force', async () => (await statusOf('edge-2'))?.phase === 'settled', WAIT);
    expect((await statusOf('edge-2'))?.have?.epoch).toBe(before + 2);
  });

  test('a hub and an edge that were killed continue where they were', async () => {
    await edge('edge-1').kill9();
    await hub.kill9();
    hub = await startService(hubFlags, { command: 'hub', dataDir: dataOf('hub') });
    await hub.admin.logIn('admin', 'a long enough pass phrase');
    edges.set('edge-1', await startService([], { dataDir: edge('edge-1').dataDir }));
    await until(
      'both are connected',
      async () => (await status()).every(({ contact }) => contact === 'connected'),
      WAIT,
    );
    await until('keys are accepted', async () => (await answer('edge-1', 'first')) === 200, WAIT);
    expect(await answer('edge-1', 'third')).toBe(401);
    const report = await revoke('first');
    expect(report?.confirmed.toSorted()).toEqual(['edge-1', 'edge-2']);
    expect(await answer('edge-2', 'first')).toBe(401);
  });

  test('an expelled edge has no contact any more and serves on', async () => {
    await sluiceOk('hub', 'expel', 'edge-1', '--data', hub.dataDir);
    expect((await status()).map((one) => one.edge)).toEqual(['edge-2']);
    const contactOf = async () =>
      (JSON.parse(await sluiceOk('fleet', 'status', '--data', edge('edge-1').dataDir)) as { contact: string }).contact;
    await until('it has no contact', async () => (await contactOf()) === 'cut off', WAIT);
    await until('its keys are accepted', async () => (await answer('edge-1', 'last')) === 200, WAIT);
  });

  test('a new PC replaces a broken one, which can no longer connect', async () => {
    await edge('edge-2').stop();
    const token = await sluiceOk('hub', 'token', 'edge-2', '--replace', '--data', hub.dataDir);
    const fresh = await startService([], { dataDir: dataOf('spare') });
    expect(await sluiceOk('join', token, '--data', fresh.dataDir)).toContain('Restart Sluice now');
    await fresh.stop();
    const [old, spare] = await Promise.all(
      ['edge-2', 'spare'].map((name) => startService([], { dataDir: dataOf(name) })),
    );
    if (!old || !spare) throw new Error('both start');
    edges.set('old', old);
    edges.set('edge-2', spare);
    await until('the new PC has the project', async () => (await answer('edge-2', 'last')) === 200, WAIT);
    expect(await answer('edge-2', 'first')).toBe(401);
    const { contact } = JSON.parse(await sluiceOk('fleet', 'status', '--data', old.dataDir)) as { contact: string };
    expect(contact).toBe('cut off');
  });

  test('an edge that leaves no longer has keys of the fleet, and keeps the project', async () => {
    const { dataDir, admin } = edge('edge-2');
    await edge('edge-2').setUp();
    const said = await sluiceOk('leave', '--data', dataDir);
    expect(said).toContain('The project line stays');
    expect(said).toContain('sluice hub expel edge-2');
    expect(await answer('edge-2', 'last')).toBe(401);
    expect(await admin.ok('GET', '/fleet')).toEqual({ role: 'none' });
    expect(await admin.ok('GET', '/projects/line/keys')).toMatchObject({ items: [] });
    await edge('edge-2').stop();
    edges.set('edge-2', await startService([], { dataDir }));
    await edge('edge-2').admin.logIn(ADMIN.name, ADMIN.password);
    expect(await edge('edge-2').status()).not.toHaveProperty('fleet');
    expect((await sluice('fleet', 'status', '--data', dataDir)).error).toContain('no hub or edge is running');
    expect((await sluice('leave', '--data', dataDir)).error).toContain('This Sluice is not an edge of a fleet');
  });

  test('a running service becomes a hub with its next start', async () => {
    const service = await startService([], { dataDir: dataOf('edge-2') + '-hub' });
    const port = await freePort();
    const place = ['--nats-host=127.0.0.1', `--nats-port=${port}`, `--nats-server=${natsServer() ?? ''}`];
    const said = await sluiceOk('hub', 'init', ...place, '--address', `127.0.0.1:${port}`, '--data', service.dataDir);
    expect(said).toContain('Restart Sluice now');
    await service.stop();
    await using again = await startService([], { dataDir: service.dataDir });
    expect(JSON.parse(await sluiceOk('fleet', 'status', '--data', again.dataDir))).toMatchObject({
      role: 'hub',
      address: `127.0.0.1:${port}`,
    });
  });
});
