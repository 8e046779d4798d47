import { beforeAll, beforeEach, expect, test } from 'vitest';
import { SluiceError } from '#common/errors/catalogue.ts';
import type { Client } from './harness.testing.ts';
import { admin, harness, harnessPerFile } from './use-harness.testing.ts';

/**
 * Changes that a user with only `edit_pipelines` can make to a running line: the table in security-of-capabilities.md.
 */
let editor: Client;
let engineer: Client;
let sent = 0;

const P = '/projects/line-7';
const memory = { provider: 'memory' };
const broker = { provider: 'mqtt', connection: 'broker', topic: 'line/speed' };
const speed = { path: 'line/speed', type: 'number', writable: true, source: memory };
const calc = { id: 'calc', description: '', code: 'export default () => 1', deadline: 1 };
const orders = { id: 'orders', description: '', connection: 'embedded', sql: 'SELECT 1', params: [] };
const nodes = [{ id: 'in', kind: 'rest-api', settings: { mode: 'ingress', urlPattern: '/p', method: 'GET' } }];
const pipeline = { id: 'p', name: 'P', grants: [], runAs: 'caller', nodes };
const erp = {
  id: 'erp',
  settings: { kind: 'sqlserver', host: 'erp.local', database: 'a', user: 'b', password: 'a secret' },
};

harnessPerFile({ project: { id: 'line-7', name: 'Line 7' } });
beforeAll(async () => {
  editor = await harness.personWith(admin, 'edit_pipelines', 'view');
  engineer = await harness.personWith(admin, 'edit_pipelines', 'run_pipelines', 'view');
  const made: [string, unknown][] = [
    [`${P}/tags`, speed],
    [`${P}/scripts`, calc],
    [`${P}/queries`, orders],
    [`${P}/connections`, erp],
    [`${P}/pipelines`, pipeline],
  ];
  for (const [path, body] of made) expect([path, (await admin.send('POST', path, body)).status]).toEqual([path, 201]);
  expect((await engineer.send('POST', `${P}/pipelines/p/start`)).status).toBe(200);
});
beforeEach(() => {
  sent = harness.gateway.resources.length + harness.gateway.changes.length;
});

const untouched = () => expect(harness.gateway.resources.length + harness.gateway.changes.length).toBe(sent);

test.each([
  ['a connection', 'PUT', '/connections/erp', erp],
  ['a start', 'POST', '/pipelines/p/start', undefined],
  ['a stop', 'POST', '/pipelines/p/stop', undefined],
  ['another source of a tag', 'PUT', '/tags/line%2Fspeed', { ...speed, source: broker }],
  ['another type of a tag', 'PUT', '/tags/line%2Fspeed', { ...speed, type: 'text' }],
  ['another unit of a tag', 'PUT', '/tags/line%2Fspeed', { ...speed, unit: 'm/s' }],
  ['a tag that is recorded', 'PUT', '/tags/line%2Fspeed', { ...speed, history: {} }],
  ['a new tag', 'POST', '/tags', { ...speed, path: 'line/other' }],
  ['one tag fewer', 'DELETE', '/tags/line%2Fspeed', undefined],
  ['other tags', 'PUT', '/tags', { items: [{ ...speed, writable: false }] }],
  ['no tags', 'PUT', '/tags', { items: [] }],
])('refused: %s', async (_name, method, path, body) => {
  const { status, body: answer } = await editor.send(method, P + path, body);
  expect([status, answer['code']]).toEqual([403, 'permission_missing']);
  untouched();
});

test.each([
  ['a pipeline', 'PUT', '/pipelines/p', { ...pipeline, name: 'Other' }],
  ['a library script', 'PUT', '/scripts/calc', { ...calc, code: 'export default () => 2' }],
  ['a named query', 'PUT', '/queries/orders', { ...orders, sql: 'DELETE FROM orders' }],
])('kept as a draft: %s', async (_name, method, path, body) => {
  expect((await editor.send(method, P + path, body)).status).toBe(200);
  untouched();
});

test('data, in the journal: values of tags', async () => {
  expect((await editor.send('POST', `${P}/tags/write`, { writes: [{ path: 'line/speed', value: 5 }] })).status).toBe(
    204,
  );
  expect(harness.audit.rows.at(-1)).toMatchObject({ act: 'tag.write', user: 'person 1', detail: 'line/speed = 5' });
  untouched();
});

test('the title of a tag is only for users', async () => {
  const { status } = await editor.send('PUT', `${P}/tags/line%2Fspeed`, { ...speed, title: 'Speed of the line' });
  expect(status).toBe(200);
});

test('a tag may be changed with run_pipelines, and by an editor while nothing is started', async () => {
  const faster = { ...speed, unit: 'm/s' };
  expect((await engineer.send('PUT', `${P}/tags/line%2Fspeed`, faster)).status).toBe(200);
  await engineer.send('POST', `${P}/pipelines/p/stop`);
  expect((await editor.send('PUT', `${P}/tags/line%2Fspeed`, speed)).status).toBe(200);
  await engineer.send('POST', `${P}/pipelines/p/start`);
});

test('a query is tested read-only by an editor, and without that restriction by users who may activate it', async () => {
  const query = { ...orders, sql: 'DELETE FROM orders' };
  const argsOf = async (who: Client): Promise<unknown> => {
    await who.send('POST', `${P}/queries/test`, { query, params: {} });
    return harness.gateway.calls.at(-1)?.args;
  };
  expect(await argsOf(editor)).toMatchObject({ readOnly: true });
  expect(await argsOf(engineer)).toMatchObject({ readOnly: false });
  expect(await argsOf(admin)).toMatchObject({ readOnly: false });
  await editor.send('POST', `${P}/queries/orders/test`, { params: {} });
  expect(harness.gateway.calls.at(-1)).toMatchObject({ call: 'query-test', args: { readOnly: true } });
  harness.gateway.refusal = new SluiceError('conflict', 'attempt to write a readonly database');
  const { body } = await editor.send('POST', `${P}/queries/test`, { query, params: {} });
  harness.gateway.refusal = null;
  expect(body['detail']).toBe(
    'attempt to write a readonly database; the test ran read-only, and a change needs the permission run_pipelines.',
  );
});

test('a query is not tested on SQL Server by an editor', async () => {
  const calls = harness.gateway.calls.length;
  const query = { ...orders, connection: 'erp' };
  const { body } = await editor.send('POST', `${P}/queries/test`, { query, params: {} });
  expect(body['code']).toBe('permission_missing');
  expect(harness.gateway.calls).toHaveLength(calls);
});
