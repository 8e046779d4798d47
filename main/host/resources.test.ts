import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { pipelineDefinition } from '#common/model/pipeline.ts';
import type { HostToGateway, Snapshot } from '#common/control/messages.ts';
import { createLogger } from '#common/node/log.ts';
import { createAdminClient, type AdminClient } from '#test/admin-client.ts';
import { dirPerTest } from '#test/test-dir.ts';
import { until } from '#test/until.ts';
import type { StoredConnection } from '../contracts.ts';
import { type Host, startHost } from '../host.ts';
import { createFakeChild, type FakeChild } from '../supervisor/testing/fake-child.ts';
import { openData } from './open-data.ts';

/** The whole host, with a gateway that obeys the test: the messages to it are checked. */
const SECRET = 'correct-battery-staple';

const dir = dirPerTest();
let host: Host | null;
let children: FakeChild[];
let logged: string;
let admin: AdminClient;

const log = createLogger('host', (line) => (logged += line));
const options = () => ({ dataDir: dir.path, secretStore: 'file' as const, log });

/** Serves immediately and acknowledges every change; ends when requested. */
function obedientChild(): FakeChild {
  const child = createFakeChild(1000 + children.length);
  const { send } = child;
  child.send = (message: HostToGateway) => {
    send(message);
    if (message.type === 'change') queueMicrotask(() => child.say({ type: 'ack', epoch: message.epoch }));
    // Whether a script compiles.
    if (message.type === 'call')
      queueMicrotask(() => child.say({ type: 'reply', id: message.id, value: { fault: null } }));
    if (message.type === 'stop') queueMicrotask(() => child.exit());
  };
  children.push(child);
  setImmediate(() => child.serve());
  return child;
}

async function start(): Promise<void> {
  const overrides = { gatewayPort: 0, uiPort: 0, gatewayHost: '127.0.0.1' };
  host = await startHost({ ...options(), overrides, startGateway: obedientChild });
  await host.ready;
  admin = createAdminClient(host.addresses().uiUrl);
}

beforeEach(async () => {
  children = [];
  logged = '';
  await start();
  const token = readFileSync(join(dir.path, 'setup-token'), 'utf8').trim();
  await admin.ok('POST', '/setup', { token, name: 'Ada', password: 'correct horse battery' });
  await admin.logIn('Ada', 'correct horse battery');
  await admin.ok('POST', '/projects', { id: 'line-7', name: 'Line 7' });
});
afterEach(() => host?.stop());

function snapshotOf(child: FakeChild | undefined): Snapshot {
  const message = child?.sent.find(({ type }) => type === 'snapshot');
  if (message?.type !== 'snapshot') throw new Error('no snapshot was sent');
  return message.snapshot;
}

const P = '/projects/line-7';
const settings = { kind: 'postgresql', host: 'db', database: 'mes', user: 'mes', password: SECRET };

const call = {
  mode: 'egress',
  url: 'http://mes/a',
  method: 'POST',
  staticHeaders: { Authorization: SECRET },
  timeout: 5,
};
const report = { id: 'report', name: 'Report', nodes: [{ id: 'call', kind: 'rest-api', settings: call }] };

async function fill(): Promise<void> {
  await admin.ok('POST', `${P}/pipelines`, report);
  await admin.ok('POST', `${P}/pipelines/report/start`, {});
  await admin.ok('POST', `${P}/connections`, { id: 'mes', settings });
  await admin.ok('POST', `${P}/queries`, { id: 'orders', connection: 'mes', sql: 'SELECT 1' });
  await admin.ok('POST', `${P}/scripts`, { id: 'total', code: 'export default () => 1' });
  await admin.ok('PUT', `${P}/tags`, { items: [{ path: 'a/b', type: 'number', source: { provider: 'memory' } }] });
}
const EVERYTHING = {
  project: 'line-7',
  connections: [{ id: 'mes', settings: { password: SECRET } }],
  queries: [{ id: 'orders' }],
  scripts: [{ id: 'total' }],
  tags: [{ path: 'a/b' }],
};

const RUNNING = { project: 'line-7', revision: 1, definition: report };

test('a killed gateway finds everything again in its snapshot, and so does the one of a restarted host', async () => {
  await fill();
  children[0]?.kill();
  await until('the next gateway is served', () => children[1]?.sent.some(({ type }) => type === 'snapshot'));
  expect(snapshotOf(children[1])).toMatchObject({ resources: [EVERYTHING], pipelines: [RUNNING] });
  await host?.stop();
  await start();
  expect(snapshotOf(children.at(-1))).toMatchObject({ resources: [EVERYTHING], pipelines: [RUNNING] });
  expect(logged).not.toContain(SECRET);
  await host?.stop();
  for (const name of readdirSync(dir.path, { recursive: true, encoding: 'utf8' })) {
    const path = join(dir.path, name);
    if (statSync(path).isFile()) expect([name, readFileSync(path).includes(SECRET)]).toEqual([name, false]);
  }
});

test('leftovers of a crash are removed at the next start: folder and secrets of a deleted project', async () => {
  await fill();
  await admin.ok('POST', '/projects', { id: 'gone', name: 'Gone' });
  await host?.stop();
  const data = await openData({ ...options(), overrides: {} });
  const [orphan = ''] = await data.secrets.put(['orphan'], 'x');
  const [header = ''] = await data.secrets.put(['orphan of an egress'], 'x', 'egress');
  const definition = { id: 'mes', settings: { ...settings, password: null } } as StoredConnection['definition'];
  data.projects.resources.put('connections', 'gone', { definition, secrets: { password: orphan } });
  const held = [{ node: 'call', field: 'staticHeaders.Authorization', ref: header }];
  data.projects.createPipeline('gone', pipelineDefinition.parse(report), 'x', held);
  data.projects.deleteProject('gone');
  await data.close();
  for (const project of ['gone', 'line-7', 'stranger'])
    mkdirSync(join(dir.path, 'projects', project, 'files'), { recursive: true });
  await start();
  expect(readdirSync(join(dir.path, 'projects')).toSorted()).toEqual(['line-7', 'stranger']);
  await host?.stop();
  host = null;
  const after = await openData({ ...options(), overrides: {} });
  expect([orphan, header].map(after.secrets.has)).toEqual([false, false]);
  expect(after.projects.removals()).toEqual([]);
  expect(after.resources.all()).toMatchObject([EVERYTHING]);
  expect(after.resources.wanted()).toMatchObject([RUNNING]);
  await after.close();
});

test('a lost store removes neither folders nor secrets', async () => {
  await fill();
  await host?.stop();
  host = null;
  mkdirSync(join(dir.path, 'projects/line-7/files'), { recursive: true });
  const before = await openData({ ...options(), overrides: {} });
  const [stored] = before.projects.resources.list('connections', 'line-7');
  const refs = [stored?.secrets.password ?? '', ...before.projects.secretRefs()];
  await before.close();
  for (const end of ['', '-wal', '-shm']) rmSync(join(dir.path, `projects.sqlite${end}`), { force: true });
  const after = await openData({ ...options(), overrides: {}, withoutProjects: true });
  await after.confirmVault();
  after.projects.createProject({ id: 'line-8', name: 'Line 8' });
  await after.close();
  const again = await openData({ ...options(), overrides: {} });
  expect(refs.map(again.secrets.has)).toEqual([true, true]);
  expect(existsSync(join(dir.path, 'projects/line-7/files'))).toBe(true);
  await again.close();
});
