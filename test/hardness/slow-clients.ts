/**
 * `node test/hardness/slow-clients.ts [--seconds N]`: slowhttptest holds 4,000 sockets from 127.0.0.2 to 127.0.0.20 on
 * the gateway, by headers, bodies, reading and ranges, while good callers from 127.0.0.1 go on at a steady rate. Root on
 * Linux only: the program has no word for a source address, so all of it runs in a network namespace of its own, in
 * which a connection to 127.0.0.7 comes from 127.0.0.7. Ends by itself and leaves nothing behind.
 *
 * Judged in each attack: the good callers' p99 against that without any (P99_RATIO_MAX), none of their calls failed,
 * a caller who comes new is served, a silent socket and a slow body are closed in time, and the gateway's memory.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startGateway, type TestGateway } from '#test/gateway.ts';
import { makeKey, type TestKey } from '#test/make-key.ts';
import { openRaw, rawRequest } from '#test/raw-request.ts';
import { fixedReply, routePipeline } from '#test/route-pipeline.ts';
import { type Child, startChild } from '../bench/child.ts';
import { MIB, setSize } from '../bench/set-size.ts';
import type { SteadyResult } from '../bench/steady-caller.ts';

const SOCKETS = 4_000;
const FIRST_HOST = 2;
const LAST_HOST = 20;
const CALLS_PER_SECOND = 300;
const WARM_UP_SECONDS = 3;
const SECONDS = 20;
/** For the attack to stand before anybody measures. */
const RAMP_MS = 3_000;
const P99_RATIO_MAX = 2;
/** Below this a ratio would be one of the scheduler's moods. */
const P99_MS_FLOOR = 2;
const SILENT_MS_MAX = 7_000;
const SLOW_BODY_MS_MAX = 16_000;
const GROWTH_MIB_MAX = 128;
const LARGE_REPLY_CHARS = 200_000;

interface Attack {
  readonly name: string;
  readonly flags: readonly string[];
  readonly path: string;
}

const ATTACKS: readonly Attack[] = [
  { name: 'slow headers', flags: ['-H', '-i', '2'], path: '/open' },
  { name: 'slow bodies', flags: ['-B', '-i', '2', '-s', '8192', '-x', '10'], path: '/open' },
  { name: 'slow reading', flags: ['-X', '-n', '2', '-w', '10', '-y', '20', '-z', '5'], path: '/large' },
  { name: 'ranges', flags: ['-R', '-a', '5', '-b', '2000'], path: '/large' },
];

let failed = 0;

function judge(met: boolean, text: string): void {
  if (!met) failed += 1;
  console.log(`  ${met ? 'met    ' : 'NOT met'}  ${text}`);
}

async function main(): Promise<void> {
  const seconds = readSeconds();
  if (process.env['SLUICE_IN_NAMESPACE'] === undefined) return enterNamespace();
  const key = makeKey();
  await using gateway = await startAnywhere(key);
  await using steady = await startChild('steady-caller.ts', [
    String(gateway.port),
    '/good',
    key.value,
    String(CALLS_PER_SECOND),
  ]);
  await call(steady, WARM_UP_SECONDS);
  const quiet = await call(steady, seconds);
  console.log(`without an attack: p50 ${quiet.p50Ms.toFixed(1)} ms, p99 ${quiet.p99Ms.toFixed(1)} ms`);
  for (const attack of ATTACKS) await underAttack(attack, { gateway, key, steady, quiet, seconds });
  console.log(failed === 0 ? 'all met' : `${failed} NOT met`);
  if (failed > 0) process.exitCode = 1;
}

interface Scene {
  readonly gateway: TestGateway;
  readonly key: TestKey;
  readonly steady: Child;
  readonly quiet: SteadyResult;
  readonly seconds: number;
}

async function underAttack(attack: Attack, { gateway, key, steady, quiet, seconds }: Scene): Promise<void> {
  const before = setSize(gateway.pid);
  const over = attackers(attack, gateway.port, seconds + (2 * RAMP_MS) / 1000);
  await sleep(RAMP_MS);
  const measuring = call(steady, seconds);
  const [silentMs, bodyMs, held] = await Promise.all([silent(gateway.port), slowBody(gateway.port, key), sockets()]);
  const fresh = await newCaller(gateway.port, key);
  const peak = setSize(gateway.pid);
  const result = await measuring;
  await over;
  const ratio = result.p99Ms / Math.max(P99_MS_FLOOR, quiet.p99Ms);
  console.log(`${attack.name}: ${held} sockets held`);
  judge(result.failed === 0, `${result.failed} of ${result.calls} good calls failed: ${result.failure ?? 'none'}`);
  judge(ratio <= P99_RATIO_MAX, `p99 ${result.p99Ms.toFixed(1)} ms, ${ratio.toFixed(2)}× (at most ${P99_RATIO_MAX})`);
  judge(fresh === 200, `a caller who comes new gets ${fresh}`);
  judge(silentMs <= SILENT_MS_MAX, `a silent socket is closed after ${(silentMs / 1000).toFixed(1)} s`);
  judge(bodyMs <= SLOW_BODY_MS_MAX, `a slow body is ended after ${(bodyMs / 1000).toFixed(1)} s`);
  const grown = (peak - before) / MIB;
  judge(grown <= GROWTH_MIB_MAX, `${(peak / MIB).toFixed(0)} MiB, ${grown.toFixed(0)} more than before`);
}

