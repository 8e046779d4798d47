import { beforeEach, describe, expect, test } from 'vitest';
import { SluiceError } from '#common/errors/catalogue.ts';
import { pipelineDefinition } from '#common/model/pipeline.ts';
import { type Client } from './harness.testing.ts';
import { admin, harness, harnessPerTest } from './use-harness.testing.ts';

harnessPerTest({ project: { id: 'line-7', name: 'Line 7' } });

const PIPELINES = '/projects/line-7/pipelines';
const ORDERS = `${PIPELINES}/orders`;

function orders(settings: Record<string, unknown> = {}, more: Record<string, unknown> = {}): Record<string, unknown> {
  const route = { mode: 'ingress', method: 'POST', urlPattern: '/api/v1/orders', ...settings };
  return {
    id: 'orders',
    name: 'Orders',
    nodes: [
      { id: 'in', kind: 'rest-api', settings: route },
      { id: 'out', kind: 'http-response', settings: {} },
    ],
    wires: [{ from: 'in', port: 'out', to: 'out' }],
    ...more,
  };
}

const stored = () => harness.projects.pipeline('line-7', 'orders');

describe('projects', () => {
  test('are made once, listed, renamed, and unknown ones are 404', async () => {
    expect((await admin.send('POST', '/projects', { id: 'line-7', name: 'Again' })).body['code']).toBe('conflict');
    expect((await admin.send('PATCH', '/projects/line-7', { name: 'Line seven' })).body['name']).toBe('Line seven');
    expect((await admin.send('GET', '/projects')).body).toMatchObject({
      items: [{ id: 'line-7', name: 'Line seven' }],
      next: null,
    });
    expect((await admin.send('GET', '/projects/line-8')).body['code']).toBe('unknown');
    expect((await admin.send('GET', '/projects/line-8/pipelines')).body['code']).toBe('unknown');
    expect((await admin.send('POST', '/projects', { id: 'Line 7', name: 'x' })).body['errors']).toMatchObject([
      { path: 'id' },
    ]);
  });

  test('are not deleted while a pipeline runs or a key is valid', async () => {
    await admin.send('POST', PIPELINES, orders());
    await admin.send('POST', `${ORDERS}/start`);
    const key = await admin.send('POST', '/projects/line-7/keys', { name: 'MES', scopes: [] });
    const { id } = key.body['record'] as { id: string };
    expect(await admin.send('DELETE', '/projects/line-7')).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('running (orders)') },
    });
    await admin.send('POST', `${ORDERS}/stop`);
    expect(await admin.send('DELETE', '/projects/line-7')).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('valid (MES)') },
    });
    await admin.send('POST', `/projects/line-7/keys/${id}/revoke`);
    expect((await admin.send('DELETE', '/projects/line-7')).status).toBe(204);
    expect((await admin.send('GET', '/projects/line-7')).status).toBe(404);
  });

  test('are deleted only by somebody who may access settings', async () => {
    const engineer = await harness.personWith(admin, 'edit_pipelines', 'run_pipelines', 'view');
    expect((await engineer.send('DELETE', '/projects/line-7')).body).toMatchObject({
      code: 'permission_missing',
      detail: expect.stringContaining('access_settings'),
    });
  });

  test('are not deleted while something in them is being started', async () => {
    await admin.send('POST', PIPELINES, orders());
    const { promise, resolve } = Promise.withResolvers<void>();
    const { change } = harness.gateway;
    harness.gateway.change = () => promise;
    const start = admin.send('POST', `${ORDERS}/start`);
    while (!harness.audit.rows.some((row) => row.act === 'pipeline.start')) await admin.send('GET', '/status');
    expect((await admin.send('DELETE', '/projects/line-7')).status).toBe(409);
    harness.gateway.change = change;
    resolve();
    expect((await start).status).toBe(200);
  });

  test('are not created again while their deletion is not finished, which would remove parts of the new one', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { change } = harness.gateway;
    harness.gateway.change = () => promise;
    const gone = admin.send('DELETE', '/projects/line-7');
    while (harness.projects.project('line-7') !== null) await admin.send('GET', '/status');
    const again = () => admin.send('POST', '/projects', { id: 'line-7', name: 'Line 7' });
    const early = again();
    await admin.send('GET', '/status');
    harness.gateway.change = change;
    resolve();
    expect((await early).body).toMatchObject({ code: 'conflict', detail: expect.stringContaining('try again') });
    expect((await gone).status).toBe(204);
    expect((await again()).status).toBe(201);
  });
});

