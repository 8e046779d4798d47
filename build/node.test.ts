import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '#test/paths.ts';
import { tempDir } from '#test/temp-dir.ts';
import { until } from '#test/until.ts';
import RUNTIME_PACKAGES from './runtime-packages.json' with { type: 'json' };

const PLATFORM = `${process.platform}-${process.arch}`;
const PACKAGE = new Map(Object.entries(RUNTIME_PACKAGES)).get(PLATFORM);
const PRELOADED_OLD_NODE =
  "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.4' } })";

const INSTALLED = 'node_modules/.package-lock.json';

/** A checkout with the launcher and `files`; without npm packages unless `files` contains one. */
async function checkout(files: Record<string, string> = {}) {
  const folder = await tempDir();
  const put = (file: string, text: string): string => {
    const path = join(folder.path, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  };
  put('old-node.cjs', PRELOADED_OLD_NODE);
  put('build/runtime-packages.json', JSON.stringify(RUNTIME_PACKAGES));
  copyFileSync(join(ROOT, 'build/node.cjs'), join(folder.path, 'build/node.cjs'));
  for (const [file, text] of Object.entries(files)) put(file, text);
  if (existsSync(join(folder.path, 'node_modules'))) put(INSTALLED, '{}');
  return folder;
}

function launch(folder: string, args: readonly string[], nodeArgs: readonly string[] = []) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...nodeArgs, 'build/node.cjs', ...args], {
    cwd: folder,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

const onOldNode = (folder: string, ...args: string[]) => launch(folder, args, ['-r', './old-node.cjs']);

test('an older Node before npm ci leads to one sentence that names the command', async () => {
  await using folder = await checkout();
  expect(onOldNode(folder.path, 'main/start.ts')).toEqual({
    status: 1,
    stdout: '',
    stderr: 'Sluice is not installed yet: run "npm ci" first. It installs Node 24.\n',
  });
});

test('an unfinished installation leads to one sentence with any Node', async () => {
  await using folder = await checkout({ [`node_modules/${PACKAGE}/bin/node`]: 'half a program', 'a.ts': '' });
  rmSync(join(folder.path, INSTALLED));
  const refused = { status: 1, stdout: '', stderr: 'npm did not finish installing Sluice: run "npm ci" again.\n' };
  expect([onOldNode(folder.path, 'a.ts'), launch(folder.path, ['a.ts'])]).toEqual([refused, refused]);
});

test('an older Node without the package leads to the command that installs it', async () => {
  await using folder = await checkout({ 'node_modules/express/package.json': '{}' });
  expect(onOldNode(folder.path, 'main/start.ts')).toEqual({
    status: 1,
    stdout: '',
    stderr: `npm left out the package ${PACKAGE}, which is Node 24: run "npm ci --include=optional"; this is Node 18.20.4.\n`,
  });
});

test('a platform without a Node package leads to one sentence', async () => {
  await using folder = await checkout({ 'build/runtime-packages.json': '{}', 'node_modules/a/package.json': '{}' });
  expect(onOldNode(folder.path, 'main/start.ts').stderr).toBe(
    `Sluice needs Node 24 or newer, and npm has none for ${PLATFORM}: install it; this is Node 18.20.4.\n`,
  );
});

test('a Node that the system cannot load leads to one sentence, or is replaced by the Node in use if that is new enough', async () => {
  const program = `node_modules/${PACKAGE}/bin/node`;
  await using folder = await checkout({ [program]: 'no program', 'a.ts': 'console.log("ran")' });
  expect(onOldNode(folder.path, 'a.ts').stderr).toBe(
    `The Node of the package ${PACKAGE} does not run on this system: install Node 24 or newer; this is Node 18.20.4.\n`,
  );
  expect(launch(folder.path, ['a.ts'])).toEqual({ status: 0, stdout: 'ran\n', stderr: '' });
});

test('the Node of the package runs the file with its arguments and exit code, without a link in .bin', async () => {
  const code = 'console.log(process.execPath, ...process.execArgv, ...process.argv.slice(2)); process.exit(7)';
  await using folder = await checkout({ 'a.ts': code, [INSTALLED]: '{}' });
  const program = join(folder.path, 'node_modules', String(PACKAGE), 'bin/node');
  mkdirSync(dirname(program), { recursive: true });
  symlinkSync(process.execPath, program);
  expect(existsSync(join(folder.path, 'node_modules/.bin'))).toBe(false);
  const { status, stdout } = onOldNode(folder.path, 'a.ts', '--demo', 'a b');
  expect([status, stdout]).toEqual([7, `${process.execPath} --disable-sigusr1 --demo a b\n`]);
});

test('a tool is found by the bin entry of its package', async () => {
  await using folder = await checkout({
    'node_modules/typescript/package.json': '{"bin":{"tsc":"./bin/tsc","tsserver":"./bin/tsserver"}}',
    'node_modules/typescript/bin/tsc': 'console.log("tsc", process.argv[2])',
    'node_modules/vitest/package.json': '{"bin":"./vitest.cjs"}',
    'node_modules/vitest/vitest.cjs': 'console.log("vitest")',
  });
  expect(launch(folder.path, ['tsc', '-p']).stdout).toBe('tsc -p\n');
  expect(launch(folder.path, ['vitest']).stdout).toBe('vitest\n');
  expect(launch(folder.path, ['knip'])).toEqual({
    status: 1,
    stdout: '',
    stderr: 'There is no tool knip: run "npm ci" first.\n',
  });
});

test('--ui builds the UI and its pages first, and stops if that fails', async () => {
  const steps = {
    'a.ts': 'console.log("program")',
    'build/ui.ts': 'console.log("ui", process.argv[2])',
    'build/docs-site.ts': 'console.log("docs", process.argv[2])',
  };
  await using folder = await checkout(steps);
  expect(launch(folder.path, ['--ui', 'a.ts']).stdout).toBe('ui --if-stale\ndocs --if-stale\nprogram\n');
  await using broken = await checkout({ ...steps, 'build/ui.ts': 'process.exit(3)' });
  expect(launch(broken.path, ['--ui', 'a.ts'])).toEqual({ status: 3, stdout: '', stderr: '' });
});

test.for(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('the launcher forwards %s to the program', async (signal) => {
  const code = `process.on('${signal}', () => process.exit(9)); setInterval(() => {}, 1e6); console.log('ready')`;
  await using folder = await checkout({ 'a.ts': code });
  const launcher = spawn(process.execPath, ['build/node.cjs', 'a.ts'], {
    cwd: folder.path,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  launcher.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await until('the program runs', () => text.includes('ready'));
  launcher.kill(signal);
  expect(await once(launcher, 'exit')).toEqual([9, null]);
});

test('the launcher ends with the same signal as the program', async () => {
  await using folder = await checkout({ 'a.ts': `process.kill(process.pid, 'SIGKILL')` });
  const launcher = spawn(process.execPath, ['build/node.cjs', 'a.ts'], { cwd: folder.path });
  expect(await once(launcher, 'exit')).toEqual([null, 'SIGKILL']);
});

/** A program that counts, started by the launcher below a shell that is killed; by npm, if `environment` defines it. */
async function underKilledShell(folder: string, environment: Record<string, string>) {
  const { npm_lifecycle_event: _, ...env } = process.env;
  const shell = spawn('/bin/sh', ['-c', `'${process.execPath}' build/node.cjs a.ts; true`], {
    cwd: folder,
    env: { ...env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  shell.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await until('the program counts', () => text.includes('counts'));
  shell.kill('SIGTERM');
  await once(shell, 'exit');
  return { closed: once(shell, 'close'), text: () => text, counted: () => text.split('counts').length };
}

const COUNTING = `
  process.on('SIGTERM', () => { console.log('stopped'); process.exit(0) });
  process.on('SIGUSR2', () => process.exit(0));
  console.log('pid', process.pid);
  setInterval(() => console.log('counts'), 50)`;

test('the program stops after npm killed its shell', async () => {
  await using folder = await checkout({ 'a.ts': COUNTING });
  const { closed, text } = await underKilledShell(folder.path, { npm_lifecycle_event: 'start' });
  await closed;
  expect(text()).toMatch(/stopped\n$/);
});

test('the program outlives its shell outside npm', async () => {
  await using folder = await checkout({ 'a.ts': COUNTING });
  const { closed, text, counted } = await underKilledShell(folder.path, {});
  const before = counted();
  // Longer than the launcher would take to detect it.
  await until('it counts on', () => counted() > before + 40);
  process.kill(Number(/pid (\d+)/.exec(text())?.[1]), 'SIGUSR2');
  await closed;
  expect(text()).not.toContain('stopped');
});
