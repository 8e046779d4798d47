import { beforeEach, expect, test } from 'vitest';
import { apiKeyId } from '#common/api-key.ts';
import { SluiceError } from '#common/errors/catalogue.ts';
import type { KeyRecord, Permission } from '#common/model/records.ts';
import { fleetPort } from '../host/fleet-port.ts';
import { createLine } from './harness.testing.ts';
import { admin, harness, harnessPerTest } from './use-harness.testing.ts';

harnessPerTest({ project: { id: 'line-7', name: 'Line 7' } });
beforeEach(async () => {
  await admin.send('POST', '/projects', { id: 'line-8', name: 'Line 8' });
});

const KEYS = '/projects/line-7/keys';

async function make(name = 'MES', scopes: string[] = ['db:write']): Promise<{ key: string; record: KeyRecord }> {
  const { status, body } = await admin.send('POST', KEYS, { name, scopes });
  expect(status).toBe(201);
  return body as { key: string; record: KeyRecord };
}

test('a key is returned once, with its record, after the gateway has it', async () => {
  const { key, record } = await make();
  expect(apiKeyId(key)).toBe(record.id);
  expect(record).toMatchObject({
    project: 'line-7',
    name: 'MES',
    scopes: ['db:write'],
    createdBy: 'Ada',
    revokedAt: null,
  });
  expect(harness.gateway.changes).toMatchObject([{ kind: 'key', key: { id: record.id, revoked: false } }]);
  const { body } = await admin.send('GET', KEYS);
  expect(body['items']).toEqual([record]);
  expect(JSON.stringify([body, harness.audit.rows, harness.logged, harness.gateway.changes])).not.toContain(key);
});

test('a project that is deleted and created again has no keys of the previous one, and their names are free', async () => {
  const { record } = await make();
  await admin.send('POST', `${KEYS}/${record.id}/revoke`, {});
  const other = (await admin.send('POST', '/projects/line-8/keys', { name: 'MES', scopes: [] })).body['record'];
  expect((await admin.send('DELETE', '/projects/line-7')).status).toBe(204);
  expect((await admin.send('POST', '/projects', { id: 'line-7', name: 'Line 7' })).status).toBe(201);
  expect((await admin.send('GET', KEYS)).body['items']).toEqual([]);
  await make();
  expect((await admin.send('GET', '/projects/line-8/keys')).body['items']).toEqual([other]);
});

test('the keys of all projects are listed without their values, and those of a deleted project are not', async () => {
  const { key, record } = await make();
  const other = (await admin.send('POST', '/projects/line-8/keys', { name: 'MES', scopes: [] })).body['record'];
  const { body } = await admin.send('GET', '/keys');
  expect(body['items']).toHaveLength(2);
  expect(body['items']).toEqual(expect.arrayContaining([record, other]));
  expect(JSON.stringify(body)).not.toContain(key);
  await admin.send('POST', `${KEYS}/${record.id}/revoke`, {});
  expect((await admin.send('DELETE', '/projects/line-7')).status).toBe(204);
  expect((await admin.send('GET', '/keys')).body['items']).toEqual([other]);
});

test('the journal names the creator, with the ID and scopes of the key', async () => {
  const { record } = await make();
  expect(harness.audit.rows.slice(-2)).toMatchObject([
    { act: 'key.create', user: 'Ada', project: 'line-7', keyName: 'MES', detail: 'scopes: db:write' },
    { act: 'key.create', status: 200, keyId: record.id },
  ]);
});

test('a key is returned while the gateway is down, which gets it when it starts', async () => {
  harness.gateway.refusal = new SluiceError('gateway_down', 'down');
  const { record } = await make();
  expect(harness.deps.keys.entry(record.id)).toMatchObject({ revoked: false });
});

