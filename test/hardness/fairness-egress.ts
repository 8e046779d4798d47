/**
 * `node test/hardness/fairness-egress.ts [--seconds N] [--only buffer]`: for each cap of outgoing calls, one greedy key
 * at full force against 20 polite callers of four other projects, whose target is well. Ends by itself.
 *
 * Judged: the polite lose no call, and their 99th percentile stays within P99_RATIO_MAX of the quiet one. The greedy
 * calls come from a process of their own, so that the measuring process has only the polite ones. The table also has the
 * machine's own part: the p99 of the same polite calls to a plain server in an idle process, under the same attack.
 */
import { once } from 'node:events';
import { Agent, createServer, request, type RequestListener } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startGateway, type TestGateway } from '#test/gateway.ts';
import { makeKey } from '#test/make-key.ts';
import { requestBytes } from '#test/raw-request.ts';
import { routePipeline } from '#test/route-pipeline.ts';
import { createVerdict } from '#test/verdict.ts';
import { startChild } from '../bench/child.ts';
import type { GreedyOrder } from './greedy-caller.ts';

const SECONDS = 10;
const POLITE_CALLERS = 20;
const POLITE_PROJECTS = ['polite-1', 'polite-2', 'polite-3', 'polite-4'];
const POLITE_PAUSE_MS = 50;
const GREEDY_CALLERS = 300;
const GREEDY_ADDRESSES = 200;
/** Ordering keys of a hanging target. */
const GREEDY_ORDERS = 100;
const BEGIN_MS_MAX = 60_000;
const HANGING_TARGETS = 8;
const HANG_SECONDS = 60;
const P99_RATIO_MAX = 3;
/** Below this, a ratio would depend on the scheduler. */
const P99_MS_FLOOR = 20;
const BUFFER_BYTES = 64 * 1024 * 1024;
const LARGE = 'x'.repeat(512 * 1024);

/** One limit: how the greedy key calls. */
const CASES = [
  { name: 'direct calls, 8 targets that hang', stored: false, body: '{}' },
  { name: 'sends, 8 targets that hang, many ordering keys', stored: true, body: '{}' },
  { name: 'buffer of 64 MiB, events of 512 KiB', stored: true, body: LARGE },
] as const;

interface Ends {
  readonly lost: string[];
  readonly durationsMs: number[];
}

const { judge, end } = createVerdict();
const agent = new Agent({ keepAlive: true, maxSockets: Infinity });
const greedyKey = makeKey({ project: 'greedy' });
const politeKeys = POLITE_PROJECTS.map((project) => makeKey({ project }));

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { seconds: { type: 'string' }, only: { type: 'string' } } });
  const seconds = Number(values.seconds ?? SECONDS);
  const healthy = await listen((req, res) => void req.resume().on('end', () => res.end('ok')));
  const hanging = await listen((req) => void req.resume());
  await using plain = await startChild('../hardness/plain-server.ts', []);
  const { port: plainPort } = plain.hello as { port: number };
  console.log('cap | quiet p99 ms | p99 ms beside greed | p99 ms of a plain server | polite calls | lost');
  for (const one of CASES.filter(({ name }) => name.startsWith(values.only ?? ''))) {
    await using gateway = await start(one.stored, healthy.ports(1), hanging.ports(HANGING_TARGETS));
    const quiet = await politeCalls(gateway.port, seconds);
    await using greedy = await startChild('../hardness/greedy-caller.ts', []);
    await greedy.ask(greedyOrder(gateway.port, one.body), BEGIN_MS_MAX);
    await delay(2_000);
    const beside = await politeCalls(gateway.port, seconds);
    report(one.name, quiet, beside, await politeCalls(plainPort, seconds));
  }
  await Promise.all([healthy.close(), hanging.close()]);
  agent.destroy();
  end();
}

function report(name: string, quiet: Ends, beside: Ends, elsewhere: Ends): void {
  const [before, after] = [p99(quiet.durationsMs), p99(beside.durationsMs)];
  const lost = quiet.lost.length + beside.lost.length;
  const machine = p99(elsewhere.durationsMs);
  const times = [before, after, machine].map((ms) => ms.toFixed(1));
  console.log([name, ...times, beside.durationsMs.length, lost].join(' | '));
  judge(lost === 0, `${name}: no polite call is lost${lost === 0 ? '' : ` (${beside.lost[0] ?? quiet.lost[0]})`}`);
  const most = Math.max(before * P99_RATIO_MAX, P99_MS_FLOOR);
  judge(after <= most, `${name}: p99 ${after.toFixed(1)} ms, at most ${most.toFixed(1)} ms`);
}

