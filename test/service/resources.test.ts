import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '#test/service.ts';
import { until } from '#test/until.ts';

/**
 * The running service: resources of a project other than pipelines outlive its gateway, and are removed with the
 * project.
 */
let service: TestService;
beforeAll(async () => {
  service = await startService();
  await service.setUp();
});
afterAll(() => service.stop());

const P = '/projects/line-7';

test('a tag, a variable, a file, a query and a script work again after the gateway is killed, and are removed with their project', async () => {
  const { admin } = service;
  await admin.ok('POST', '/projects', { id: 'line-7', name: 'Line 7' });
  const source = { provider: 'memory', initial: 1 };
  await admin.ok('PUT', `${P}/tags`, { items: [{ path: 'a/b', type: 'number', writable: true, source }] });
  await admin.ok('POST', `${P}/queries`, { id: 'one', sql: 'SELECT 1 AS n' });
  await admin.ok('POST', `${P}/scripts`, { id: 'twice', code: 'export default (n) => n * 2' });
  const broken = await admin.request('POST', `${P}/scripts`, { id: 'broken', code: 'export default (n =>' });
  expect([broken.status, broken.body]).toMatchObject([400, { errors: [{ path: 'code' }] }]);
  await admin.ok('POST', `${P}/tags/write`, { writes: [{ path: 'a/b', value: 80 }] });
  await admin.ok('PUT', `${P}/variables/shift%2Fcurrent`, { value: 'late' });
  await admin.ok('PUT', `${P}/files/reports%2Fa.txt`, { content: 'text' });
  const works = async () => {
    const results = await Promise.all([
      admin.ok<{ items: unknown[] }>('POST', `${P}/tags/read`, { paths: ['**'] }),
      admin.ok('GET', `${P}/variables/shift%2Fcurrent`),
      admin.ok('GET', `${P}/files/reports%2Fa.txt`),
      admin.ok('POST', `${P}/queries/one/test`, {}),
      admin.ok('POST', `${P}/scripts/twice/test`, { args: 21 }),
    ]);
    expect(results).toMatchObject([
      { items: [{ path: 'a/b', value: 80, quality: 'good' }] },
      { name: 'shift/current', value: 'late' },
      { content: 'text' },
      { rows: [{ n: 1 }] },
      { value: 42 },
    ]);
  };
  await works();
  const before = (await service.status()).gateway.pid ?? 0;
  process.kill(before, 'SIGKILL');
  await until('another gateway runs', async () => {
    const { pid, state } = (await service.status()).gateway;
    return state === 'running' && pid !== before;
  });
  await works();
  const folder = join(service.dataDir, 'projects/line-7');
  expect(existsSync(folder)).toBe(true);
  await admin.ok('DELETE', P);
  expect(existsSync(folder)).toBe(false);
  await admin.ok('POST', '/projects', { id: 'line-7', name: 'Anew' });
  expect(await admin.ok('GET', `${P}/variables`)).toMatchObject({ items: [] });
  expect(await admin.ok('GET', `${P}/files`)).toMatchObject({ items: [] });
});