describe('saving', () => {
  test('makes drafts that do not touch what runs, each with its ETag', async () => {
    const made = await admin.send('POST', PIPELINES, orders());
    expect([made.status, made.headers.get('etag')]).toEqual([201, '"1"']);
    expect(made.body).toMatchObject({
      project: 'line-7',
      revision: 1,
      state: 'stopped',
      runningRevision: null,
      runningSince: null,
      triggerFaults: [],
      errorsWith200: [],
      approvedRevision: null,
      runAs: 'caller',
      grants: [],
      updatedBy: 'Ada',
    });
    await admin.send('POST', `${ORDERS}/start`);
    const changes = harness.gateway.changes.length;
    const put = await admin.send('PUT', ORDERS, orders({ rateLimit: 5 }));
    expect(put.headers.get('etag')).toBe('"2"');
    expect(put.body).toMatchObject({ revision: 2, state: 'running', runningRevision: 1 });
    expect(harness.gateway.changes).toHaveLength(changes);
  });

  test('works without a gateway', async () => {
    harness.gateway.refusal = new SluiceError('gateway_down', 'down');
    expect((await admin.send('POST', PIPELINES, orders())).status).toBe(201);
    expect((await admin.send('PUT', ORDERS, orders())).status).toBe(200);
    expect((await admin.send('POST', `${ORDERS}/check`)).body['code']).toBe('gateway_down');
  });

  test('takes back what was read, without the fields that are read only', async () => {
    await admin.send('POST', PIPELINES, orders());
    const { body } = await admin.send('GET', ORDERS);
    expect((await admin.send('PUT', ORDERS, { ...body, revision: 99, state: 'running' })).body['revision']).toBe(2);
  });

  test('over another revision than If-Match names is 412 and saves nothing', async () => {
    await admin.send('POST', PIPELINES, orders());
    expect((await admin.send('PUT', ORDERS, orders(), { 'if-match': '"1"' })).status).toBe(200);
    const stale = await admin.send('PUT', ORDERS, orders(), { 'if-match': '"1"' });
    expect([stale.status, stale.body['code']]).toEqual([412, 'revision_changed']);
    expect((await admin.send('PUT', ORDERS, orders(), { 'if-match': 'W/"2"' })).status).toBe(412);
    expect((await admin.send('PUT', ORDERS, orders(), { 'if-match': '*' })).body['revision']).toBe(3);
    expect(stored()?.revision).toBe(3);
  });

  test.each([
    ['a pattern', { urlPattern: 'orders' }, 'nodes.0.settings.urlPattern'],
    ['a range', { allowedIps: ['10.0.0.0/33'] }, 'nodes.0.settings.allowedIps'],
    ['a size', { maxPayloadSize: '1 TB' }, 'nodes.0.settings.maxPayloadSize'],
    ['a scope', { requiredScopes: ['db:all'] }, 'nodes.0.settings.requiredScopes'],
    ['a whitelisted key header', { headerWhitelist: ['X-API-Key'] }, 'nodes.0.settings.headerWhitelist'],
  ])('with %s that is wrong is 400, naming the field, and saves nothing', async (_what, settings, path) => {
    const answer = await admin.send('POST', PIPELINES, orders(settings));
    expect([answer.status, answer.body['code']]).toEqual([400, 'invalid']);
    expect(answer.body['errors']).toMatchObject([{ path }]);
    expect(answer.body['detail']).toContain(path);
    expect(stored()).toBeNull();
  });

  test('of reply headers that were once taken and are no longer is refused; what was saved stays readable', async () => {
    const headers = { 'X-Price': '5 €', 'Content-Type': 'text/plain, text/html' };
    const definition = pipelineDefinition.parse(
      orders({}, { nodes: [{ id: 'out', kind: 'http-response', settings: { headers } }], wires: [] }),
    );
    harness.projects.createPipeline('line-7', definition, 'ada');
    const { status, body } = await admin.send('GET', ORDERS);
    expect([status, body]).toMatchObject([200, { nodes: [{ settings: { headers } }] }]);
    expect((await admin.send('GET', PIPELINES)).body).toMatchObject({ items: [{ id: 'orders' }] });
    expect((await admin.send('GET', `${ORDERS}/revisions`)).body).toMatchObject({ items: [{ definition }] });
    const told = Object.keys(headers).map((name) => ({ field: `settings.headers.${name}` }));
    expect((await admin.send('POST', `${ORDERS}/check`, { definition: body })).body).toMatchObject({ errors: told });
    expect((await admin.send('PUT', ORDERS, body)).body['errors']).toMatchObject(
      told.map(({ field }) => ({ path: `nodes.0.${field}` })),
    );
  });

  test('a wire to nowhere may be saved, a malformed one not', async () => {
    expect(
      (await admin.send('POST', PIPELINES, orders({}, { wires: [{ from: 'in', port: 'out', to: 'gone' }] }))).status,
    ).toBe(201);
    const bad = await admin.send('PUT', ORDERS, orders({}, { wires: [{ from: 'in', to: 'out' }] }));
    expect(bad.body['errors']).toMatchObject([{ path: 'wires.0.port' }]);
  });

  test('under another id than the path is refused', async () => {
    await admin.send('POST', PIPELINES, orders());
    expect((await admin.send('PUT', ORDERS, orders({}, { id: 'others' }))).body['errors']).toMatchObject([
      { path: 'id' },
    ]);
    expect((await admin.send('PUT', `${PIPELINES}/others`, orders({}, { id: 'others' }))).status).toBe(404);
    expect((await admin.send('POST', PIPELINES, orders())).body['code']).toBe('conflict');
  });

  test('lists revisions and restores one as a new draft', async () => {
    await admin.send('POST', PIPELINES, orders({ rateLimit: 1 }));
    await admin.send('PUT', ORDERS, orders({ rateLimit: 2 }));
    const restored = await admin.send('POST', `${ORDERS}/revisions/1/restore`);
    expect(restored.body).toMatchObject({ revision: 3, nodes: [{ settings: { rateLimit: 1 } }, {}] });
    const { body } = await admin.send('GET', `${ORDERS}/revisions`);
    expect(body).toMatchObject({ items: [{ revision: 3 }, { revision: 2 }, { revision: 1, savedBy: 'Ada' }] });
    for (const wrong of ['9', '0', 'x', '1e0'])
      expect((await admin.send('POST', `${ORDERS}/revisions/${wrong}/restore`)).status).toBe(404);
  });

  test('while the journal cannot be written does nothing', async () => {
    harness.audit.failFrom = 0;
    expect((await admin.send('POST', PIPELINES, orders())).body).toMatchObject({
      code: 'audit_unavailable',
      detail: expect.stringContaining('Nothing was done'),
    });
    expect(stored()).toBeNull();
  });

  test('whose outcome cannot be recorded says that it was done', async () => {
    harness.audit.failFrom = harness.audit.rows.length + 1;
    expect((await admin.send('POST', PIPELINES, orders())).body).toMatchObject({
      code: 'audit_unavailable',
      detail: expect.stringContaining('was done'),
    });
    expect(stored()?.revision).toBe(1);
  });
});

