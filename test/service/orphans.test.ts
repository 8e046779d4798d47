import { readdirSync, readFileSync } from 'node:fs';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '#test/service.ts';
import { until } from '#test/until.ts';

/**
 * No process is left behind: when the host or the gateway is killed, its child processes end within a second, whatever
 * it was doing: an endless statement in an embedded database, the historian's threads, connections to devices.
 *
 * The second is checked only if SLUICE_KILLS is set, as in kill.test.ts.
 */
const GONE_MS_MAX = process.env['SLUICE_KILLS'] === undefined ? 10_000 : 1000;
/** On a busy machine the drivers alone take seconds to load. */
const SLOW = { timeoutMs: 40_000 };
const WIDE = { timeout: 120_000 };
const P = '/projects/line-7';
const ENDLESS = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n';

/** Accepts every connection and stays silent: each provider waits for a response. */
async function silentDevice() {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).resume();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    get connections() {
      return sockets.size;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

let service: TestService;
/** How often each device was called by the killed gateway. */
let dialledByFirst: number[] = [];
let devices: Awaited<ReturnType<typeof silentDevice>>[];
const KINDS = ['opcua', 'modbus', 'mqtt'] as const;

beforeAll(async () => {
  devices = await Promise.all(KINDS.map(() => silentDevice()));
  service = await startService();
  await service.setUp();
  const { admin } = service;
  await admin.ok('PATCH', '/settings', {
    allowedInternalTargets: devices.map(({ port }) => `127.0.0.1:${port}`),
  });
  await admin.ok('POST', '/projects', { id: 'line-7', name: 'Line 7' });
  const sources = {
    opcua: { nodeId: 'ns=2;s=Speed' },
    modbus: { table: 'holding', address: 0 },
    mqtt: { topic: 'speed' },
  };
  const tags = [];
  for (const [index, kind] of KINDS.entries()) {
    const settings = { kind, host: '127.0.0.1', port: devices[index]?.port };
    await admin.ok('POST', `${P}/connections`, { id: kind, settings });
    const source = { provider: kind, connection: kind, ...sources[kind] };
    tags.push({ path: `devices/${kind}`, type: 'number', source });
  }
  const recorded = {
    path: 'a/b',
    type: 'number',
    source: { provider: 'simulator', shape: 'sine', interval: 0.05 },
    history: {},
  };
  await admin.ok('PUT', `${P}/tags`, { items: [...tags, recorded] });
});
afterAll(async () => {
  await service?.kill9();
  for (const device of devices ?? []) device.close();
});

/** The running children of a process and theirs; one that has ended and was not waited for is not running. */
function descendants(pid: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    const [state, parent] = statOf(Number(name));
    if (state !== 'Z') parents.set(Number(name), parent);
  }
  const below = (of: number): number[] =>
    [...parents].filter(([, parent]) => parent === of).flatMap(([child]) => [child, ...below(child)]);
  return below(pid);
}

function statOf(pid: number): [state: string, parent: number] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state = 'Z', parent = '0'] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return [state, Number(parent)];
  } catch {
    return ['Z', 0];
  }
}

async function gone(pids: readonly number[]): Promise<void> {
  const none = until('nothing of it runs', () => running(pids).length === 0, { timeoutMs: GONE_MS_MAX });
  await none.catch(() => expect(running(pids).map(commandOf)).toEqual([]));
}

const commandOf = (pid: number): string => readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');

const running = (pids: readonly number[]): number[] => pids.filter((pid) => statOf(pid)[0] !== 'Z');

/** Everything is active: devices are connected, points are recorded, and an endless statement runs. */
async function atWork(dialledBefore: readonly number[]): Promise<number[]> {
  const { admin } = service;
  const query = { id: 'endless', sql: ENDLESS, timeout: 60 };
  const one = { query: { id: 'one', sql: 'SELECT 1' } };
  await until(
    'the database answers',
    async () => (await admin.request('POST', `${P}/queries/test`, one)).status === 200,
    SLOW,
  );
  void admin.request('POST', `${P}/queries/test`, { query }).catch(() => undefined);
  await until(
    'the devices are dialled',
    () => devices.every(({ connections }, index) => connections > (dialledBefore[index] ?? 0)),
    SLOW,
  );
  await until(
    'the historian has the present',
    async () => {
      const { body } = await admin.request('POST', `${P}/tags/read`, { paths: ['a/b'] });
      return JSON.stringify(body).includes('"good"');
    },
    SLOW,
  );
  return until(
    'the database has its process',
    () => {
      const pids = descendants(service.pid);
      return pids.length >= 2 ? pids : null;
    },
    SLOW,
  );
}

test.skipIf(process.platform !== 'linux')('a killed gateway leaves no process behind', WIDE, async () => {
  await atWork([]);
  const gateway = (await service.status()).gateway.pid ?? 0;
  const below = descendants(gateway);
  expect(below).not.toEqual([]);
  process.kill(gateway, 'SIGKILL');
  await gone(below);
  dialledByFirst = devices.map(({ connections }) => connections);
  await until(
    'another gateway serves',
    async () => {
      const { pid, state } = (await service.status()).gateway;
      return state === 'running' && pid !== gateway;
    },
    SLOW,
  );
});

test.skipIf(process.platform !== 'linux')('a killed host leaves no process behind', WIDE, async () => {
  const below = await atWork(dialledByFirst);
  const killed = service.kill9();
  await gone(below);
  await killed;
});
