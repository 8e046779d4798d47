import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { PlannedChange } from '#common/contract/project-apply.ts';
import { SluiceError } from '#common/errors/catalogue.ts';
import type { ProjectFile } from '#common/model/project-file.ts';
import type { Client } from './harness.testing.ts';
import { CHECKS_MS_MAX } from './project-apply.ts';
import { admin, harness, harnessPerTest } from './use-harness.testing.ts';

harnessPerTest();

const SECRET = 'Bearer very-secret-token';
const P = '/projects/line-7';
const call = (url = 'https://mes.example/api') => ({
  id: 'call',
  kind: 'rest-api',
  settings: { mode: 'egress', url, method: 'POST', timeout: 5, staticHeaders: { Authorization: SECRET } },
});
const ingress = (settings: object = {}) => ({
  id: 'in',
  kind: 'rest-api',
  settings: { mode: 'ingress', method: 'POST', urlPattern: '/orders', requiredScopes: ['db:read'], ...settings },
});

beforeEach(async () => {
  await admin.send('POST', '/projects', { id: 'line-7', name: 'Line 7' });
  await admin.send('POST', `${P}/connections`, {
    id: 'erp',
    settings: { kind: 'postgresql', host: 'erp', database: 'orders', user: 'sluice', password: SECRET },
  });
  await admin.send('POST', `${P}/queries`, { id: 'orders', sql: 'SELECT 1', connection: 'erp' });
  await admin.send('POST', `${P}/tags`, { path: 'line/speed', type: 'number', source: { provider: 'memory' } });
  await admin.send('POST', `${P}/scripts`, { id: 'total', code: 'export default () => 1' });
  await admin.send('POST', `${P}/pipelines`, { id: 'other', name: 'Other' });
  const made = await admin.send('POST', `${P}/pipelines`, { id: 'report', name: 'Report', nodes: [call(), ingress()] });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
});

async function pulled(client = admin, path = P): Promise<ProjectFile> {
  const answer = await client.send('GET', `${path}/export`);
  expect(answer.status).toBe(200);
  return answer.body as unknown as ProjectFile;
}

interface Plan {
  digest: string;
  changes: PlannedChange[];
  refused: { code: string; text: string }[];
  toFillIn: object[];
}

async function plan(file: unknown, client: Client = admin, path = P): Promise<Plan> {
  const answer = await client.send('POST', `${path}/plan`, { file });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body as unknown as Plan;
}

async function apply(file: unknown, client: Client = admin, path = P) {
  const { digest } = await plan(file, client, path);
  return client.send('POST', `${path}/apply`, { file, digest });
}

const sentences = ({ changes }: Plan) => changes.map(({ text }) => text);
const pipeline = async (id: string) => (await admin.send('GET', `${P}/pipelines/${id}`)).body;
/** The same file with one pipeline changed. */
const withPipeline = (file: ProjectFile, id: string, change: object): ProjectFile => ({
  ...file,
  pipelines: file.pipelines.map((one) => (one.id === id ? { ...one, ...change } : one)),
});