test.each([
  ['an unknown scope', { name: 'MES', scopes: ['db:all'] }, 'scopes'],
  ['no name', { scopes: [] }, 'name'],
  ['a name of spaces', { name: '   ' }, 'name'],
])('%s is refused, naming the field', async (_what, body, path) => {
  const answer = await admin.send('POST', KEYS, body);
  expect(answer).toMatchObject({ status: 400, body: { code: 'invalid', errors: [{ path }] } });
  expect(harness.deps.keys.list()).toEqual([]);
});

test('a name in use in the project is a conflict, and is free in another project', async () => {
  await make();
  expect((await admin.send('POST', KEYS, { name: 'MES', scopes: [] })).status).toBe(409);
  expect((await admin.send('POST', '/projects/line-8/keys', { name: 'MES', scopes: [] })).status).toBe(201);
});

test('a revocation takes effect in the gateway, then is saved, then acknowledged', async () => {
  const { record } = await make();
  const order: string[] = [];
  const { revoke } = harness.deps.keys;
  harness.deps.keys.revoke = async (id, by) => {
    const revoked = await revoke(id, by);
    order.push('vault');
    return revoked;
  };
  const { change } = harness.gateway;
  harness.gateway.change = async (wanted) => {
    order.push(wanted.kind);
    await change(wanted);
  };
  const answer = await admin.send('POST', `${KEYS}/${record.id}/revoke`);
  expect(answer.body).toMatchObject({ id: record.id, revokedBy: 'Ada', revokedAt: expect.any(String) });
  expect(order).toEqual(['key-revoked', 'vault']);
  expect(harness.audit.rows.slice(-2)).toMatchObject([
    { act: 'key.revoke', keyId: record.id, target: record.id },
    { act: 'key.revoke', keyId: record.id, status: 200 },
  ]);
});

test('a revocation that the gateway does not accept fails', async () => {
  const { record } = await make();
  harness.gateway.change = () => Promise.reject(new Error('the channel broke'));
  expect((await admin.send('POST', `${KEYS}/${record.id}/revoke`)).status).toBe(500);
  expect(harness.deps.keys.get(record.id)?.revokedAt).not.toBeNull();
});

test('nothing is created while the journal cannot be written, and a revocation is in force but not saved', async () => {
  const { record } = await make();
  harness.audit.failFrom = 0;
  expect((await admin.send('POST', KEYS, { name: 'SCADA', scopes: [] })).body['code']).toBe('audit_unavailable');
  expect((await admin.send('POST', `${KEYS}/${record.id}/revoke`)).body['code']).toBe('not_saved');
  expect(harness.deps.keys.list()).toMatchObject([{ id: record.id, revokedBy: 'Ada' }]);
  expect(harness.gateway.changes.at(-1)).toEqual({ kind: 'key-revoked', keyId: record.id });
});

test('a journal that hangs counts as one that cannot be written', async () => {
  harness.deps.audit.record = () => new Promise(() => {});
  const answer = await admin.send('POST', KEYS, { name: 'SCADA', scopes: [] });
  expect(answer.body['code']).toBe('audit_unavailable');
  expect(harness.deps.keys.list()).toEqual([]);
});

test('a rotation creates the successor with the same scopes and leaves the old key valid', async () => {
  const { record } = await make();
  const { status, body } = await admin.send('POST', `${KEYS}/${record.id}/rotate`);
  expect(status).toBe(201);
  expect(body['record']).toMatchObject({ name: 'MES (2)', scopes: ['db:write'] });
  expect(harness.deps.keys.get(record.id)?.revokedAt).toBeNull();
});

test('a key of another project is unknown here', async () => {
  const { record } = await make();
  for (const act of ['revoke', 'rotate']) {
    expect((await admin.send('POST', `/projects/line-8/keys/${record.id}/${act}`)).status).toBe(404);
    expect((await admin.send('POST', `/projects/line-7/keys/nothing/${act}`)).status).toBe(404);
  }
  expect(harness.deps.keys.get(record.id)?.revokedAt).toBeNull();
});

