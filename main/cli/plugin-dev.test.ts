import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SluiceError } from '#common/errors/catalogue.ts';
import { createLogger } from '#common/node/log.ts';
import { routePipeline } from '#test/route-pipeline.ts';
import { startService } from '#test/service.ts';
import { tempDir } from '#test/temp-dir.ts';
import { dirPerTest } from '#test/test-dir.ts';
import { until } from '#test/until.ts';
import { openControlSocket } from '../host/control-socket.ts';
import { runSluice, startSluice, type Running } from './testing/sluice.ts';

vi.setConfig({ testTimeout: 240_000 });

const MANIFEST = {
  id: 'acme',
  name: 'Acme',
  main: 'dist/index.js',
  kinds: [{ id: 'acme-say', title: 'Say', summary: 'Says a word.' }],
};

/** npm is started several times, on a machine that may be busy. */
const SLOW = { timeoutMs: 60_000, everyMs: 50 };

const folder = dirPerTest();
const running: Running[] = [];

beforeEach(() => {
  writePlugin('package.json', {
    name: 'acme',
    version: '1.0.0',
    files: ['dist/index.js', 'sluice-plugin.json'],
    scripts: { build: 'node build.js' },
  });
  writePlugin('build.js', `require('fs').cpSync('src', 'dist', { recursive: true });`);
  writePlugin('sluice-plugin.json', MANIFEST);
  mkdirSync(join(folder.path, 'src'));
  say('one');
});
afterEach(async () => {
  for (const { child, ended } of running.splice(0)) {
    child.kill('SIGTERM');
    await ended;
  }
});

function writePlugin(name: string, content: object | string): void {
  writeFileSync(join(folder.path, name), typeof content === 'string' ? content : JSON.stringify(content));
}

function say(word: string): void {
  writePlugin('src/index.js', `export default { 'acme-say': () => ({ payload: { body: '${word}' } }) };`);
}

function start(words: readonly string[], input = ''): Running {
  const started = startSluice(words, { input });
  running.push(started);
  return started;
}

/** The output of a process so far. */
function printed({ child }: Running): () => string {
  let text = '';
  child.stdout?.on('data', (more: string) => (text += more));
  return () => text;
}

test('a change is built, approved and running, unless it asks for more rights', async () => {
  await using service = await startService();
  await service.setUp();
  const { admin } = service;
  const words = ['plugin', 'dev', folder.path, '--data', service.dataDir, '--on-appliance'];
  const watching = start(words, 'acme\n');
  const lines = printed(watching);
  const line = (text: string) => until(`it prints "${text}"`, () => lines().includes(text), SLOW);
  await line('acme 1.0.0 is loaded.');

  await admin.ok('POST', '/projects', { id: 'dev', name: 'Dev' });
  const { key } = await admin.ok<{ key: string }>('POST', '/projects/dev/keys', { name: 'dev' });
  const pipeline = routePipeline({ id: 'say', path: '/say', middle: [{ kind: 'acme-say' }] });
  await admin.ok('POST', '/projects/dev/pipelines', pipeline);
  await admin.ok('POST', '/projects/dev/pipelines/say/start', {});
  const said = async () => (await fetch(`${service.ready.gateway}/say`, { headers: { 'X-API-Key': key } })).text();
  expect(await said()).toContain('one');

  await line('Watching');
  say('two');
  await line('acme 1.0.0 is loaded; started again: say of dev.');
  expect(await said()).toContain('two');
  writePlugin('sluice-plugin.json', { ...MANIFEST, capabilities: ['tag:write'] });
  await line('now asks for tag:write, which you did not confirm');
  expect(await said()).toContain('two');
  watching.child.kill('SIGTERM');
  expect((await watching.ended).code).toBe(0);
  expect(await service.stop()).toBe(0);
});

test.each([
  ['is a demo, without a confirmation', [], {}, [], 'expected "acme" to be typed; nothing was approved'],
  ['is not a demo', [], {}, [], 'is not a demo; every change of the plugin would be approved there without a review'],
  ['gets trusted code', ['--on-appliance'], { trusted: true }, [], 'asks to run outside the sandbox'],
  ['is not confirmed', ['--on-appliance'], {}, [], 'expected "acme" to be typed; nothing was approved'],
  ['is confirmed', ['--on-appliance', '--once'], {}, ['plugin-add'], 'the handler refuses'],
])('a Sluice that %s gets no further requests', async (what, flags, more, expected, sentence) => {
  rmSync(join(folder.path, 'package.json'));
  writePlugin('sluice-plugin.json', { ...MANIFEST, ...more, version: '1.0.0', main: 'src/index.js' });
  await using data = await tempDir();
  const asked: unknown[] = [];
  const handler = ({ command }: Readonly<Record<string, unknown>>) => {
    asked.push(command);
    if (command === 'is-demo') return Promise.resolve(what.startsWith('is a demo'));
    return Promise.reject(new SluiceError('conflict', 'the handler refuses'));
  };
  const socket = await openControlSocket(
    data.path,
    handler,
    createLogger('test', () => {}),
  );
  try {
    const input = what === 'is confirmed' ? 'acme\n' : 'no\n';
    const { code, stderr } = await runSluice(['plugin', 'dev', folder.path, '--data', data.path, ...flags], { input });
    expect([code, stderr]).toEqual([1, expect.stringContaining(sentence)]);
    expect(asked).toEqual(['is-demo', ...expected]);
  } finally {
    await socket.close();
  }
});

test('a missing Sluice is reported', async () => {
  await using data = await tempDir();
  const { stderr } = await runSluice(['plugin', 'dev', folder.path, '--data', data.path]);
  expect(stderr).toContain(`no Sluice is running on the data folder ${data.path}`);
});
