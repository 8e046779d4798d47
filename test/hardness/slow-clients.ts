/**
 * `node test/hardness/slow-clients.ts [--seconds N] [--rounds N] [--attack NAME]`: slowhttptest holds 4,000 sockets
 * from 127.0.0.2 to 127.0.0.20 on the gateway, by headers, bodies, reading and ranges, while good callers from
 * 127.0.0.1 continue at a steady rate. Root on Linux only: the program has no option for a source address, so all of it
 * runs in a network namespace of its own, in which a connection to 127.0.0.7 comes from 127.0.0.7. Ends by itself and
 * leaves nothing behind.
 *
 * Judged in each attack: the good callers' p99 (P99_RATIO_MAX), none of their calls failed, a new caller is served, a
 * silent socket and a slow body are closed in time, and the gateway's memory. The p99 is compared with that of the same
 * callers during the same attack on a plain server on the gateway's core, so both include the costs of the attackers,
 * the kernel and a shared core. The result without any attack is printed too.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startGateway, type TestGateway } from '#test/gateway.ts';
import { makeKey, type TestKey } from '#test/make-key.ts';
import { openRaw, rawRequest } from '#test/raw-request.ts';
import { fixedReply, routePipeline } from '#test/route-pipeline.ts';
import { createVerdict } from '#test/verdict.ts';
import { type Child, startChild } from '../bench/child.ts';
import { MIB, setSize } from '../bench/set-size.ts';
import type { SteadyResult } from '../bench/steady-caller.ts';
import { median } from '../bench/table.ts';
import {
  type Attack,
  attackers,
  ATTACKS,
  FIRST_HOST,
  LAST_HOST,
  SOCKETS,
  socketsHeld,
  socketsTaken,
} from './slow-attack.ts';

/** The servers have a separate core; callers, attackers and this program share the other. */
const SERVER_PIN = ['taskset', '-c', '0'];
const CALLERS_PIN = ['taskset', '-c', '1'];
const CALLS_PER_SECOND = 300;
const WARM_UP_SECONDS = 3;
const SECONDS = 20;
/** Time to establish the attack before the measurement. */
const RAMP_MS = 3_000;
/** Interval between two measurements of the gateway's memory. */
const SAMPLE_MS = 1_000;
const P99_RATIO_MAX = 2;
/** Below this, a ratio would depend on the scheduler. */
const P99_MS_FLOOR = 2;
const SILENT_MS_MAX = 7_000;
const SLOW_BODY_MS_MAX = 16_000;
const GROWTH_MIB_MAX = 128;
/** In turns with the attack on the plain server; medians are compared. */
const ROUNDS = 3;
const LARGE_REPLY_CHARS = 200_000;
/**
 * That of Ethernet. With loopback's own 65,536 the kernel accepts megabytes of a reply before its caller has read a
 * byte.
 */
const MTU = 1_500;

const { judge, end } = createVerdict();

async function main(): Promise<void> {
  const { seconds, rounds, attacks } = readFlags();
  if (process.env['SLUICE_IN_NAMESPACE'] === undefined) return enterNamespace();
  if (spawnSync('slowhttptest', ['-h']).error)
    throw new Error("expected Debian's slowhttptest, which is not installed");
  const key = makeKey();
  await using gateway = await startAnywhere(key);
  await using plain = await startChild('../hardness/plain-server.ts', [String(LARGE_REPLY_CHARS)], SERVER_PIN);
  await using steady = await startChild('steady-caller.ts', [
    String(gateway.port),
    '/good',
    key.value,
    String(CALLS_PER_SECOND),
  ]);
  await call(steady, WARM_UP_SECONDS);
  const quiet = await call(steady, seconds);
  console.log(`without an attack: ${times(quiet)}`);
  const { port: plainPort } = plain.hello as { port: number };
  for (const attack of attacks) {
    const scene = { attack, gateway, key, steady, plainPort, seconds };
    const taken: Round[] = [];
    for (let round = 0; round < rounds; round++) taken.push(await takeRound(scene));
    judgeRounds(attack, taken);
  }
  end();
}

interface Scene {
  readonly attack: Attack;
  readonly gateway: TestGateway;
  readonly key: TestKey;
  readonly steady: Child;
  readonly plainPort: number;
  readonly seconds: number;
}

interface Round {
  /** Results of the good callers while a plain server beside the gateway was attacked in the same way. */
  readonly beside: SteadyResult;
  readonly result: SteadyResult;
  /** Sockets of attackers: open at the same time, and accepted in total. */
  readonly held: number;
  readonly taken: number;
  readonly silentMs: number;
  readonly bodyMs: number;
  /** The response to a new caller. */
  readonly fresh: number;
  readonly grown: number;
}

async function takeRound({ attack, gateway, key, steady, plainPort, seconds }: Scene): Promise<Round> {
  const { port } = gateway;
  const { done: beside } = await duringAttack(attack, plainPort, gateway, () => call(steady, seconds), seconds);
  const before = { bytes: setSize(gateway.pid), taken: socketsTaken() };
  const { done, peakBytes } = await duringAttack(
    attack,
    port,
    gateway,
    async () => {
      const measuring = call(steady, seconds);
      const held = socketsHeld();
      const [silentMs, bodyMs, fresh] = await Promise.all([silent(port), slowBody(port, key), newCaller(port, key)]);
      return { result: await measuring, held, silentMs, bodyMs, fresh };
    },
    seconds,
  );
  return { ...done, beside, taken: socketsTaken() - before.taken, grown: (peakBytes - before.bytes) / MIB };
}