test('the time of the last use comes from the journal, also in the response to a revocation', async () => {
  const { record } = await make();
  harness.deps.audit.lastUsed = async () => new Map([[record.id, '2026-03-01T05:00:00.000Z']]);
  expect((await admin.send('GET', KEYS)).body).toMatchObject({ items: [{ lastUsedAt: '2026-03-01T05:00:00.000Z' }] });
  const revoked = await admin.send('POST', `${KEYS}/${record.id}/revoke`);
  expect(revoked.body).toMatchObject({ lastUsedAt: '2026-03-01T05:00:00.000Z' });
});

test('the reach of a key is shown to users who may access settings, by the key and by its scopes', async () => {
  await admin.send('POST', '/projects/line-7/tags', {
    path: 'line7/speed',
    type: 'number',
    source: { provider: 'memory' },
  });
  await admin.send('POST', '/projects/line-7/pipelines', {
    id: 'orders',
    name: 'Orders',
    nodes: [
      {
        id: 'in',
        kind: 'rest-api',
        settings: { mode: 'ingress', urlPattern: '/orders', requiredScopes: ['tag:write'] },
      },
      { id: 'w', kind: 'tag-write', settings: { writes: [{ tag: 'line7/*', value: 1 }] } },
    ],
    wires: [{ from: 'in', port: 'out', to: 'w' }],
  });
  await admin.send('POST', '/projects/line-7/pipelines/orders/start');
  const made = await admin.send('POST', '/projects/line-7/keys', { name: 'MES', scopes: ['tag:write'] });
  const { id } = made.body['record'] as { id: string };
  const reached = {
    routes: [{ pipeline: 'orders', pattern: '/orders', answers: true, missing: [] }],
    uses: [{ what: 'writeTags', names: ['line7/speed'], any: [] }],
  };
  expect((await admin.send('GET', `/projects/line-7/keys/${id}/reach`)).body).toMatchObject(reached);
  const asked = await admin.send('POST', '/projects/line-7/reach', { scopes: ['tag:write'] });
  expect(asked.body).toMatchObject(reached);
  expect((await admin.send('POST', '/projects/line-7/reach', { scopes: [] })).body).toMatchObject({
    routes: [{ missing: ['tag:write'] }],
    uses: [],
  });
  expect((await admin.send('POST', '/projects/line-7/reach', { scopes: ['all'] })).body['errors']).toMatchObject([
    { path: 'scopes' },
  ]);
});

/** A user with `manage_keys`, but without `access_settings`. */
const keeper = (...more: Permission[]) => harness.personWith(admin, 'view', 'manage_keys', ...more);
const giving = (scopes: string[], name = `key ${scopes.join()}`) => ({ name, scopes });

test('without access_settings a key gets the scopes that a valid key of the project has, and no others', async () => {
  const { record } = await make('MES', ['tag:read', 'tag:write']);
  await admin.send('POST', '/projects/line-8/keys', { name: 'Other', scopes: ['db:write'] });
  const operator = await keeper('run_pipelines');
  const refused = await operator.send('POST', KEYS, giving(['tag:read', 'db:write']));
  expect([refused.status, refused.body['code']]).toEqual([403, 'permission_missing']);
  expect(refused.body['detail']).toContain('db:write');
  expect(refused.body['detail']).not.toContain('tag:read');
  expect((await operator.send('POST', KEYS, giving(['tag:read']))).status).toBe(201);
  expect((await operator.send('POST', KEYS, giving([]))).status).toBe(201);
  expect((await operator.send('POST', `${KEYS}/${record.id}/rotate`, {})).status).toBe(201);
});

test('the scopes of a revoked key can no longer be given', async () => {
  const { record } = await make('MES', ['db:write']);
  const operator = await keeper();
  expect((await operator.send('POST', `${KEYS}/${record.id}/revoke`, {})).status).toBe(200);
  expect((await operator.send('POST', KEYS, giving(['db:write']))).status).toBe(403);
});

