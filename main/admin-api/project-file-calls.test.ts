import { readFile } from 'node:fs/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { SluiceError } from '#common/errors/catalogue.ts';
import { PROJECT_FILE_BYTES_MAX, type ProjectFile } from '#common/model/project-file.ts';
import { admin, harness, harnessPerTest } from './use-harness.testing.ts';

harnessPerTest();

const SECRET = 'Bearer very-secret-token';
const P = '/projects/line-7';
const engineer = () => harness.personWith(admin, 'edit_pipelines', 'run_pipelines', 'view');
const call = {
  id: 'call',
  kind: 'rest-api',
  settings: {
    mode: 'egress',
    url: 'https://mes.example/api',
    method: 'POST',
    staticHeaders: { Authorization: SECRET },
    timeout: 5,
    tls: {
      certificate: '-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----',
      key: '-----BEGIN PRIVATE KEY-----\nthe-key\n-----END PRIVATE KEY-----',
    },
  },
};

/** A project with one resource of each type, including secrets. */
async function fill(): Promise<void> {
  await admin.send('POST', '/projects', { id: 'line-7', name: 'Line 7' });
  await admin.send('POST', `${P}/connections`, {
    id: 'erp',
    settings: { kind: 'postgresql', host: 'erp', database: 'orders', user: 'sluice', password: SECRET },
  });
  await admin.send('POST', `${P}/connections`, { id: 'plc', settings: { kind: 'modbus', host: 'plc' } });
  await admin.send('POST', `${P}/queries`, { id: 'orders', sql: 'SELECT 1', connection: 'erp' });
  await admin.send('POST', `${P}/tags`, {
    path: 'line/speed',
    type: 'number',
    source: { provider: 'modbus', connection: 'plc', table: 'holding', address: 7 },
    writeLimits: { max: 240, maxStep: 5, onlyWhile: [{ tag: 'line/mode', is: '=', value: 'Remote', maxAge: 2 }] },
  });
  await admin.send('POST', `${P}/scripts`, { id: 'total', code: 'export default () => 1' });
  const made = await admin.send('POST', `${P}/pipelines`, { id: 'report', name: 'Report', nodes: [call] });
  expect(made.status).toBe(201);
  await admin.send('POST', `${P}/pipelines`, { id: 'empty', name: 'Empty', grants: ['tag:read'] });
}

async function exported(client = admin, path = `${P}/export`): Promise<ProjectFile> {
  const answer = await client.send('GET', path);
  expect(answer.status).toBe(200);
  return answer.body as unknown as ProjectFile;
}

const projects = async () =>
  ((await admin.send('GET', '/projects')).body['items'] as { id: string }[]).map(({ id }) => id);
const fileOf = (more: object = {}) => ({
  sluice: 'project',
  format: 1,
  project: { id: 'line-8', name: 'Line 8' },
  ...more,
});