const call = (steady: Child, seconds: number): Promise<SteadyResult> =>
  steady.ask({ seconds }, (seconds + 60) * 1000) as Promise<SteadyResult>;

/** One slowhttptest for each address. Resolves when the last has ended. */
async function attackers({ flags, path }: Attack, port: number, seconds: number): Promise<void> {
  const hosts = Array.from({ length: LAST_HOST - FIRST_HOST + 1 }, (_, index) => `127.0.0.${FIRST_HOST + index}`);
  const each = String(Math.ceil(SOCKETS / hosts.length));
  const ends = hosts.map((host) => {
    const common = ['-c', each, '-r', each, '-l', String(Math.ceil(seconds)), '-p', '3', '-v', '0'];
    // On real lines they have machines of their own: here they get what the gateway and the good callers leave.
    const command = ['-n', '19', 'taskset', '-c', '1', 'slowhttptest', ...flags, ...common];
    const child = spawn('nice', [...command, '-u', `http://${host}:${port}${path}`], { stdio: 'ignore' });
    return once(child, 'exit');
  });
  await Promise.all(ends);
}

/** Established connections of everybody but the good callers, as the kernel counts them. */
async function sockets(): Promise<number> {
  const { stdout } = spawnSync('ss', ['-Htn', 'state', 'established', 'dst', '127.0.0.0/8'], { encoding: 'utf8' });
  return stdout.split('\n').filter((line) => /\s127\.0\.0\.(?!1:)\d+:\d+\s+127\.0\.0\.(?!1:)/.test(line)).length / 2;
}

/** From an address that no attacker has: what a caller sees who has no connection yet. */
async function newCaller(port: number, key: TestKey): Promise<number> {
  try {
    const bytes = `GET /good HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nX-API-Key: ${key.value}\r\n\r\n`;
    const { responses } = await rawRequest(port, bytes, { responses: 1 });
    return responses[0]?.status ?? 0;
  } catch {
    return 0;
  }
}

/** Milliseconds until a socket that says nothing is closed. */
async function silent(port: number): Promise<number> {
  await using connection = await openRaw(port);
  return (await connection.closed(60_000)).atMs;
}

/** Milliseconds until a body that comes byte by byte is refused. */
async function slowBody(port: number, key: TestKey): Promise<number> {
  await using connection = await openRaw(port);
  connection.send(`POST /good HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: ${key.value}\r\nContent-Length: 9999\r\n\r\n`);
  const timer = setInterval(() => connection.send('x'), 200);
  try {
    return (await connection.closed(60_000)).atMs;
  } finally {
    clearInterval(timer);
  }
}

async function startAnywhere(key: TestKey): Promise<TestGateway & AsyncDisposable> {
  const gateway = await startGateway({
    prefix: ['taskset', '-c', '0'],
    settings: { gatewayHost: '0.0.0.0' },
    keys: [key],
    pipelines: [
      routePipeline({ id: 'good', method: '*', path: '/good', ...fixedReply({ ok: true }) }),
      routePipeline({
        id: 'open',
        method: '*',
        path: '/open',
        route: { authType: 'none' },
        ...fixedReply({ ok: true }),
      }),
      routePipeline({
        id: 'large',
        path: '/large',
        route: { authType: 'none' },
        ...fixedReply({ text: 'x'.repeat(LARGE_REPLY_CHARS) }),
      }),
    ],
  });
  return {
    ...gateway,
    pid: gateway.pid,
    port: gateway.port,
    [Symbol.asyncDispose]: async () => void (await gateway.stop()),
  };
}

function readSeconds(): number {
  const { values } = parseArgs({ options: { seconds: { type: 'string' } } });
  const seconds = Number(values.seconds ?? SECONDS);
  if (!Number.isInteger(seconds) || seconds < SECONDS || seconds > 600)
    throw new Error(`--seconds is "${values.seconds}"; expected a whole number from ${SECONDS} to 600`);
  return seconds;
}

/** Runs this file again where loopback is ours alone and each destination is its own source. */
function enterNamespace(): void {
  const routes = Array.from({ length: LAST_HOST - FIRST_HOST + 1 }, (_, index) => {
    const host = `127.0.0.${FIRST_HOST + index}`;
    return `ip route add local ${host}/32 dev lo src ${host} table local`;
  });
  const script = ['set -e', 'ulimit -n 20000', 'ip link set lo up', ...routes, 'exec "$@"'].join('\n');
  const command = [
    'bash',
    '-c',
    script,
    'bash',
    process.execPath,
    fileURLToPath(import.meta.url),
    ...process.argv.slice(2),
  ];
  const { status, error } = spawnSync('unshare', ['-n', ...command], {
    stdio: 'inherit',
    env: { ...process.env, SLUICE_IN_NAMESPACE: 'yes' },
  });
  if (error) throw error;
  process.exitCode = status ?? 1;
}

await main();