describe('starting and stopping', () => {
  beforeEach(async () => {
    await admin.send('POST', PIPELINES, orders());
  });

  test('starts the newest revision, or the one that is named, and swaps it in', async () => {
    await admin.send('PUT', ORDERS, orders({ rateLimit: 5 }));
    expect((await admin.send('POST', `${ORDERS}/start`)).body).toMatchObject({ state: 'running', runningRevision: 2 });
    expect((await admin.send('POST', `${ORDERS}/start`, { revision: 1 })).body).toMatchObject({
      runningRevision: 1,
      revision: 2,
    });
    expect(harness.gateway.changes).toMatchObject([
      { kind: 'start', start: { project: 'line-7', revision: 2, definition: { id: 'orders' } } },
      { kind: 'start', start: { revision: 1 } },
    ]);
    expect((await admin.send('POST', `${ORDERS}/start`, { revision: 9 })).body['errors']).toMatchObject([
      { path: 'revision' },
    ]);
  });

  test.each(['invalid', 'route_clash', 'gateway_down'] as const)(
    'a start that the gateway refuses with %s passes that on and saves nothing',
    async (code) => {
      harness.gateway.refusal = new SluiceError(code, 'the reason', { errors: [{ path: 'nodes.0', message: 'bad' }] });
      const answer = await admin.send('POST', `${ORDERS}/start`);
      expect(answer.body).toMatchObject({ code, detail: 'the reason', errors: [{ path: 'nodes.0', message: 'bad' }] });
      expect(stored()).toMatchObject({ wantedRevision: null, approvedRevision: null });
      expect(harness.audit.rows.at(-1)).toMatchObject({ act: 'pipeline.start', code });
    },
  );

  test('a wish that cannot be stored puts the gateway back to what ran before', async () => {
    harness.faults.wanted = true;
    expect((await admin.send('POST', `${ORDERS}/start`)).status).toBe(500);
    expect(harness.gateway.changes.at(-1)).toEqual({ kind: 'stop', project: 'line-7', pipeline: 'orders' });
    harness.faults.wanted = false;
    await admin.send('POST', `${ORDERS}/start`);
    await admin.send('PUT', ORDERS, orders({ rateLimit: 5 }));
    harness.faults.wanted = true;
    await admin.send('POST', `${ORDERS}/start`);
    expect(harness.gateway.changes.at(-1)).toMatchObject({ kind: 'start', start: { revision: 1 } });
    expect(stored()).toMatchObject({ wantedRevision: 1 });
  });

  test('a start by an Administrator is approved before it is recorded as wanted', async () => {
    const order: string[] = [];
    const { setApproved, setWanted } = harness.projects;
    harness.projects.setApproved = (...given) => {
      order.push('approved');
      setApproved(...given);
    };
    harness.projects.setWanted = (...given) => {
      order.push('wanted');
      setWanted(...given);
    };
    await admin.send('POST', `${ORDERS}/start`);
    expect(order).toEqual(['approved', 'wanted']);
    expect(stored()).toMatchObject({ wantedRevision: 1, approvedRevision: 1 });
  });

  test('stops, also while the gateway is down', async () => {
    await admin.send('POST', `${ORDERS}/start`);
    harness.gateway.refusal = new SluiceError('gateway_down', 'down');
    expect((await admin.send('POST', `${ORDERS}/stop`)).body).toMatchObject({
      state: 'stopped',
      runningRevision: null,
    });
    expect(stored()?.wantedRevision).toBeNull();
  });

  test('a pipeline that the gateway could not start is failed', async () => {
    await admin.send('POST', `${ORDERS}/start`);
    harness.gateway.failed = [{ project: 'line-7', pipeline: 'orders', revision: 1, errors: [] }];
    expect((await admin.send('GET', ORDERS)).body).toMatchObject({ state: 'failed', runningRevision: null });
    expect((await admin.send('GET', '/status')).body['pipelines']).toEqual({ running: 0, failed: 1 });
  });

  test('a running pipeline is not deleted, a stopped one is', async () => {
    await admin.send('POST', `${ORDERS}/start`);
    expect((await admin.send('DELETE', ORDERS)).body).toMatchObject({ status: 409, code: 'pipeline_running' });
    await admin.send('POST', `${ORDERS}/stop`);
    expect((await admin.send('DELETE', ORDERS)).status).toBe(204);
    expect((await admin.send('GET', ORDERS)).status).toBe(404);
  });

  test('every action is in the journal with user, object and outcome', async () => {
    const before = harness.audit.rows.length;
    await admin.send('POST', `${ORDERS}/start`);
    expect(harness.audit.rows.slice(before)).toMatchObject([
      {
        type: 'admin',
        act: 'pipeline.start',
        user: 'Ada',
        project: 'line-7',
        pipeline: 'orders',
        detail: 'revision 1',
      },
      {
        type: 'admin',
        act: 'pipeline.start',
        status: 200,
        requestId: expect.any(String),
        path: '/api/v1/projects/line-7/pipelines/orders/start',
      },
    ]);
  });
});

