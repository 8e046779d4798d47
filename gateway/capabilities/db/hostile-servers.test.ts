import { expect, test } from 'vitest';
import type { ConnectionDefinition } from '#common/model/connection.ts';
import { fakePostgres, INT8, JSON_TYPE, message, READY, rowOf } from './fake-postgres.testing.ts';
import { openBench } from './testing.ts';

test.each([
  ['an invalid integer', rowOf(INT8, 'abc')],
  ['invalid JSON', rowOf(JSON_TYPE, '{')],
  ['a description of columns that ends early', Buffer.concat([message('T', Buffer.from([9, 9])), READY])],
])('a server that answers with %s fails the call, not the gateway', async (_what, answer) => {
  await using server = await fakePostgres(answer);
  const { port } = server;
  const settings = { host: '127.0.0.1', port, database: 'd', user: 'u', password: null, tls: 'off', ca: null } as const;
  const connection = {
    id: 'fake',
    name: '',
    settings: { kind: 'postgresql', ...settings, poolMax: 1, connectTimeout: 2 },
  };
  await using bench = await openBench({
    connections: [connection as ConnectionDefinition],
    allowed: [`127.0.0.1:${port}`],
    usual: 'fake',
  });
  // An uncaught exception of a driver fails the whole test run.
  await expect(bench.sql('SELECT 1')).rejects.toMatchObject({ code: 'db_unreachable' });
});
