import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { ROOT } from '#test/paths.ts';
import { until, within } from '#test/until.ts';

/** The demo of a fleet as a visitor tries it: every printed command, in order, has the printed result. */
const STEP = /^# (.+)\n# expect (.+)\n(.+)$/gm;
const READY = /^Ctrl-C ends the demo/m;
const folders = () => readdirSync(tmpdir()).filter((name) => name.startsWith('sluice-demo-fleet-'));

function run(command: string): string {
  const { stdout, stderr } = spawnSync('bash', ['-c', command], { cwd: ROOT, encoding: 'utf8', timeout: 60_000 });
  return stdout.trim() || stderr.trim() || 'nothing';
}

test('every command that the demo of a fleet prints does what is printed above it', { timeout: 240_000 }, async () => {
  const before = folders();
  const child = spawn(process.execPath, ['test/fleet/demo.ts'], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (errors += chunk));
  const ended = once(child, 'exit');
  try {
    await until('the demo is ready', () => READY.test(text) || (child.exitCode !== null && `ended: ${errors}`), {
      timeoutMs: 120_000,
      everyMs: 100,
    });
    const steps = [...text.matchAll(STEP)].map(([, title = '', expected = '', command = '']) => ({
      title,
      expected,
      command,
    }));
    expect(steps.map(({ expected }) => expected)).toHaveLength(11);
    for (const { title, expected, command } of steps) {
      let found = '';
      // An edge that is cut off, or comes back, needs some seconds.
      await until(`${title}: ${expected}`, () => (found = run(command)) === expected, {
        timeoutMs: 40_000,
        everyMs: 500,
      }).catch((cause: unknown) => {
        throw new Error(`${title}: expected ${expected}; found ${found}`, { cause });
      });
    }
    await until('the caller of line-1 is refused', () => /The caller of line-1 gets 401 instead of 200/.test(text));
  } finally {
    child.kill('SIGTERM');
    await within(60_000, 'the end of the demo', ended);
  }
  expect(folders()).toEqual(before);
});