describe('a start by somebody who may not access settings', () => {
  let engineer: Client;
  beforeEach(async () => {
    engineer = await harness.personWith(admin, 'edit_pipelines', 'run_pipelines', 'view');
  });

  test('of a new pipeline at the defaults is done, and does not count as approved', async () => {
    await engineer.send('POST', PIPELINES, orders());
    expect((await engineer.send('POST', `${ORDERS}/start`)).status).toBe(200);
    expect(stored()).toMatchObject({ wantedRevision: 1, approvedRevision: null });
  });

  test('of a public route is refused, naming it, and nothing runs', async () => {
    await engineer.send('POST', PIPELINES, orders({ authType: 'none' }));
    const answer = await engineer.send('POST', `${ORDERS}/start`);
    expect([answer.status, answer.body['code']]).toEqual([403, 'permission_missing']);
    expect(answer.body['detail']).toContain('adds the public route POST /api/v1/orders');
    expect(harness.gateway.changes).toEqual([]);
    expect(stored()?.wantedRevision).toBeNull();
  });

  test('is compared with the last revision that an Administrator started, not with the last one', async () => {
    await admin.send('POST', PIPELINES, orders({ rateLimit: 10, requiredScopes: ['db:write', 'db:read'] }));
    await admin.send('POST', `${ORDERS}/start`);
    expect(stored()?.approvedRevision).toBe(1);
    await engineer.send('PUT', ORDERS, orders({ rateLimit: 5, requiredScopes: ['db:write', 'db:read'] }));
    expect((await engineer.send('POST', `${ORDERS}/start`)).status).toBe(200);
    await engineer.send('PUT', ORDERS, orders({ rateLimit: 10, requiredScopes: ['db:write', 'db:read'] }));
    expect((await engineer.send('POST', `${ORDERS}/start`)).status).toBe(200);
    await engineer.send('PUT', ORDERS, orders({ rateLimit: 0, requiredScopes: ['db:read'] }));
    const answer = await engineer.send('POST', `${ORDERS}/start`);
    expect(answer.body['detail']).toContain('drops the required scope db:write');
    expect(answer.body['detail']).toContain('raises the rate limit from 10 a second to off');
    expect((await admin.send('POST', `${ORDERS}/start`)).status).toBe(200);
    expect((await engineer.send('POST', `${ORDERS}/start`)).status).toBe(200);
  });

  test('is refused when the approved revision is not kept any more', async () => {
    await admin.send('POST', PIPELINES, orders());
    harness.projects.setApproved('line-7', 'orders', 1);
    const { revision } = harness.projects;
    harness.projects.revision = (project, id, number) => (number === 1 ? null : revision(project, id, number));
    await admin.send('PUT', ORDERS, orders());
    expect((await engineer.send('POST', `${ORDERS}/start`)).body).toMatchObject({ code: 'permission_missing' });
  });

  test('an Operator starts and stops but does not save', async () => {
    const operator = await harness.personWith(admin, 'run_pipelines', 'view');
    await admin.send('POST', PIPELINES, orders());
    expect((await operator.send('POST', `${ORDERS}/start`)).status).toBe(200);
    expect((await operator.send('POST', `${ORDERS}/stop`)).status).toBe(200);
    expect((await operator.send('PUT', ORDERS, orders())).status).toBe(403);
  });
});

