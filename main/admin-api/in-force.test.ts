import { beforeEach, describe, expect, test } from 'vitest';
import { SluiceError } from '#common/errors/catalogue.ts';
import type { Permission } from '#common/model/records.ts';
import { type Answer, type Client, holdStarts } from './harness.testing.ts';
import { admin, harness, harnessPerTest } from './use-harness.testing.ts';

/** Library scripts and named queries take effect only with the permissions that the pipelines using them need. */
let editor: Client;
let engineer: Client;
harnessPerTest({ project: { id: 'line-7', name: 'Line 7' } });
beforeEach(async () => {
  editor = await harness.personWith(admin, 'edit_pipelines', 'view');
  engineer = await harness.personWith(admin, 'edit_pipelines', 'run_pipelines', 'view');
});

const P = '/projects/line-7';
const calc = { id: 'calc', description: '', code: 'export default () => 1', deadline: 1 };
const evil = { ...calc, code: 'export default () => db.sql("DROP TABLE orders")' };
const orders = { id: 'orders', description: '', connection: 'embedded', sql: 'SELECT 1', params: [] };
const wiped = { ...orders, sql: 'DELETE FROM orders' };

const FAMILIES = [
  { family: 'scripts', word: 'script', grant: 'script:execute', good: calc, bad: evil },
  { family: 'queries', word: 'query', grant: 'db:read', good: orders, bad: wiped },
] as const;

async function pipeline(by: Client, grants: string[] = [], id = 'p'): Promise<void> {
  const nodes = [{ id: 'in', kind: 'rest-api', settings: { mode: 'ingress', urlPattern: `/${id}`, method: 'GET' } }];
  const sent = { id, name: id, grants, runAs: grants.length > 0 ? 'pipeline' : 'caller', nodes };
  expect((await admin.send('POST', `${P}/pipelines`, sent)).status).toBe(201);
  expect((await by.send('POST', `${P}/pipelines/${id}/start`)).status).toBe(200);
}
const needs = (answer: Answer): unknown => (answer.body['draft'] as { needs?: unknown } | undefined)?.needs;

