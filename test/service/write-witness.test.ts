import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AuditRow } from '#common/model/audit.ts';
import { freePort } from '#test/free-port.ts';
import { type ModbusPeer, startModbusPeer } from '#test/peers/modbus-peer.ts';
import { call } from '#test/raw-request.ts';
import { routePipeline } from '#test/route-pipeline.ts';
import { ADMIN, startService, type TestService } from '#test/service.ts';
import { type TempDir, tempDir } from '#test/temp-dir.ts';
import { until } from '#test/until.ts';

/**
 * A Modbus server notes each write that it sees, while the gateway and the host are killed under writes of a keyed
 * caller and of a timer: each of these writes has its row before it, and no write is left without a result.
 * SLUICE_KILLS sets how often the gateway is killed (default 8); the host is killed twice.
 */
const KILLS = Number(process.env['SLUICE_KILLS'] ?? 8);
const HOST_KILLS = 2;
const TAGS = 4;
/** Register of the timer, whose writes are folded. */
const TIMER_ADDRESS = 100;
const JSON_TYPE = { 'Content-Type': 'application/json' };
const P = '/projects/line-1';
let data: TempDir;
let service: TestService;
let plc: ModbusPeer;
let port: number;
let key: string;

const source = (address: number) => ({ provider: 'modbus', connection: 'plc', table: 'holding', address, poll: 5 });
const tag = (path: string, address: number) => ({ path, type: 'number', writable: true, source: source(address) });

beforeAll(async () => {
  data = await tempDir('sluice-witness-');
  const at = await freePort();
  port = await freePort();
  plc = await startModbusPeer({ port: at });
  service = await start();
  await service.setUp();
  const { admin } = service;
  await admin.ok('PATCH', '/settings', { allowedInternalTargets: [`127.0.0.1:${at}`] });
  await admin.ok('POST', '/projects', { id: 'line-1', name: 'Line 1' });
  await admin.ok('POST', `${P}/connections`, {
    id: 'plc',
    settings: { kind: 'modbus', host: '127.0.0.1', port: at, timeout: 1 },
  });
  const items = Array.from({ length: TAGS }, (_, n) => tag(`t${n}`, n));
  await admin.ok('PUT', `${P}/tags`, { items: [...items, tag('clock', TIMER_ADDRESS)] });
  const write = { writes: [{ tag: 't{{payload.params.n}}', from: 'payload.body' }] };
  await admin.run(
    'line-1',
    routePipeline({
      id: 'set',
      method: 'POST',
      path: '/set/:n',
      route: { requiredScopes: ['tag:write'] },
      middle: [{ kind: 'tag-write', settings: write }],
      reply: { status: 200, body: 'written' },
    }),
  );
  await admin.run('line-1', {
    id: 'timed',
    name: 'timed',
    nodes: [
      { id: 'every', kind: 'timer', settings: { every: 0.1 } },
      { id: 'put', kind: 'tag-write', settings: { writes: [{ tag: 'clock', from: 'payload.tick' }] } },
    ],
    wires: [{ from: 'every', port: 'out', to: 'put' }],
    grants: ['tag:write'],
  });
  key = (await admin.ok<{ key: string }>('POST', `${P}/keys`, { name: 'MES', scopes: ['tag:write'] })).key;
}, 120_000);
afterAll(async () => {
  await service?.stop();
  await plc?.kill();
  await data?.remove();
});

const start = () => startService(['--gateway-port', String(port)], { dataDir: data.path });

/** Each value is written once to its tag, so that it identifies its row. */
function load(): { stop(): Promise<void>; written: () => number } {
  let going = true;
  let written = 0;
  const loops = Array.from({ length: TAGS }, async (_, n) => {
    for (let value = 1; going; value += 1) {
      const request = { method: 'POST', path: `/set/${n}`, key, headers: JSON_TYPE, body: String(value) };
      const answer = await call(port, request).catch(() => null);
      if (answer?.status === 200) written += 1;
      else await new Promise((resolve) => setTimeout(resolve, 10));
    }
  });
  return {
    written: () => written,
    async stop() {
      going = false;
      await Promise.all(loops);
    },
  };
}

async function killGateway(): Promise<void> {
  const { gateway } = await service.status();
  if (gateway.pid === null) throw new Error('the service reports no gateway');
  process.kill(gateway.pid, 'SIGKILL');
}

async function killHost(): Promise<void> {
  await service.kill9();
  service = await start();
  await service.admin.logIn(ADMIN.name, ADMIN.password);
}

async function rowsOfWrites(): Promise<AuditRow[]> {
  const folder = join(data.path, 'journal', 'gateway');
  const files = (await readdir(folder)).filter((name) => name.endsWith('.jsonl')).toSorted();
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')));
  const lines = texts.flatMap((text) => text.split('\n')).filter((line) => line.includes('"type":"writ'));
  return lines.map((line) => JSON.parse(line) as AuditRow);
}

async function unfinished(): Promise<string[]> {
  const rows = await rowsOfWrites();
  const finished = new Set(rows.filter(({ type }) => type === 'written').map(({ write }) => write));
  return rows.flatMap(({ type, write = '' }) => (type === 'write' && !finished.has(write) ? [write] : []));
}

test(
  `after ${KILLS} kills of the gateway and ${HOST_KILLS} of the host, each write that the device saw has its row before it`,
  { timeout: 120_000 + KILLS * 10_000 },
  async () => {
    const loading = load();
    try {
      for (let kill = 0; kill < KILLS + HOST_KILLS; kill += 1) {
        const before = loading.written();
        await until('there are writes', () => loading.written() > before + 20, { timeoutMs: 60_000 });
        await (kill < KILLS ? killGateway() : killHost());
      }
      const before = loading.written();
      await until('there are writes', () => loading.written() > before, { timeoutMs: 60_000 });
    } finally {
      await loading.stop();
    }
    await service.admin.ok('POST', `${P}/pipelines/timed/stop`);
    const { writes } = await plc.report();
    await until('each write has a result', async () => (await unfinished()).length === 0, { timeoutMs: 20_000 });
    const rows = await rowsOfWrites();
    const begun = new Map<string, number>();
    for (const { type, thing, to = '', time } of rows)
      if (type === 'write' && thing !== 'clock') begun.set(`${thing} ${to}`, Date.parse(time));
    const byCaller = writes.filter(({ address }) => address < TAGS);
    const without = byCaller.filter(({ address, value, atMs }) => {
      const row = begun.get(`t${address} ${value}`);
      return row === undefined || row > atMs;
    });
    expect(without).toEqual([]);
    const windows = rows.filter(({ type, thing }) => type === 'write' && thing === 'clock');
    const outside = writes.filter(
      ({ address, atMs }) =>
        address === TIMER_ADDRESS &&
        !windows.some(({ time }) => Date.parse(time) <= atMs && atMs < Date.parse(time) + 2_000),
    );
    expect(outside).toEqual([]);
    expect(await service.admin.ok('GET', '/audit/verify')).toMatchObject({ ok: true, findings: [] });
    const unknown = rows.filter(({ type, result }) => type === 'written' && result === 'unknown').length;
    console.log(`${writes.length} writes seen, ${rows.length} rows, ${unknown} results unknown`);
  },
);