test('without access_settings a key gets the scopes that an approved route of the project requires', async () => {
  const route = (id: string, scope: string) => ({
    id,
    name: id,
    nodes: [
      {
        id: 'in',
        kind: 'rest-api',
        settings: { mode: 'ingress', urlPattern: `/${id}`, requiredScopes: [scope] },
      },
      { id: 'out', kind: 'http-response', settings: {} },
    ],
    wires: [{ from: 'in', port: 'out', to: 'out' }],
  });
  const operator = await keeper();
  const engineer = await harness.personWith(admin, 'view', 'edit_pipelines', 'run_pipelines');
  for (const [id, scope, by] of [
    ['approved', 'tag:read', admin],
    ['started', 'db:write', engineer],
  ] as const) {
    expect((await engineer.send('POST', '/projects/line-7/pipelines', route(id, scope))).status).toBe(201);
    expect((await by.send('POST', `/projects/line-7/pipelines/${id}/start`, {})).status).toBe(200);
  }
  expect((await operator.send('POST', KEYS, giving(['tag:read']))).status).toBe(201);
  expect((await operator.send('POST', KEYS, giving(['db:write']))).status).toBe(403);
  expect((await operator.send('POST', '/projects/line-8/keys', giving(['tag:read']))).status).toBe(403);
});

test('a user who may edit pipelines gives no scopes without access_settings, and rotates no key that has some', async () => {
  const { record } = await make('MES', ['tag:read']);
  const bare = await make('Labeller', []);
  const both = await keeper('edit_pipelines', 'run_pipelines');
  expect((await both.send('POST', KEYS, giving(['tag:read']))).status).toBe(403);
  expect((await both.send('POST', `${KEYS}/${record.id}/rotate`, {})).status).toBe(403);
  expect((await both.send('POST', `${KEYS}/${bare.record.id}/rotate`, {})).status).toBe(201);
  const before = (await admin.send('GET', KEYS)).body['items'] as KeyRecord[];
  expect(before.filter(({ scopes }) => scopes.length > 0)).toHaveLength(1);
});

const limitsOf = (id: string) => `${KEYS}/${id}/limits`;

test('limits are set at creation, and changed: in the vault, in the gateway and in the journal with old and new', async () => {
  const before = { 'tag:write': ['line7/filler/*'] };
  const made = await admin.send('POST', KEYS, { name: 'MES', scopes: ['tag:write'], limits: before });
  const { id } = made.body['record'] as KeyRecord;
  expect(made.body['record']).toMatchObject({ limits: before });
  expect(harness.gateway.changes.at(-1)).toMatchObject({ kind: 'key', key: { limits: before } });
  expect(harness.audit.rows.at(-2)).toMatchObject({
    detail: 'scopes: tag:write; limits: {"tag:write":["line7/filler/*"]}',
  });
  const after = { 'tag:write': ['line7/filler/speed'], addresses: ['10.0.0.0/8'] };
  const changed = await admin.send('PUT', limitsOf(id), { limits: { ...after, addresses: ['10.9.0.1/8'] } });
  expect([changed.status, changed.body]).toMatchObject([200, { id, limits: after }]);
  expect(harness.gateway.changes.at(-1)).toEqual({ kind: 'key-limits', keyId: id, limits: after });
  expect(harness.deps.keys.get(id)?.limits).toEqual(after);
  const row = {
    act: 'key.limit',
    keyId: id,
    detail: JSON.stringify({ before, after: { ...after, addresses: ['10.0.0.0/8'] } }),
  };
  expect(harness.audit.rows.slice(-2)).toMatchObject([row, { ...row, status: 200 }]);
  expect((await admin.send('POST', `${KEYS}/${id}/rotate`)).body['record']).toMatchObject({ limits: after });
});