function judgeRounds(attack: Attack, rounds: readonly Round[]): void {
  for (const { result, beside, held } of rounds)
    console.log(
      `${attack.name}: ${held} sockets held; ${times(result)}; with a plain server attacked: ${times(beside)}`,
    );
  const middle = (of: (round: Round) => number): number => median(rounds.map(of));
  const most = (of: (round: Round) => number): number => Math.max(...rounds.map(of));
  const taken = Math.min(...rounds.map((round) => round.taken));
  judge(taken >= SOCKETS, `the attackers opened ${taken} sockets (fewer than ${SOCKETS} are no attack)`);
  const failed = rounds.reduce((sum, { result }) => sum + result.failed, 0);
  const calls = rounds.reduce((sum, { result }) => sum + result.calls, 0);
  const why = rounds.map(({ result }) => result.failure).find((failure) => failure !== null) ?? 'none';
  judge(failed === 0, `${failed} of ${calls} good calls failed: ${why}`);
  const ratio =
    middle(({ result }) => result.p99Ms) /
    Math.max(
      P99_MS_FLOOR,
      middle(({ beside }) => beside.p99Ms),
    );
  judge(
    ratio <= P99_RATIO_MAX,
    `p99 ${ratio.toFixed(2)}× that beside an attacked plain server (at most ${P99_RATIO_MAX})`,
  );
  const served = rounds.filter(({ fresh }) => fresh === 200).length;
  judge(served === rounds.length, `a caller who comes new is served in ${served} of ${rounds.length} rounds`);
  const silentMs = most((round) => round.silentMs);
  judge(silentMs <= SILENT_MS_MAX, `a silent socket is closed after ${(silentMs / 1000).toFixed(1)} s`);
  const bodyMs = most((round) => round.bodyMs);
  judge(bodyMs <= SLOW_BODY_MS_MAX, `a slow body is ended after ${(bodyMs / 1000).toFixed(1)} s`);
  const grown = most((round) => round.grown);
  judge(grown <= GROWTH_MIB_MAX, `${grown.toFixed(0)} MiB more than before at most`);
}

/** Starts measuring when the attack is established and lasts as long as needed. `peakBytes`: of the gateway. */
async function duringAttack<T>(
  attack: Attack,
  port: number,
  gateway: TestGateway,
  measure: () => Promise<T>,
  seconds: number,
): Promise<{ done: T; peakBytes: number }> {
  const over = attackers(attack, port, seconds + (2 * RAMP_MS) / 1000);
  let peakBytes = 0;
  const sampler = setInterval(() => (peakBytes = Math.max(peakBytes, setSize(gateway.pid))), SAMPLE_MS);
  await sleep(RAMP_MS);
  const done = await measure();
  clearInterval(sampler);
  await over;
  return { done, peakBytes };
}

const times = ({ p50Ms, p99Ms, maxMs }: SteadyResult): string =>
  `p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms, longest ${maxMs.toFixed(0)} ms`;

const call = (steady: Child, seconds: number): Promise<SteadyResult> =>
  steady.ask({ seconds }, (seconds + 60) * 1000) as Promise<SteadyResult>;

/** From an address without attackers: the experience of a caller without an existing connection. */
async function newCaller(port: number, key: TestKey): Promise<number> {
  try {
    const bytes = `GET /good HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nX-API-Key: ${key.value}\r\n\r\n`;
    const { responses } = await rawRequest(port, bytes, { responses: 1 });
    return responses[0]?.status ?? 0;
  } catch {
    return 0;
  }
}

/** Milliseconds until a silent socket is closed. */
async function silent(port: number): Promise<number> {
  await using connection = await openRaw(port);
  return (await connection.closed(60_000)).atMs;
}

/** Milliseconds until a body that arrives byte by byte is refused. */
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
    prefix: SERVER_PIN,
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

function readFlags(): { seconds: number; rounds: number; attacks: readonly Attack[] } {
  const options = { seconds: { type: 'string' }, rounds: { type: 'string' }, attack: { type: 'string' } } as const;
  const { values } = parseArgs({ options });
  const whole = (flag: 'seconds' | 'rounds', otherwise: number, least: number): number => {
    const value = Number(values[flag] ?? otherwise);
    if (!Number.isInteger(value) || value < least || value > 600)
      throw new Error(`--${flag} is "${values[flag]}"; expected a whole number from ${least} to 600`);
    return value;
  };
  const attacks = ATTACKS.filter(({ name }) => values.attack === undefined || name === values.attack);
  if (attacks.length === 0)
    throw new Error(`--attack is "${values.attack}"; expected one of ${ATTACKS.map(({ name }) => name).join(', ')}`);
  return { seconds: whole('seconds', SECONDS, SECONDS), rounds: whole('rounds', ROUNDS, 1), attacks };
}

/** Runs this file again in a namespace with its own loopback, in which each destination is its own source. */
function enterNamespace(): void {
  const routes = Array.from({ length: LAST_HOST - FIRST_HOST + 1 }, (_, index) => {
    const host = `127.0.0.${FIRST_HOST + index}`;
    return `ip route add local ${host}/32 dev lo src ${host} table local`;
  });
  const script = ['set -e', 'ulimit -n 20000', `ip link set lo mtu ${MTU} up`, ...routes, 'exec "$@"'].join('\n');
  const command = [
    'bash',
    '-c',
    script,
    'bash',
    ...CALLERS_PIN,
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
