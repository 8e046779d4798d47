/**
 * `node test/bench/soak.ts [--minutes N] [--program PATH] [--only NAME] [--times N]`: the whole service under a steady
 * 500 calls a second, and its memory: a native route, a script that reads and writes a variable (it waits, so its image
 * is kept and restored), an event stored and delivered to a target, and calls with a wrong key. 30 minutes by default;
 * loopback only; removes its files. PATH is a package's `sluice`; default: the sources. To find the cause of growth:
 * one load alone (native, script, stored, refused), at N times its rate.
 *
 * Printed each minute: proportional set size of host, gateway and their children, their CPU, and the callers' times.
 * growth.ts evaluates them. Exits with 1 if the memory grew, or if a call had a wrong response.
 */
import { parseArgs } from 'node:util';
import { routePipeline, type RoutePipeline } from '#test/route-pipeline.ts';
import { startService, type TestService } from '#test/service.ts';
import { type Child, startChild } from './child.ts';
import { createCpuClock, familyOf } from './cpu-time.ts';
import type { TargetReport } from './drain-target.ts';
import { judgeGrowth, mib } from './growth.ts';
import { runMain } from './run-main.ts';
import { familySetSize, MIB, setSize } from './set-size.ts';
import type { SteadyResult } from './steady-caller.ts';
import { median } from './table.ts';

const MINUTES = 30;
const MINUTES_MAX = 600;
/** Duration of one measurement; a minute has six. */
const SECONDS = 10;
const ANSWER_MS_MAX = 60_000;

const SCRIPT = `export default async () => {
  const seen = (await vars.get('seen')) ?? 0;
  await vars.set('seen', seen + 1);
  return { status: 200, body: { seen } };
}`;

interface Load extends RoutePipeline {
  readonly id: string;
  readonly path: string;
  readonly callsPerSecond: number;
  readonly wrongKey?: boolean;
}

const loads = (target: string): Load[] => [
  { id: 'native', path: '/native', callsPerSecond: 350 },
  {
    id: 'script',
    path: '/script',
    callsPerSecond: 50,
    grants: ['vars:read', 'vars:write'],
    runAs: 'pipeline',
    middle: [{ kind: 'transform', settings: { scopes: ['vars:read', 'vars:write'], code: SCRIPT } }],
  },
  {
    id: 'stored',
    path: '/stored',
    callsPerSecond: 50,
    middle: [
      {
        kind: 'rest-api',
        port: 'response',
        settings: { mode: 'egress', method: 'POST', url: target, staticHeaders: {}, timeout: 10 },
      },
    ],
  },
  { id: 'refused', path: '/refused', callsPerSecond: 50, wrongKey: true },
];

async function main(): Promise<void> {
  const { minutes, program, only, times } = readFlags();
  await using target = await startChild('drain-target.ts', []);
  const { port } = target.hello as { port: number };
  await using service = await startService([], program === undefined ? {} : { program: [program] });
  const all = loads(`http://127.0.0.1:${port}/events`).filter(({ id }) => id.startsWith(only));
  const key = await fill(service, port, all);
  await using callers = new AsyncDisposableStack();
  const started: Child[] = [];
  for (const load of all) {
    const right = load.wrongKey === true ? '401' : '200';
    const used = load.wrongKey === true ? `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}` : key;
    const args = [String(service.gatewayPort), load.path, used, String(load.callsPerSecond * times), right];
    started.push(callers.use(await startChild('steady-caller.ts', args)));
  }
  console.log(`before the first call: ${sizes(service.pid)}`);
  const samples = await soak(service, started, minutes);
  const { distinct } = (await target.ask('report', ANSWER_MS_MAX)) as TargetReport;
  console.log(`${distinct} stored events arrived`);
  judgeGrowth(samples);
}

/** One project with a pipeline for each load; a key that can call all of them without limits. */
async function fill({ admin, setUp }: TestService, targetPort: number, all: readonly Load[]): Promise<string> {
  await setUp();
  await admin.ok('PATCH', '/settings', { allowedInternalTargets: [`127.0.0.1:${targetPort}`] });
  await admin.ok('POST', '/projects', { id: 'soak', name: 'Soak' });
  for (const load of all) {
    const pipeline = routePipeline(load);
    // The target accepted it within the time, or later: both are correct.
    if (load.id === 'stored') pipeline.wires?.push({ from: 'n0', port: 'queued', to: 'out' });
    await admin.ok('POST', '/projects/soak/pipelines', pipeline);
    await admin.ok('POST', `/projects/soak/pipelines/${load.id}/start`, {});
  }
  return (await admin.ok<{ key: string }>('POST', '/projects/soak/keys', { name: 'soak', scopes: [] })).key;
}

async function soak(service: TestService, callers: readonly Child[], minutes: number): Promise<number[]> {
  const cpu = createCpuClock();
  const samples: number[] = [];
  for (let minute = 1; minute <= minutes; minute++) {
    const cpuBefore = cpu(service.pid);
    const from = performance.now();
    const results: SteadyResult[] = [];
    for (let round = 0; round < 60 / SECONDS; round++) {
      const answers = callers.map((one) => one.ask({ seconds: SECONDS }, SECONDS * 1000 + ANSWER_MS_MAX));
      results.push(...((await Promise.all(answers)) as SteadyResult[]));
      samples.push(familySetSize(service.pid));
    }
    const seconds = (performance.now() - from) / 1000;
    console.log(
      `minute ${minute}: ${sizes(service.pid)}; ${((cpu(service.pid) - cpuBefore) / 1e4 / seconds).toFixed(0)} % CPU; ${told(results, seconds)}`,
    );
    const wrong = results.find(({ failed }) => failed > 0);
    if (wrong) throw new Error(`${wrong.failed} calls were not answered as is right: ${wrong.failure}`);
  }
  return samples;
}

function sizes(pid: number): string {
  const each = familyOf(pid).map((one) => (setSize(one) / MIB).toFixed(0));
  return `${mib(familySetSize(pid))} (${each.join(' + ')})`;
}

function told(results: readonly SteadyResult[], seconds: number): string {
  const calls = results.reduce((sum, one) => sum + one.calls, 0);
  const p99 = median(results.map(({ p99Ms }) => p99Ms));
  const max = Math.max(...results.map(({ maxMs }) => maxMs));
  return `${(calls / seconds).toFixed(0)} calls/s, p99 ${p99.toFixed(1)} ms, longest ${max.toFixed(0)} ms`;
}

interface Flags {
  readonly minutes: number;
  readonly program: string | undefined;
  readonly only: string;
  readonly times: number;
}

function readFlags(): Flags {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ options: { minutes: text, program: text, only: text, times: text } });
  const minutes = Number(values.minutes ?? MINUTES);
  const times = Number(values.times ?? 1);
  if (!(times > 0 && times <= 100)) throw new Error(`--times is "${values.times}"; expected a number up to 100`);
  if (!Number.isInteger(minutes) || minutes < 1 || minutes > MINUTES_MAX)
    throw new Error(`--minutes is "${values.minutes}"; expected a whole number from 1 to ${MINUTES_MAX}`);
  return { minutes, program: values.program, only: values.only ?? '', times };
}

await runMain(main, 'expected --minutes N, --program PATH, --only NAME or --times N');