describe('tests and runs', () => {
  let operator: Client;
  let engineer: Client;
  beforeEach(async () => {
    operator = await harness.personWith(admin, 'run_pipelines', 'view');
    engineer = await harness.personWith(admin, 'edit_pipelines', 'run_pipelines', 'view');
    await admin.send('POST', PIPELINES, orders({}, { grants: ['db:read'] }));
  });

  test('a test runs the newest draft with the grants, and is journaled as a test', async () => {
    const answer = await admin.send('POST', `${ORDERS}/test`, { message: { payload: { body: 1 } } });
    expect(answer.body['test']).toBe(true);
    expect(harness.gateway.calls.at(-1)).toMatchObject({
      call: 'test',
      args: { revision: 1, message: { payload: { body: 1 } }, scopes: ['db:read'], who: { user: 'Ada' } },
    });
    expect(harness.audit.rows.at(-1)).toMatchObject({ type: 'test', act: 'test', user: 'Ada', status: 200 });
    expect((await admin.send('POST', `${ORDERS}/test`, {})).body['errors']).toMatchObject([{ path: 'message' }]);
  });

  test('a part is passed on and journaled, and is for users who may draw', async () => {
    await admin.send('PUT', ORDERS, orders());
    const send = (who: Client, part: object) => who.send('POST', `${ORDERS}/test`, { message: {}, part });
    expect((await send(engineer, { upTo: 'in' })).status).toBe(200);
    expect(harness.audit.rows.at(-1)?.detail).toMatch(/, up to in$/);
    const pins = { in: { port: 'out', payload: { body: 1 } } };
    for (const part of [{ upTo: 'in' }, { only: 'in' }, { pins }])
      expect((await send(operator, part)).body['code']).toBe('permission_missing');
    expect((await send(engineer, { pins })).status).toBe(200);
    expect(harness.gateway.calls.at(-1)).toMatchObject({ call: 'test', args: { part: { pins } } });
    expect(harness.audit.rows.at(-1)?.detail).toMatch(/, pinned in$/);
    expect((await send(engineer, { only: 'in', upTo: 'in' })).body['errors']).toMatchObject([
      { path: 'part', message: 'expected upTo or only, not both' },
    ]);
  });

  test('grants that nobody approved are not lent to a test', async () => {
    const answer = await engineer.send('POST', `${ORDERS}/test`, { message: {} });
    expect(answer.body).toMatchObject({ code: 'permission_missing', detail: expect.stringContaining('db:read') });
    await admin.send('POST', `${ORDERS}/start`);
    expect((await engineer.send('POST', `${ORDERS}/test`, { message: {} })).status).toBe(200);
  });

  test("a key's scopes are lent only to somebody who may access settings, and only of a valid key of the project", async () => {
    const made = await admin.send('POST', '/projects/line-7/keys', { name: 'MES', scopes: ['tag:read'] });
    const { id: keyId } = made.body['record'] as { id: string };
    expect((await engineer.send('POST', `${ORDERS}/test`, { message: {}, keyId })).status).toBe(403);
    expect((await admin.send('POST', `${ORDERS}/test`, { message: {}, keyId })).status).toBe(200);
    expect(harness.gateway.calls.at(-1)).toMatchObject({ args: { scopes: ['tag:read'] } });
    expect((await admin.send('POST', `${ORDERS}/test`, { message: {}, keyId: 'x' })).body['errors']).toMatchObject([
      { path: 'keyId' },
    ]);
    await admin.send('POST', `/projects/line-7/keys/${keyId}/revoke`);
    expect((await admin.send('POST', `${ORDERS}/test`, { message: {}, keyId })).status).toBe(400);
  });

  test('a test has the scopes that its route requires, if its author may lend them or a caller has them', async () => {
    const route = { requiredScopes: ['tag:read', 'db:write'] };
    await admin.send('PUT', ORDERS, orders(route, { grants: ['db:read'] }));
    const send = (by: Client) => by.send('POST', `${ORDERS}/test`, { message: { node: 'in' }, rights: 'route' });
    const refused = await send(engineer);
    expect(refused.body).toMatchObject({ code: 'permission_missing', detail: expect.stringContaining('db:write') });
    expect((await send(admin)).status).toBe(200);
    expect(harness.gateway.calls.at(-1)).toMatchObject({ args: { scopes: ['tag:read', 'db:write'] } });
    const keys = '/projects/line-7/keys';
    await admin.send('POST', keys, { name: 'Reader', scopes: ['tag:read'] });
    await admin.send('POST', keys, { name: 'Writer', scopes: ['db:write'] });
    expect((await send(engineer)).status).toBe(403);
    const made = await admin.send('POST', keys, { name: 'MES', scopes: ['db:write', 'tag:read', 'tag:write'] });
    expect((await send(engineer)).status).toBe(200);
    expect(harness.gateway.calls.at(-1)).toMatchObject({ args: { scopes: ['tag:read', 'db:write'] } });
    expect(harness.audit.rows.at(-1)).toMatchObject({ detail: 'revision 2 with the scopes that the route requires' });
    const { id } = made.body['record'] as { id: string };
    await admin.send('POST', `${keys}/${id}/revoke`);
    expect((await send(engineer)).status).toBe(403);
  });

  test('where the caller does not decide, a test with the rights of the route has the grants', async () => {
    const send = () => admin.send('POST', `${ORDERS}/test`, { message: { node: 'in' }, rights: 'route' });
    await admin.send('PUT', ORDERS, orders({ authType: 'none' }, { grants: ['db:read'] }));
    expect((await send()).status).toBe(200);
    expect(harness.gateway.calls.at(-1)).toMatchObject({ args: { scopes: ['db:read'] } });
    await admin.send('PUT', ORDERS, orders({}, { grants: ['db:read'], runAs: 'pipeline' }));
    expect((await send()).status).toBe(200);
    expect(harness.gateway.calls.at(-1)).toMatchObject({ args: { scopes: ['db:read'] } });
    const both = { message: {}, rights: 'route', keyId: 'x' };
    expect((await admin.send('POST', `${ORDERS}/test`, both)).body['errors']).toMatchObject([{ path: 'rights' }]);
  });

  test('payloads are shown to users who edit pipelines, and omitted for all others', async () => {
    const path = `${ORDERS}/runs`;
    expect((await engineer.send('GET', path)).body).toMatchObject({
      items: [{ payloadsOmitted: false, steps: [{ input: { secret: 'order' } }] }],
    });
    for (const hidden of [await operator.send('GET', path), await operator.send('GET', `${path}/run-1`)]) {
      expect(JSON.stringify(hidden.body)).not.toContain('secret');
      expect(JSON.stringify(hidden.body)).toContain('"payloadsOmitted":true');
    }
    const draft = await operator.send('POST', `/projects/line-7/pipelines/orders/test`, { message: {} });
    expect(JSON.stringify(draft.body)).not.toContain('secret');
  });

  test('a check answers what the gateway finds', async () => {
    expect((await operator.send('POST', `${ORDERS}/check`)).body).toEqual({
      errors: [],
      warnings: [],
      scopes: ['db:write'],
      scripts: [],
    });
  });

  test('an unsaved draft is checked for users who may edit it, and errors that refuse the save are reported', async () => {
    const definition = { ...stored()?.definition, nodes: orders({ urlPattern: 'no slash' })['nodes'] };
    expect((await operator.send('POST', `${ORDERS}/check`, { definition })).body['code']).toBe('permission_missing');
    const { body } = await admin.send('POST', `${ORDERS}/check`, { definition: { ...definition, revision: 4 } });
    expect(body).toMatchObject({
      errors: [{ code: 'unsavable', node: 'in', field: 'settings.urlPattern' }],
      scopes: ['db:write'],
    });
    expect(stored()?.revision).toBe(1);
    expect(harness.gateway.calls.at(-1)).toMatchObject({ call: 'check', args: { project: 'line-7' } });
  });

  test('a draft with a fault that only the save refuses is not started, unless it was before', async () => {
    await admin.send('POST', PIPELINES, orders());
    const faulty = orders({ requiredScopes: [''] });
    expect((await admin.send('PUT', ORDERS, faulty)).status).toBe(400);
    expect((await admin.send('PUT', `${ORDERS}?passing=true`, faulty)).status).toBe(200);
    const changes = harness.gateway.changes.length;
    expect((await admin.send('POST', `${ORDERS}/start`)).body).toMatchObject({
      code: 'invalid',
      errors: [{ path: 'nodes.0.settings.requiredScopes' }],
    });
    expect([harness.gateway.changes.length, stored()?.wantedRevision]).toEqual([changes, null]);
    // As an earlier version started it.
    harness.projects.setApproved('line-7', 'orders', 2);
    expect((await admin.send('POST', `${ORDERS}/start`)).status).toBe(200);
  });

  test('a pipeline is created with open settings when asked, in one revision, and is not started so', async () => {
    const open = { ...orders({ requiredScopes: [''] }), id: 'open' };
    expect((await admin.send('POST', PIPELINES, open)).status).toBe(400);
    expect((await admin.send('POST', `${PIPELINES}?passing=true`, open)).status).toBe(201);
    expect(harness.projects.pipeline('line-7', 'open')?.revision).toBe(1);
    expect((await admin.send('POST', `${PIPELINES}/open/start`)).body).toMatchObject({
      code: 'invalid',
      errors: [{ path: 'nodes.0.settings.requiredScopes' }],
    });
  });

  test('a save while drawing takes the place of the one before', async () => {
    const first = await admin.send('PUT', `${ORDERS}?passing=true`, orders({}, { name: 'A' }));
    const second = await admin.send('PUT', `${ORDERS}?passing=true`, orders({}, { name: 'B' }));
    expect([first.body['revision'], second.body['revision']]).toEqual([2, 3]);
    const { body } = await admin.send('GET', `${ORDERS}/revisions`);
    expect((body['items'] as { revision: number }[]).map(({ revision }) => revision)).toEqual([3, 1]);
    expect((await admin.send('PUT', `${ORDERS}?passing=perhaps`, orders())).body['errors']).toMatchObject([
      { path: 'passing' },
    ]);
  });
});