describe('a plan', () => {
  test('of an unchanged project has no changes, and its apply does nothing', async () => {
    const file = await pulled();
    expect(await plan(file)).toMatchObject({ changes: [], refused: [], toFillIn: [] });
    const sent = harness.gateway.resources.length;
    expect(await apply(file)).toMatchObject({ status: 200, body: { changes: [], toFillIn: [] } });
    expect(harness.gateway.resources.length).toBe(sent);
    expect(harness.audit.rows.at(-1)).toMatchObject({ act: 'project.apply', status: 200, detail: 'no changes' });
    expect((await pipeline('report'))['revision']).toBe(1);
  });

  test('says in sentences what changes, for whom, and what its start needs', async () => {
    await admin.send('POST', `${P}/pipelines/report/start`, {});
    const file = await pulled();
    const [settings] = file.connections.map((one) => ({ ...one.settings, host: 'erp-2' }));
    const changed = {
      ...withPipeline(file, 'report', { nodes: [call('https://new.example/x'), ingress({ authType: 'none' })] }),
      connections: [{ ...file.connections[0], settings }],
      queries: [{ ...file.queries[0], sql: 'SELECT 2' }],
      scripts: [],
    };
    changed.pipelines = changed.pipelines.filter(({ id }) => id !== 'other');
    for (const node of changed.pipelines[0]?.nodes ?? [])
      if ('staticHeaders' in node.settings) node.settings['staticHeaders'] = { Authorization: null };
    const planned = await plan(changed);
    expect(sentences(planned)).toEqual([
      'The connection "erp" changes (settings.host). It is used by query "orders". The stored password is deleted, because it was entered for another server.',
      'The query "orders" changes (sql). It is in force at once.',
      'The script "total" is deleted.',
      'The pipeline "other" is deleted with its revisions.',
      expect.stringMatching(
        /^The pipeline "report" changes \(nodes\.call\.settings\.url, nodes\.in\.settings\.authType\): revision 2 is saved\. Revision 1 keeps running, also for the callers of POST \/orders, until a user starts the new one\. The stored value of call\.staticHeaders\.Authorization is deleted, because the node calls another target now\. Its start needs the approval of a user with access_settings, because .*public/,
      ),
    ]);
    expect(planned.changes.at(-1)?.needs).toEqual(['run_pipelines', 'access_settings']);
    expect(planned.toFillIn).toEqual([
      { connection: 'erp', field: 'password' },
      { pipeline: 'report', node: 'call', field: 'staticHeaders.Authorization' },
    ]);
  });

  test('of a project that does not exist creates it, for any id', async () => {
    const file = await pulled();
    const answer = await apply(file, admin, '/projects/line-8');
    expect([answer.status, (answer.body['changes'] as PlannedChange[])[0]?.text]).toEqual([
      200,
      'The project "line-8" is created.',
    ]);
    const again = await pulled(admin, '/projects/line-8');
    expect({ ...again, leftOut: [] }).toEqual({ ...file, leftOut: [], project: { id: 'line-8', name: 'line-8' } });
    expect(await plan(file, admin, '/projects/line-8')).toMatchObject({ changes: [] });
    expect((await admin.send('POST', '/projects/con/plan', { file })).status).toBe(400);
  });

  test('names what would refuse the apply, which is refused with it', async () => {
    await admin.send('POST', `${P}/pipelines/other/start`, {});
    const file = await pulled();
    const less = { ...file, pipelines: file.pipelines.filter(({ id }) => id !== 'other') };
    expect((await plan(less)).refused).toEqual([
      { code: 'conflict', text: 'The pipeline "other" runs; stop it before it is deleted.' },
    ]);
    const answer = await apply(less);
    expect([answer.status, answer.body['detail']]).toEqual([409, expect.stringContaining('stop it')]);
    expect((await pipeline('other'))['state']).toBe('running');
  });

  test('refuses a file with a secret, naming the place and not the value', async () => {
    const file = withPipeline(await pulled(), 'report', { nodes: [call()] });
    const answer = await admin.send('POST', `${P}/plan`, { file });
    expect([answer.status, JSON.stringify(answer.body['errors'])]).toEqual([
      400,
      expect.stringContaining('staticHeaders.Authorization'),
    ]);
    expect(JSON.stringify(answer.body)).not.toContain(SECRET);
  });
});

