import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '#test/paths.ts';

/** A machine without any programs in its PATH, not even a package manager. */
function onBareMachine(file: string, args: readonly string[], environment: Record<string, string> = {}) {
  const { CI: _, ...inherited } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, file), ...args], {
    cwd: ROOT,
    env: { ...inherited, ...environment, PATH: '' },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

const onLinux = test.skipIf(process.platform !== 'linux');

onLinux('npm run deps names what is missing, what it is for and the command that installs it', () => {
  const { status, stderr } = onBareMachine('build/deps.ts', []);
  expect(status).toBe(1);
  expect(stderr).toContain('Missing for tests of metrics and alert rules: prometheus.\n');
  expect(stderr).toMatch(/^Install them, on Debian and Ubuntu with: sudo apt-get install .*\bprometheus\b.*$/m);
});

onLinux('npm test runs what can run, with one line for each group that cannot', () => {
  const { status, stdout } = onBareMachine('test/run.ts', ['test/monitoring/', 'test/support/long-first.test.ts']);
  expect(stdout).toMatch(/\nleft out: tests of metrics and alert rules: prometheus is not installed\n/);
  expect(stdout).not.toContain('left out: the benchmark');
  expect(stdout).toMatch(/\n[1-9]\d* passed, 0 failed\n$/);
  expect(status).toBe(0);
});

onLinux('in CI, npm test refuses to leave tests out', () => {
  const { status, stdout, stderr } = onBareMachine('test/run.ts', ['test/monitoring/'], { CI: 'true' });
  expect(stderr).toContain('left out: tests of metrics and alert rules: prometheus is not installed\n');
  expect([status, stdout]).toEqual([1, '']);
});