describe.each(FAMILIES)('$family', ({ family, word, grant, good, bad }) => {
  const ALL = `${P}/${family}`;
  const ONE = `${ALL}/${good.id}`;
  const inGateway = (): object[] => harness.gateway.resources.at(-1)?.resources?.[family] ?? [];
  const lastRow = () => harness.audit.rows.at(-1);

  async function saved(by: Client, expected: Permission[] | undefined): Promise<void> {
    const sent = harness.gateway.resources.length;
    const answer = await by.send('PUT', ONE, bad);
    expect([answer.status, needs(answer)]).toEqual([200, expected]);
    expect(inGateway()).toMatchObject([expected === undefined ? bad : good]);
    expect(harness.gateway.resources).toHaveLength(expected === undefined ? sent + 1 : sent);
  }

  test('change at once while nothing runs and nothing is approved with their grant', async () => {
    await editor.send('POST', ALL, good);
    await saved(editor, undefined);
  });

  test('wait for run_pipelines while a pipeline of the project is started', async () => {
    await admin.send('POST', ALL, good);
    await pipeline(engineer);
    await saved(editor, ['run_pipelines']);
    await saved(engineer, undefined);
    expect((await admin.send('GET', ONE)).body).not.toHaveProperty('draft');
  });

  test('are not saved as drafts while the disk has less than its reserve', async () => {
    await admin.send('POST', ALL, good);
    await pipeline(engineer);
    harness.faults.free = 0;
    expect(await editor.send('PUT', ONE, bad)).toMatchObject({ status: 507, body: { code: 'disk_reserve' } });
    expect((await admin.send('GET', ONE)).body).not.toHaveProperty('draft');
  });

  test('wait for access_settings while an older revision with the grant runs', async () => {
    await admin.send('POST', ALL, good);
    await pipeline(admin, [grant]);
    const { id, name, nodes } = (await admin.send('GET', `${P}/pipelines/p`)).body;
    await admin.send('PUT', `${P}/pipelines/p`, { id, name, nodes, runAs: 'caller', grants: [] });
    harness.faults.wanted = true;
    // Approved, and then reverted to the revision that ran.
    expect((await admin.send('POST', `${P}/pipelines/p/start`)).status).toBe(500);
    expect((await admin.send('GET', `${P}/pipelines/p`)).body).toMatchObject({ runningRevision: 1 });
    await saved(engineer, ['run_pipelines', 'access_settings']);
  });

  test.each(['running', 'stopped'])(
    'wait for access_settings beside an approved pipeline with the grant, %s',
    async (state) => {
      await admin.send('POST', ALL, good);
      await pipeline(admin, [grant]);
      if (state === 'stopped') await engineer.send('POST', `${P}/pipelines/p/stop`);
      await saved(editor, ['run_pipelines', 'access_settings']);
      await saved(engineer, ['run_pipelines', 'access_settings']);
      await saved(admin, undefined);
    },
  );

  test('wait while a start that would approve the grant is in progress', async () => {
    await admin.send('POST', ALL, good);
    const start = holdStarts(harness);
    const started = pipeline(admin, [grant]);
    await start.asked;
    await saved(engineer, ['run_pipelines', 'access_settings']);
    start.release();
    await started;
  });

  test('need only run_pipelines beside a pipeline with other grants', async () => {
    await admin.send('POST', ALL, good);
    await pipeline(admin, ['tag:read']);
    await saved(engineer, undefined);
  });

  test('that are new wait too, and cannot be deleted and created again', async () => {
    await pipeline(admin, [grant]);
    const made = await engineer.send('POST', ALL, good);
    expect([made.status, needs(made)]).toEqual([201, ['run_pipelines', 'access_settings']]);
    expect(inGateway()).toEqual([]);
    expect((await engineer.send('POST', ALL, good)).status).toBe(409);
    expect((await admin.send('GET', ALL)).body['items']).toEqual([made.body]);
    expect((await engineer.send('GET', `${ONE}/in-force`)).status).toBe(404);
    expect((await engineer.send('DELETE', ONE)).status).toBe(204);
    await admin.send('POST', ALL, good);
    expect((await engineer.send('DELETE', ONE)).body['code']).toBe('permission_missing');
    expect(inGateway()).toMatchObject([good]);
    expect((await admin.send('DELETE', ONE)).status).toBe(204);
    expect(inGateway()).toEqual([]);
  });

  test('are activated by users with the needed permissions, as they were read, with a journal row', async () => {
    await admin.send('POST', ALL, good);
    await pipeline(admin, [grant]);
    await saved(engineer, ['run_pipelines', 'access_settings']);
    expect(lastRow()).toMatchObject({
      act: `${word}.change`,
      detail: 'saved as a draft; needs run_pipelines, access_settings',
    });
    const read = (await admin.send('GET', ONE)).body;
    expect(read).toMatchObject({ ...bad, draft: { savedBy: expect.any(String), savedAt: expect.any(String) } });
    expect((await engineer.send('PUT', ONE, read)).status).toBe(200);
    expect((await editor.send('GET', `${ONE}/in-force`)).body).toMatchObject(good);
    expect((await editor.send('POST', `${ONE}/activate`)).body['code']).toBe('permission_missing');
    expect((await engineer.send('POST', `${ONE}/activate`)).body['code']).toBe('permission_missing');
    harness.clock.ms += 1000;
    await engineer.send('PUT', ONE, { ...bad, description: 'another' });
    const { savedAt } = read['draft'] as { savedAt: string };
    expect((await admin.send('POST', `${ONE}/activate`, { savedAt })).status).toBe(409);
    expect(inGateway()).toMatchObject([good]);
    expect((await admin.send('POST', `${ONE}/activate`)).body).not.toHaveProperty('draft');
    expect(inGateway()).toMatchObject([{ ...bad, description: 'another' }]);
    expect(lastRow()).toMatchObject({ act: `${word}.activate`, target: good.id, status: 200 });
    expect((await admin.send('POST', `${ONE}/activate`)).status).toBe(409);
  });

  test('stay unchanged when the gateway refuses them, and the draft stays', async () => {
    await admin.send('POST', ALL, good);
    await pipeline(engineer);
    await saved(editor, ['run_pipelines']);
    harness.gateway.refusal = new SluiceError('conflict', 'no');
    expect((await engineer.send('POST', `${ONE}/activate`)).status).toBe(409);
    harness.gateway.refusal = null;
    expect((await admin.send('GET', `${ONE}/in-force`)).body).toMatchObject(good);
    expect(needs(await admin.send('GET', ONE))).toEqual(['run_pipelines']);
  });

  test('leave no draft when they are saved as they are in force', async () => {
    await admin.send('POST', ALL, good);
    await pipeline(engineer);
    await saved(editor, ['run_pipelines']);
    expect((await editor.send('PUT', ONE, good)).body).not.toHaveProperty('draft');
    expect((await admin.send('GET', ONE)).body).not.toHaveProperty('draft');
  });

  test('are in the project file as they were saved', async () => {
    await admin.send('POST', ALL, good);
    await pipeline(engineer);
    await saved(editor, ['run_pipelines']);
    expect((await admin.send('GET', `${P}/export`)).body[family]).toMatchObject([bad]);
  });
});

test('a permission that is lost while a change waits no longer counts', async () => {
  await admin.send('POST', `${P}/scripts`, calc);
  await pipeline(engineer);
  const { items } = (await admin.send('GET', '/users')).body as { items: { id: string }[] };
  const { promise, resolve } = Promise.withResolvers<void>();
  const { change } = harness.gateway;
  const asked = Promise.withResolvers<void>();
  harness.gateway.change = async () => {
    asked.resolve();
    await promise;
  };
  const first = admin.send('PUT', `${P}/scripts/calc`, calc);
  await asked.promise;
  const second = engineer.send('PUT', `${P}/scripts/calc`, evil);
  await engineer.send('GET', '/status');
  await engineer.send('GET', '/status');
  await admin.send('PATCH', `/users/${items.at(-1)?.id}`, { roles: ['Viewer'] });
  harness.gateway.change = change;
  resolve();
  expect((await first).status).toBe(200);
  expect((await second).status).not.toBe(200);
  expect((await admin.send('GET', `${P}/scripts/calc/in-force`)).body).toMatchObject(calc);
});
