/**
 * The effect of a misbehaving script on callers of other routes: p50 and p99 of a plain route and of one with a small
 * script, alone and while an abusing route is called in a loop by one caller. Prints a line per abuse with the ratios
 * to the quiet round before it; the goal is at most 2 while a core is free. The figures are for comparison on one
 * machine: gateway, abuser and callers share its cores. Takes about a minute and removes its files.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { SCOPES } from '#common/scopes.ts';
import { startGateway, type TestGateway } from '#test/gateway.ts';
import { makeKey } from '#test/make-key.ts';
import { type PipelineInput, routePipeline } from '#test/route-pipeline.ts';

const ROUND_MS = 2_500;
/**
 * Interval between two requests of a measuring caller: a low, steady rate, so that the wait is measured and not the
 * load.
 */
const PAUSE_MS = 2;
/** The abused script is slow from its second call on. */
const WARM_UP_MS = 500;
const DEADLINE_SECONDS = 0.3;

const ABUSES: readonly (readonly [string, string])[] = [
  ['loops', 'for (;;);'],
  ['runs natively', 'return Array.prototype.reverse.call({ length: 2 ** 40 })'],
  ['backtracks', `return /^(a+)+$/.test('a'.repeat(60) + 'b')`],
  ['fills memory', 'const a = []; for (;;) a.push(new Uint8Array(1e6).fill(1))'],
  [
    'floods jobs',
    'const f = () => { Promise.resolve().then(f); Promise.resolve().then(f) }; f(); await new Promise(() => {})',
  ],
  ['floods calls', `for (;;) await Promise.all(Array.from({ length: 200 }, () => vars.get('x')))`],
  [
    'waits, memory full',
    `const a = []; for (let i = 0; i < 40; i++) a.push(new Uint8Array(1e6).fill(1)); for (;;) await vars.get('x')`,
  ],
  ['returns 16 MB of text', `return { status: 200, body: 'x'.repeat(16e6) }`],
  [
    'returns 300,000 keys',
    `const o = {}; for (let i = 0; i < 1e5; i++) o['k' + i] = [i, {}]; return { status: 200, body: o }`,
  ],
];

interface Figures {
  readonly p50: number;
  readonly p99: number;
}
type Round = readonly [plain: Figures, script: Figures];

async function main(): Promise<void> {
  const key = makeKey({ scopes: [...SCOPES] });
  await using gateway = await startGateway({ keys: [key], pipelines: pipelines() });
  await round(gateway, key.value);
  console.log('ms                        plain p50   p99  ratio | script p50   p99  ratio');
  for (const [index, [name]] of ABUSES.entries()) {
    const before = await round(gateway, key.value);
    const during = await besideAbuse(gateway, key.value, `/abuse/${index}`);
    print('quiet', before, before);
    print(name, during, before);
  }
}

function pipelines(): PipelineInput[] {
  // The regular expression keeps it in the sandbox.
  const small = {
    kind: 'transform',
    settings: { code: 'export default () => ({ status: 200, body: { n: Number(/1/.test("1")) } })', deadline: 30 },
  };
  const set = { kind: 'set', settings: { assign: [{ path: 'payload.body', value: { n: 1 } }] } };
  return [
    routePipeline({ id: 'plain', path: '/plain', middle: [set] }),
    routePipeline({ id: 'script', path: '/script', middle: [small] }),
    ...ABUSES.map(([, body], index) =>
      routePipeline({
        id: `abuse-${index}`,
        path: `/abuse/${index}`,
        route: { timeout: 2 },
        middle: [
          {
            kind: 'transform',
            settings: {
              code: `export default async () => { ${body} }`,
              deadline: DEADLINE_SECONDS,
              scopes: [...SCOPES],
            },
          },
        ],
      }),
    ),
  ];
}

async function besideAbuse(gateway: TestGateway, key: string, path: string): Promise<Round> {
  let over = false;
  const abusing = (async () => {
    while (!over) await ask(gateway, key, path);
  })();
  try {
    await sleep(WARM_UP_MS);
    return await round(gateway, key);
  } finally {
    over = true;
    await abusing;
  }
}

async function round(gateway: TestGateway, key: string): Promise<Round> {
  return Promise.all([measure(gateway, key, '/plain'), measure(gateway, key, '/script')]);
}

async function measure(gateway: TestGateway, key: string, path: string): Promise<Figures> {
  const times: number[] = [];
  const end = performance.now() + ROUND_MS;
  while (performance.now() < end) {
    const begun = performance.now();
    const status = await ask(gateway, key, path);
    times.push(performance.now() - begun);
    if (status !== 200) throw new Error(`${path} answered ${status}`);
    await sleep(PAUSE_MS);
  }
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p99: at(0.99) };
}

async function ask(gateway: TestGateway, key: string, path: string): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${gateway.port}${path}`, { headers: { 'X-API-Key': key } });
  await response.arrayBuffer();
  return response.status;
}

function print(name: string, [plain, script]: Round, [plainQuiet, scriptQuiet]: Round): void {
  const cells = (now: Figures, quiet: Figures): string =>
    `${now.p50.toFixed(1).padStart(9)}${now.p99.toFixed(1).padStart(7)}${(now.p99 / quiet.p99).toFixed(1).padStart(6)}`;
  console.log(`${name.padEnd(26)}${cells(plain, plainQuiet)}  |${cells(script, scriptQuiet)}`);
}

await main();
