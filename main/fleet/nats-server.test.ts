import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createLogger } from '#common/node/log.ts';
import { dirPerTest } from '#test/test-dir.ts';
import { until } from '#test/until.ts';
import { expectVersion, findServer, NatsServer } from './nats-server.ts';
import { CONFIG_FILE } from './nats/config.ts';
import { expectFlushes } from './nats/verify-server.ts';

const dir = dirPerTest();

function program(version: string): string {
  const file = join(dir.path, 'nats-server');
  writeFileSync(file, `#!/bin/sh\necho "${version}"\n`);
  chmodSync(file, 0o755);
  return file;
}

describe.skipIf(process.platform === 'win32')('nats-server', () => {
  test.each(['v2.10.27', 'v2.10.28-RC.1', 'v2.11.0', 'v2.15.1', 'v3.0.0'])(
    'version %s is accepted',
    async (version) => {
      await expect(expectVersion(program(`nats-server: ${version}`))).resolves.toBeUndefined();
    },
  );

  test.each(['v2.9.10', 'v2.10.26', 'v1.99.99'])('version %s is refused', async (version) => {
    await expect(expectVersion(program(`nats-server: ${version}`))).rejects.toThrow(
      `is version ${version.slice(1)}; a hub needs 2.10.27 or later.`,
    );
  });

  test('another program is refused', async () => {
    await expect(expectVersion(program('hello'))).rejects.toThrow('is version unknown');
  });

  test('it is found in PATH, and a missing one is named', () => {
    expect(findServer(null, `/none:${join(program('v2.11.0'), '..')}`)).toBe(join(dir.path, 'nats-server'));
    expect(() => findServer('/none/nats-server')).toThrow('There is no program /none/nats-server');
  });

  test('one that does not flush each record is refused', () => {
    expect(() => expectFlushes(true)).not.toThrow();
    expect(() => expectFlushes(false)).toThrow('expected "sync_interval: always"');
  });

  test('of two restarts at once, the last one has its files in force, and one process is left', async () => {
    const file = program('');
    const pids = join(dir.path, 'pids');
    writeFileSync(file, `#!/bin/sh\necho $$ >> ${pids}\nexec sleep 600\n`);
    const server = new NatsServer(
      file,
      dir.path,
      createLogger('test', () => {}),
    );
    const running = () => readFileSync(pids, 'utf8').split('\n').filter(Boolean).map(Number).filter(isRunning);
    const files = (config: string) => ({ config, certificate: '', key: '' });
    writeFileSync(pids, '');
    await server.start(files('first'));
    try {
      const slow = Promise.withResolvers<void>();
      const restarts = [
        server.restart(() => slow.promise.then(() => files('second'))),
        server.restart(async () => files('third')),
      ];
      slow.resolve();
      await Promise.all(restarts);
      expect(readFileSync(join(dir.path, CONFIG_FILE), 'utf8')).toBe('third');
      await until('one process runs', () => running().length === 1);
    } finally {
      await server.stop();
    }
    expect(running()).toEqual([]);
  });
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