describe('an apply', () => {
  test('updates in place: revisions, secrets and what runs stay, and the second changes nothing', async () => {
    await admin.send('POST', `${P}/pipelines/report/start`, {});
    const file = withPipeline(await pulled(), 'report', { name: 'Report of the line' });
    const changed = {
      ...file,
      project: { id: 'line-7', name: 'Line seven' },
      tags: [{ ...file.tags[0], unit: 'm/s' }],
    };
    expect((await apply(changed)).status).toBe(200);
    expect(await pipeline('report')).toMatchObject({
      name: 'Report of the line',
      revision: 2,
      runningRevision: 1,
      state: 'running',
      nodes: [{ settings: { staticHeaders: { Authorization: { set: true } } } }, {}],
    });
    const connections = (await admin.send('GET', `${P}/connections`)).body['items'];
    expect(connections).toMatchObject([{ id: 'erp', settings: { password: { set: true } } }]);
    const sent = harness.gateway.resources.at(-1);
    expect(sent?.resources?.connections[0]?.settings).toMatchObject({ password: SECRET });
    expect(sent?.resources?.tags).toMatchObject([{ unit: 'm/s' }]);
    expect(harness.audit.rows.at(-1)).toMatchObject({
      act: 'project.apply',
      project: 'line-7',
      status: 200,
      detail: expect.stringMatching(
        /^1 project changed, 1 tag changed, 1 pipeline changed: The project .*The tag "line\/speed" changes \(unit\)/,
      ) as string,
    });
    expect(await plan(changed)).toMatchObject({ changes: [] });
  });

  test('of another plan than the current one is refused', async () => {
    const file = withPipeline(await pulled(), 'report', { name: 'New' });
    const { digest } = await plan(file);
    await admin.send('POST', `${P}/queries`, { id: 'late', sql: 'SELECT 3' });
    const answer = await admin.send('POST', `${P}/apply`, { file, digest });
    expect([answer.status, answer.body['detail']]).toEqual([409, expect.stringContaining('plan again')]);
    expect((await pipeline('report'))['revision']).toBe(1);
  });

  test('that the gateway refuses stores nothing', async () => {
    const file = await pulled();
    const changed = {
      ...withPipeline(file, 'report', { name: 'New' }),
      queries: [{ ...file.queries[0], sql: 'SELECT 2' }],
    };
    const { change } = harness.gateway;
    harness.gateway.change = async (wanted) => {
      if (JSON.stringify(wanted).includes('SELECT 2')) throw new SluiceError('invalid', 'no such table');
      await change(wanted);
    };
    const answer = await apply(changed);
    expect([answer.status, answer.body['detail']]).toEqual([400, 'no such table']);
    expect(await pulled()).toEqual(file);
    expect(harness.gateway.resources.at(-1)?.resources?.queries).toMatchObject([{ sql: 'SELECT 1' }]);
  });

  test('that the store cannot hold stores nothing, and gives the gateway the old resources', async () => {
    const file = await pulled();
    const changed = {
      ...withPipeline(file, 'report', { name: 'New' }),
      queries: [{ ...file.queries[0], sql: 'SELECT 2' }],
    };
    const { savePipeline } = harness.projects;
    harness.projects.savePipeline = () => {
      throw new Error('the disk is full');
    };
    expect((await apply(changed)).status).toBe(500);
    harness.projects.savePipeline = savePipeline;
    expect(await pulled()).toEqual(file);
    expect(harness.gateway.resources.at(-1)?.resources?.queries).toMatchObject([{ sql: 'SELECT 1' }]);
  });

  test('by an Engineer saves drafts of what needs an approval, and refuses connections', async () => {
    await admin.send('POST', `${P}/pipelines`, { id: 'granted', name: 'Granted', grants: ['db:read'] });
    await admin.send('POST', `${P}/pipelines/granted/start`, {});
    const engineer = await harness.personWith(admin, 'edit_pipelines', 'run_pipelines', 'view');
    const file = await pulled();
    const queries = [{ ...file.queries[0], sql: 'SELECT 2' }];
    const planned = await plan({ ...file, queries }, engineer);
    expect(sentences(planned)).toEqual([
      'The query "orders" changes (sql). It is saved as a draft: a user with run_pipelines and access_settings has to activate it. The active version stays in force until then.',
    ]);
    expect((await apply({ ...file, queries }, engineer)).status).toBe(200);
    expect((await admin.send('GET', `${P}/queries/orders`)).body).toMatchObject({ sql: 'SELECT 2', draft: {} });
    expect((await admin.send('GET', `${P}/queries/orders/in-force`)).body).toMatchObject({ sql: 'SELECT 1' });
    expect(await plan({ ...file, queries }, engineer)).toMatchObject({ changes: [] });
    // Back to the active version: the draft is discarded, for which nobody has to approve anything.
    expect((await apply(file, engineer)).status).toBe(200);
    expect((await admin.send('GET', `${P}/queries/orders`)).body).not.toHaveProperty('draft');

    const connections = [{ ...file.connections[0], name: 'ERP' }];
    const refused = await apply({ ...file, connections }, engineer);
    expect([refused.status, refused.body['code']]).toEqual([403, 'permission_missing']);
    expect(await pulled()).toEqual(file);
    const viewer = await harness.personWith(admin, 'view');
    expect((await viewer.send('POST', `${P}/plan`, { file })).status).toBe(403);
  });

  test('replaces a full set of connections: the limit counts the result', async () => {
    const file = await pulled();
    const set = (prefix: string) =>
      Array.from({ length: 50 }, (_, n) => ({ id: `${prefix}${n}`, settings: { kind: 'modbus', host: 'plc' } }));
    const first = { ...file, queries: [], connections: set('a') };
    expect((await apply(first)).status).toBe(200);
    expect((await apply({ ...first, connections: set('b') })).status).toBe(200);
    expect((await pulled()).connections).toHaveLength(50);
  });

  test('works without a gateway, which gets the result when it comes up', async () => {
    harness.gateway.refusal = new SluiceError('gateway_down', 'The gateway is down.');
    const file = await pulled();
    expect((await apply({ ...file, tags: [] })).status).toBe(200);
    expect((await pulled()).tags).toEqual([]);
  });

  test('checks scripts without the lock of the project, for a limited time, and says how many it checked', async () => {
    const file = await pulled();
    const scripts = [1, 2, 3, 4, 5].map((n) => ({ id: `s-${n}`, code: `export default () => ${n}` }));
    const { digest } = await plan({ ...file, scripts });
    const { call: ask } = harness.gateway;
    let laterMs = 0;
    const now = performance.now.bind(performance);
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + laterMs);
    const other: number[] = [];
    harness.gateway.call = async (name: string, args: never) => {
      if (name === 'script-check') {
        laterMs += CHECKS_MS_MAX / 2;
        other.push((await admin.send('POST', `${P}/queries`, { id: `q-${laterMs}`, sql: 'SELECT 1' })).status);
      }
      return ask(name as never, args);
    };
    const answer = await admin.send('POST', `${P}/apply`, { file: { ...file, scripts }, digest });
    clock.mockRestore();
    harness.gateway.call = ask;
    expect(other).toEqual([201, 201]);
    expect([answer.status, answer.body['errors']]).toMatchObject([
      400,
      [{ path: 'file.scripts.2.code', message: expect.stringContaining('2 of 5 were checked in 60 s') }],
    ]);
    expect((await pulled()).scripts).toHaveLength(1);
  });
});