describe('an exported project', () => {
  beforeEach(fill);

  test('is one readable file with everything except secrets and keys', async () => {
    await admin.send('POST', `${P}/keys`, { name: 'MES', scopes: [] });
    const response = await fetch(`${harness.base}/api/v1${P}/export`, { headers: admin.headers });
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="line-7.sluice.json"');
    const text = await response.text();
    expect(text).toMatch(/^\{\n {2}"sluice": "project",\n/);
    for (const secret of [SECRET, 'the-key', 'MES', 'slc_', '"set"']) expect(text).not.toContain(secret);
    expect(JSON.parse(text)).toMatchObject({
      leftOut: [
        { connection: 'erp', field: 'password' },
        { pipeline: 'report', node: 'call', field: 'staticHeaders.Authorization' },
        { pipeline: 'report', node: 'call', field: 'tls.key' },
      ],
      connections: [{ id: 'erp', settings: { password: null } }, { id: 'plc' }],
      queries: [{ id: 'orders' }],
      tags: [{ path: 'line/speed' }],
      scripts: [{ id: 'total' }],
      pipelines: [{ id: 'empty', grants: ['tag:read'] }, { id: 'report' }],
    });
  });

  test('results in the same file when it is imported and exported again, under another ID', async () => {
    const file = await exported();
    const made = await admin.send('POST', '/projects/import', { file, id: 'line-8', name: 'Line 8' });
    expect([made.status, made.body]).toMatchObject([
      201,
      { project: { id: 'line-8', name: 'Line 8' }, toFillIn: file.leftOut },
    ]);
    const again = await exported(admin, '/projects/line-8/export');
    // A secret that was never entered does not count as left out of this file.
    const leftOut = file.leftOut.filter((place) => 'pipeline' in place);
    expect(again).toEqual({ ...file, project: { id: 'line-8', name: 'Line 8' }, leftOut });
    expect(harness.gateway.resources.at(-1)).toMatchObject({
      project: 'line-8',
      resources: { tags: [{ path: 'line/speed' }] },
    });
    expect(harness.gateway.changes).toEqual([]);
    expect(harness.audit.rows.at(-1)).toMatchObject({ act: 'project.import', project: 'line-8', status: 200 });
  });

  test('keeps the notes and groups of the canvas', async () => {
    const notes = [{ id: 'note', text: 'Ask the MES team', position: { x: 20, y: 40 } }];
    const groups = [{ id: 'group', title: 'Calls', nodes: ['call'] }];
    const nodes = [{ id: 'call', kind: 'timer' }];
    await admin.send('POST', `${P}/pipelines`, { id: 'noted', name: 'Noted', nodes, notes, groups });
    const file = await exported();
    expect(file.pipelines.find(({ id }) => id === 'noted')).toMatchObject({ notes, groups });
    await admin.send('POST', '/projects/import', { file, id: 'line-8', name: 'Line 8' });
    const again = await exported(admin, '/projects/line-8/export');
    expect(again.pipelines).toEqual(file.pipelines);
    expect((await admin.send('GET', '/projects/line-8/pipelines/noted')).body).toMatchObject({ notes, groups });
  });

  test('is readable for users who may view', async () => {
    const viewer = await harness.personWith(admin, 'view');
    expect((await exported(viewer)).project.id).toBe('line-7');
    expect((await viewer.send('GET', `${P}/pipelines/report/export`)).status).toBe(200);
    expect((await viewer.send('GET', `${P}/pipelines/none/export`)).status).toBe(404);
  });

  test('of another project cannot be used as a pipeline', async () => {
    const answer = await admin.send('POST', `${P}/pipelines/import`, { file: await exported() });
    expect(answer.body['errors']).toContainEqual(expect.objectContaining({ path: 'file.sluice' }));
  });
});

describe('an import of a project', () => {
  test('to an ID in use is refused with a free one', async () => {
    await admin.send('POST', '/projects', { id: 'line-8', name: 'Line 8' });
    const answer = await admin.send('POST', '/projects/import', { file: fileOf() });
    expect([answer.status, answer.body]).toMatchObject([
      409,
      { detail: 'There is already a project "line-8"; "line-8-2" is free.', errors: [{ path: 'id' }] },
    ]);
  });

  test('with connections needs access_settings, without them only edit_pipelines', async () => {
    const client = await engineer();
    const connections = [{ id: 'plc', settings: { kind: 'modbus', host: 'plc' } }];
    const refused = await client.send('POST', '/projects/import', { file: fileOf({ connections }) });
    expect([refused.status, refused.body['detail']]).toMatchObject([403, expect.stringContaining('access_settings')]);
    expect(await projects()).toEqual([]);
    expect((await client.send('POST', '/projects/import', { file: fileOf() })).status).toBe(201);
  });

  test.each([
    [
      'a secret in a connection',
      { connections: [{ id: 'erp', settings: { kind: 'mqtt', host: 'x', password: SECRET } }] },
      'file.connections.0.settings.password',
    ],
    [
      'a secret in a header',
      { pipelines: [{ id: 'p', name: 'P', nodes: [call] }] },
      'file.pipelines.0.nodes.0.settings.staticHeaders.Authorization',
    ],
    [
      'a route that no save would take',
      {
        pipelines: [
          {
            id: 'p',
            name: 'P',
            nodes: [{ id: 'in', kind: 'rest-api', settings: { mode: 'ingress', urlPattern: 'x' } }],
          },
        ],
      },
      'file.pipelines.0.nodes.0.settings.urlPattern',
    ],
    [
      'a query on a connection that does not exist',
      { queries: [{ id: 'q', sql: 'SELECT 1', connection: 'erp' }] },
      'file.queries.0.connection',
    ],
  ])('with %s creates nothing and names the position, not the value', async (_what, parts, path) => {
    const answer = await admin.send('POST', '/projects/import', { file: fileOf(parts) });
    expect([answer.status, answer.body['errors']]).toMatchObject([
      400,
      expect.arrayContaining([expect.objectContaining({ path })]),
    ]);
    expect(JSON.stringify(answer.body)).not.toContain(SECRET);
    expect(await projects()).toEqual([]);
  });

  test('that the gateway refuses is undone completely', async () => {
    const { change } = harness.gateway;
    harness.gateway.change = async (wanted) => {
      if (wanted.kind === 'resources' && wanted.resources !== null)
        throw new SluiceError('invalid', 'a script is no module');
      await change(wanted);
    };
    const answer = await admin.send('POST', '/projects/import', {
      file: fileOf({ pipelines: [{ id: 'p', name: 'P' }] }),
    });
    expect([answer.status, answer.body['detail']]).toEqual([400, 'a script is no module']);
    harness.gateway.change = change;
    expect([await projects(), harness.projects.removals()]).toEqual([[], []]);
    expect((await admin.send('POST', '/projects/import', { file: fileOf() })).status).toBe(201);
  });

  test('that the store cannot hold leaves nothing behind', async () => {
    const { createPipeline } = harness.projects;
    harness.projects.createPipeline = (project, definition, ...rest) => {
      if (definition.id === 'second') throw new Error('the disk is full');
      return createPipeline(project, definition, ...rest);
    };
    const pipelines = ['first', 'second'].map((id) => ({ id, name: id }));
    expect((await admin.send('POST', '/projects/import', { file: fileOf({ pipelines }) })).status).toBe(500);
    expect(await projects()).toEqual([]);
  });

  test('works without a gateway, which gets it when it starts', async () => {
    harness.gateway.refusal = new SluiceError('gateway_down', 'The gateway is down.');
    expect((await admin.send('POST', '/projects/import', { file: fileOf() })).status).toBe(201);
  });

  test('that is too large is refused by its size', async () => {
    const file = fileOf({ scripts: [{ id: 's', code: 'x'.repeat(PROJECT_FILE_BYTES_MAX) }] });
    const answer = await admin.send('POST', '/projects/import', { file });
    expect([answer.status, answer.body['code']]).toEqual([413, 'payload_too_large']);
  });
});

describe('a pipeline', () => {
  beforeEach(fill);

  test('is exported and imported again, equal, stopped, with a list of what to fill in', async () => {
    const out = await admin.send('GET', `${P}/pipelines/report/export`);
    expect(JSON.stringify(out.body)).not.toContain(SECRET);
    const made = await (await engineer()).send('POST', `${P}/pipelines/import`, { file: out.body, id: 'report-2' });
    expect([made.status, made.body]).toMatchObject([
      201,
      {
        pipeline: { id: 'report-2', revision: 1, state: 'stopped' },
        toFillIn: [
          { pipeline: 'report-2', node: 'call', field: 'staticHeaders.Authorization' },
          { pipeline: 'report-2', node: 'call', field: 'tls.key' },
        ],
      },
    ]);
    const again = (await admin.send('GET', `${P}/pipelines/report-2/export`)).body['pipeline'];
    expect(again).toEqual({ ...(out.body['pipeline'] as object), id: 'report-2' });
  });

  test('of an ID in use is refused with a free one', async () => {
    const file = (await admin.send('GET', `${P}/pipelines/empty/export`)).body;
    const answer = await admin.send('POST', `${P}/pipelines/import`, { file });
    expect([answer.status, answer.body['detail']]).toEqual([
      409,
      'There is already a pipeline "empty"; "empty-2" is free.',
    ]);
    expect((await admin.send('POST', '/projects/none/pipelines/import', { file })).status).toBe(404);
  });
});

describe('the sample project', () => {
  test('is created and started, and ships as the file of its export', async () => {
    const made = await admin.send('POST', '/projects/sample');
    expect([made.status, made.body]).toMatchObject([201, { project: { id: 'sample-line' }, notStarted: [] }]);
    const file = await exported(admin, '/projects/sample-line/export');
    expect(made.body['started']).toEqual(file.pipelines.map(({ id }) => id));
    const shipped: unknown = JSON.parse(
      await readFile(new URL('../../docs/samples/sample-line.json', import.meta.url), 'utf8'),
    );
    expect(file).toMatchObject(shipped as object);
    expect((await admin.send('POST', '/projects/sample')).status).toBe(409);
  });

  test('imported by an Engineer starts what an Engineer may start, and gives the reason for the rest', async () => {
    const { body } = await (await engineer()).send('POST', '/projects/sample');
    expect(body['started']).toEqual(['line', 'order', 'orders', 'setpoint']);
    expect(body['notStarted']).toMatchObject([
      { pipeline: 'health', reason: expect.stringContaining('access_settings') },
      { pipeline: 'low-level', reason: expect.stringContaining('access_settings') },
    ]);
  });

  test('imported by a user who may not start pipelines exists, stopped', async () => {
    const drawer = await harness.personWith(admin, 'edit_pipelines', 'view');
    const { body } = await drawer.send('POST', '/projects/sample');
    expect([body['started'], (body['notStarted'] as unknown[]).length]).toEqual([[], 6]);
  });
});