test.each([
  ['a wrong entry', { 'tag:write': ['ok', 'not ok'] }, 'limits.tag:write.1'],
  ['a scope that the key does not have', { 'db:write': [] }, 'limits.db:write'],
  ['a wrong address', { addresses: ['10.0.0.0/40'] }, 'limits.addresses.0'],
])('%s in limits is refused at creation and in a change, naming the field', async (_what, limits, path) => {
  const { record } = await make('MES', ['tag:write']);
  for (const answer of [
    await admin.send('POST', KEYS, { name: 'Other', scopes: ['tag:write'], limits }),
    await admin.send('PUT', limitsOf(record.id), { limits }),
  ])
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid', errors: [{ path }] } });
  expect(harness.deps.keys.list()).toMatchObject([{ id: record.id, limits: {} }]);
});

test('without access_settings limits can be narrowed but not widened', async () => {
  const { record } = await make('MES', ['tag:write']);
  const operator = await keeper();
  const put = async (limits: object) => (await operator.send('PUT', limitsOf(record.id), { limits })).status;
  expect(await put({ 'tag:write': ['line7/*'] })).toBe(200);
  expect(await put({ 'tag:write': ['line7/speed'], addresses: ['10.0.0.0/8'] })).toBe(200);
  expect(await put({ 'tag:write': ['line7/*'], addresses: ['10.0.0.0/8'] })).toBe(403);
  expect(await put({ 'tag:write': ['line7/speed'] })).toBe(403);
  expect(harness.deps.keys.get(record.id)?.limits).toEqual({ 'tag:write': ['line7/speed'], addresses: ['10.0.0.0/8'] });
  expect((await admin.send('PUT', limitsOf(record.id), { limits: {} })).status).toBe(200);
});

test('without access_settings a key gets no scope with wider limits than the keys that have it', async () => {
  const limits = { 'tag:write': ['line7/*'], addresses: ['10.0.0.0/8'] };
  const made = await admin.send('POST', KEYS, { name: 'MES', scopes: ['tag:write'], limits });
  const operator = await keeper();
  const give = async (name: string, given: object) =>
    (await operator.send('POST', KEYS, { name, scopes: ['tag:write'], limits: given })).status;
  expect(await give('a', {})).toBe(403);
  expect(await give('b', { 'tag:write': ['**'], addresses: ['10.0.0.1'] })).toBe(403);
  expect(await give('c', { 'tag:write': ['line7/speed'] })).toBe(403);
  expect(await give('d', { 'tag:write': ['line7/speed'], addresses: ['10.0.0.1'] })).toBe(201);
  const { id } = made.body['record'] as KeyRecord;
  expect((await operator.send('POST', `${KEYS}/${id}/rotate`)).status).toBe(201);
});

test('without access_settings a key gets no scope with more targets than the keys that have it', async () => {
  const limits = { targets: ['mes.example:443'] };
  await admin.send('POST', KEYS, { name: 'MES', scopes: ['tag:read'], limits });
  const operator = await keeper();
  const give = async (name: string, given: object) =>
    (await operator.send('POST', KEYS, { name, scopes: ['tag:read'], limits: given })).status;
  expect(await give('a', {})).toBe(403);
  expect(await give('b', { targets: ['*:*'] })).toBe(403);
  expect(await give('c', limits)).toBe(201);
});

test('a revoked key gets no new limits', async () => {
  const { record } = await make();
  await admin.send('POST', `${KEYS}/${record.id}/revoke`);
  expect((await admin.send('PUT', limitsOf(record.id), { limits: {} })).status).toBe(409);
});

