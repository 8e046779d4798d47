import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { dirPerTest } from '#test/test-dir.ts';
import { expectVersion, findServer } from './nats-server.ts';
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
});