/** Ports of one server each, opened on demand. */
async function listen(listener: RequestListener) {
  const servers = await Promise.all(
    Array.from({ length: HANGING_TARGETS }, async () => {
      const server = createServer(listener).listen(0, '127.0.0.1');
      await once(server, 'listening');
      return server;
    }),
  );
  const portOf = (address: ReturnType<(typeof servers)[0]['address']>) =>
    typeof address === 'object' && address !== null ? address.port : 0;
  return {
    ports: (count: number) => servers.slice(0, count).map((server) => portOf(server.address())),
    close: async () => {
      for (const server of servers) {
        server.closeAllConnections();
        server.close();
        await once(server, 'close');
      }
    },
  };
}

function start(stored: boolean, healthy: readonly number[], hanging: readonly number[]): Promise<TestGateway> {
  const pipelineOf = (id: string, port: number, timeout: number) =>
    routePipeline({
      id,
      method: 'POST',
      path: `/${id}`,
      route: { authType: 'api_key', timeout: HANG_SECONDS },
      middle: [
        {
          id: 'call',
          kind: 'rest-api',
          settings: {
            mode: 'egress',
            url: `http://127.0.0.1:${port}/`,
            method: 'POST',
            staticHeaders: {},
            timeout,
            storeAndForward: stored,
            ...(stored && { orderingKey: '{{payload.query.key}}' }),
          },
          port: 'response',
        },
      ],
      reply: { body: 'done' },
    });
  const greedy = hanging.map((port, index) => pipelineOf(`hang-${index}`, port, HANG_SECONDS));
  return startGateway({
    keys: [greedyKey, ...politeKeys],
    pipelines: [
      ...greedy.map((definition) => ({ project: 'greedy', definition })),
      ...POLITE_PROJECTS.map((project) => ({ project, definition: pipelineOf(project, healthy[0] ?? 0, 20) })),
    ],
    settings: {
      allowedInternalTargets: [...healthy, ...hanging].map((port) => `127.0.0.1:${port}`),
      egressMaxBytes: BUFFER_BYTES,
      diskReserveBytes: 0,
    },
  });
}

/** Each polite caller waits for its answer and a moment before it calls again. */
async function politeCalls(port: number, seconds: number): Promise<Ends> {
  const ends: Ends = { lost: [], durationsMs: [] };
  const untilMs = performance.now() + seconds * 1_000;
  const callers = Array.from({ length: POLITE_CALLERS }, async (_, index) => {
    const at = index % POLITE_PROJECTS.length;
    const call = { path: `/${POLITE_PROJECTS[at]}?key=k${index}`, key: politeKeys[at]?.value ?? '', body: '{}' };
    while (performance.now() < untilMs) {
      const beganMs = performance.now();
      const answer = await send(port, { ...call, from: `127.0.2.${index + 1}` });
      ends.durationsMs.push(performance.now() - beganMs);
      if (answer !== '200 done') ends.lost.push(answer);
      await delay(POLITE_PAUSE_MS);
    }
  });
  await Promise.all(callers);
  return ends;
}

function greedyOrder(port: number, body: string): GreedyOrder {
  const key = greedyKey.value;
  const headers = { 'Content-Type': typeOf(body), 'Content-Length': `${body.length}` };
  const heads = Array.from({ length: HANGING_TARGETS * GREEDY_ORDERS }, (_, n) => {
    const path = `/hang-${n % HANGING_TARGETS}?key=g${n}`;
    return requestBytes({ method: 'POST', path, key, headers }).toString('base64');
  });
  const from = { connections: GREEDY_CALLERS, addresses: GREEDY_ADDRESSES };
  return { port, ...from, heads, body: Buffer.from(body).toString('base64') };
}

interface Call {
  readonly path: string;
  readonly key: string;
  readonly body: string;
  /** The source address. */
  readonly from: string;
}

function typeOf(body: string): string {
  return body === LARGE ? 'text/plain' : 'application/json';
}

/** Status and text, or why there is no response. Never rejects. */
async function send(port: number, { path, key, body, from }: Call): Promise<string> {
  const headers = { 'x-api-key': key, 'content-type': typeOf(body) };
  const options = { host: '127.0.0.1', port, path, method: 'POST', headers, agent, localAddress: from };
  const { promise, resolve } = Promise.withResolvers<string>();
  const sent = request(options, (answer) => {
    let text = '';
    answer.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    answer.on('close', () => resolve(`${answer.statusCode} ${text.slice(0, 200)}`));
  });
  sent.on('error', (error) => resolve(error.message));
  sent.end(body);
  return promise;
}

function p99(durationsMs: readonly number[]): number {
  return durationsMs.toSorted((a, b) => a - b)[Math.floor(durationsMs.length * 0.99)] ?? Infinity;
}

await main();