test('a key is paused with a reason and resumed: in the vault, in the gateway and in the journal', async () => {
  const { record } = await make('MES', []);
  const operator = await keeper();
  const paused = await operator.send('POST', `${KEYS}/${record.id}/pause`, { reason: ' Service of the filler ' });
  const pause = { at: expect.any(String), by: expect.any(String), reason: 'Service of the filler' };
  expect(paused).toMatchObject({ status: 200, body: { id: record.id, paused: pause } });
  const keyId = record.id;
  expect(harness.gateway.changes.at(-1)).toEqual({ kind: 'key-paused', keyId, paused: 'Service of the filler' });
  expect(harness.deps.keys.entries()).toMatchObject([{ id: record.id, paused: 'Service of the filler' }]);
  const row = { act: 'key.pause', keyId: record.id, detail: 'Service of the filler' };
  expect(harness.audit.rows.slice(-2)).toMatchObject([row, { ...row, status: 200 }]);
  const again = await admin.send('POST', `${KEYS}/${record.id}/pause`, { reason: 'Another' });
  expect(again.body).toMatchObject({ paused: { reason: 'Service of the filler' } });
  expect((await operator.send('POST', `${KEYS}/${record.id}/resume`)).body).toMatchObject({ paused: null });
  expect(harness.gateway.changes.at(-1)).toEqual({ kind: 'key-paused', keyId: record.id, paused: null });
  expect(harness.deps.keys.entries()).toMatchObject([{ id: record.id, paused: null }]);
  expect(harness.audit.rows.at(-1)).toMatchObject({ act: 'key.resume', keyId: record.id, status: 200 });
});

test.each([[''], ['  '], ['a\nb'], ['x'.repeat(201)], [undefined]])(
  'a pause with the reason %j is refused, naming the field',
  async (reason) => {
    const { record } = await make('MES', []);
    const answer = await admin.send('POST', `${KEYS}/${record.id}/pause`, { reason });
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid', errors: [{ path: 'reason' }] } });
    expect(harness.deps.keys.list()).toMatchObject([{ id: record.id, paused: null }]);
  },
);

test('a revoked key is neither paused nor resumed', async () => {
  const { record } = await make();
  await admin.send('POST', `${KEYS}/${record.id}/revoke`);
  expect((await admin.send('POST', `${KEYS}/${record.id}/pause`, { reason: 'late' })).status).toBe(409);
  expect((await admin.send('POST', `${KEYS}/${record.id}/resume`)).status).toBe(409);
});

test('the keys, pipelines and users that can write a tag are listed', async () => {
  const { record } = await make('MES', ['tag:write']);
  const nodes = [
    { id: 'in', kind: 'rest-api', settings: { mode: 'ingress', method: 'POST', urlPattern: '/w' } },
    { id: 'w', kind: 'tag-write', settings: { writes: [{ tag: 'line7/safety', value: 1 }] } },
  ];
  const wires = [{ from: 'in', port: 'out', to: 'w' }];
  await admin.send('POST', '/projects/line-7/pipelines', { id: 'w', name: 'W', nodes, wires });
  await admin.send('POST', '/projects/line-7/pipelines/w/start');
  const ask = '/projects/line-7/reach?what=writeTags&name=line7/safety';
  const routes = [{ pipeline: 'w', method: 'POST', pattern: '/w', named: true }];
  expect((await admin.send('GET', ask)).body).toEqual({
    keys: [{ id: record.id, name: 'MES', routes }],
    pipelines: [],
    people: ['Ada'],
  });
  expect((await (await keeper()).send('GET', ask)).body).toMatchObject({ people: null });
  const wrong = await admin.send('GET', '/projects/line-7/reach?what=everything&name=a');
  expect(wrong).toMatchObject({ status: 400, body: { errors: [{ path: 'what' }] } });
});

test('a revocation that the hub cannot send to its edges does not look like that of a key without edges', async () => {
  const hub = await createLine({ fleet: fleetPort('hub', { running: null, hasLeft: false }) });
  try {
    const ada = hub.admin;
    const made = (await ada.send('POST', KEYS, { name: 'MES', scopes: [] })).body['record'] as KeyRecord;
    const { status, body } = await ada.send('POST', `${KEYS}/${made.id}/revoke`);
    expect([status, body['revokedBy'], body['fleetError']]).toEqual([
      200,
      'Ada',
      'The hub of the fleet is still starting; try again.',
    ]);
    expect(body).not.toHaveProperty('fleet');
  } finally {
    await hub.harness.close();
  }
});
