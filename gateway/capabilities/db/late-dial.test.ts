import { expect, test } from 'vitest';
import type { ConnectionDefinition } from '#common/model/connection.ts';
import { createLogger } from '#common/node/log.ts';
import { type Target, TargetGuard } from '#net/target-guard.ts';
import { until } from '#test/until.ts';
import { createDatabases } from './databases.ts';
import { fakePostgres, READY } from './fake-postgres.testing.ts';
import { ENDLESS_DISK } from '../disk-room.testing.ts';

/** A slow name server: it replies when the test allows it. */
class SlowGuard extends TargetGuard {
  readonly answer = Promise.withResolvers<void>();

  override async resolve(host: string, port: number): Promise<Target> {
    await this.answer.promise;
    return super.resolve(host, port);
  }
}

test('a session that opens after its call has failed with a timeout is closed again', async () => {
  await using server = await fakePostgres(READY);
  const { port, sockets } = server;
  const guard = new SlowGuard([`127.0.0.1:${port}`]);
  const databases = createDatabases({
    dataDir: '',
    disk: ENDLESS_DISK,
    guard,
    log: createLogger('test', () => undefined),
  });
  const at = {
    kind: 'postgresql',
    host: '127.0.0.1',
    port,
    database: 'd',
    user: 'u',
    password: null,
    tls: 'off',
    ca: null,
  };
  const connection = { id: 'slow', name: '', settings: { ...at, poolMax: 1, connectTimeout: 0.5 } };
  expect(await databases.test(connection as ConnectionDefinition)).toMatchObject({ ok: false });
  guard.answer.resolve();
  await until('it is open', () => sockets.size > 0);
  await until('it is closed', () => [...sockets].every(({ destroyed }) => destroyed), { timeoutMs: 3000 });
  await databases.close();
});
