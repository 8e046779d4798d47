import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { until, within } from '#test/until.ts';
import { CHECKOUT, type DemoResult, sentenceOf } from './results.ts';
import { enterRoot, type MachineRoot } from './machine-root.ts';
import { type Ended, runProgram } from './run-program.ts';

/**
 * The README's first command, `npm ci && npm start -- --demo`, until the first call with a key succeeds. npm uses the
 * network of this machine; the demo has only loopback, so its ports are free and it can reach nothing else.
 */
const READY_MS_MAX = 300_000;
const END_MS_MAX = 30_000;
/** The first curl command with a 2xx status, and that status. */
const FIRST_LINE = /^# expect (2\d\d): .+\n(curl .+)\n/m;
const LOOPBACK = ['unshare', '--net', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh'];

export async function tryDemo(root: MachineRoot, log: string): Promise<DemoResult> {
  const installed = await runProgram(enterRoot(root, `cd ${CHECKOUT} && npm ci`), log);
  const installLines = installed.text.split('\n').filter((line) => line.trim() !== '').length;
  const result = { kind: 'demo', installLines, installSeconds: installed.seconds, firstCallSeconds: null } as const;
  if (installed.code !== 0) return { ...result, ...refusalOf(root, installed) };
  const demo = startDemo(root, log);
  const began = performance.now();
  try {
    await callFirst(demo, log);
    const firstCallSeconds = installed.seconds + (performance.now() - began) / 1000;
    await endDemo(demo.child);
    return { ...result, firstCallSeconds, outcome: 'served', detail: 'first keyed call answered' };
  } catch (error) {
    demo.child.kill('SIGKILL');
    return { ...result, outcome: 'failed', detail: sentenceOf(demo.text()) || String(error) };
  }
}

/** A refusal is correct if it comes before anything is installed and names what is missing. */
function refusalOf(root: MachineRoot, { text }: Ended): Pick<DemoResult, 'outcome' | 'detail'> {
  const detail = sentenceOf(text);
  const installed = existsSync(join(root.path, root.home, CHECKOUT, 'node_modules'));
  return { outcome: detail.includes('Sluice needs Node') && !installed ? 'refused' : 'failed', detail };
}

interface Demo {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly text: () => string;
}

/** Starts it in its own process group, so that a signal reaches all of it, as Ctrl-C does. */
function startDemo(root: MachineRoot, log: string): Demo {
  const [program = '', ...args] = [...LOOPBACK, ...enterRoot(root, `cd ${CHECKOUT} && npm start -- --demo`)];
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  if (child.pid === undefined) throw new Error(`${program} could not be started`);
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      appendFileSync(log, part);
    });
  return { child, pid: child.pid, text: () => text };
}

async function callFirst({ child, pid, text }: Demo, log: string): Promise<void> {
  const line = await until(
    'the demo prints a line to paste',
    () => {
      if (child.exitCode !== null) throw new Error(`npm start ended with ${child.exitCode}`);
      return FIRST_LINE.exec(text());
    },
    { timeoutMs: READY_MS_MAX, everyMs: 20 },
  );
  const [, status = '', command = ''] = line;
  // Uses curl of this machine, because the root has none.
  const called = await runProgram(['nsenter', `--net=/proc/${pid}/ns/net`, 'sh', '-c', command], log, 30_000);
  if (!called.text.includes(`HTTP/1.1 ${status} `))
    throw new Error(`expected ${status} for ${command.split(' ', 1)[0]}; got ${called.text.slice(0, 200)}`);
}

async function endDemo(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.pid === undefined) throw new Error('the demo ended by itself');
  const ended = once(child, 'exit');
  process.kill(-child.pid, 'SIGINT');
  await within(END_MS_MAX, 'the demo ends after Ctrl-C', ended);
}
