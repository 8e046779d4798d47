import { describe, expect, test } from 'vitest';
import type { Change } from '#common/control/messages.ts';
import { SluiceError } from '#common/errors/catalogue.ts';
import { pluginArchive } from '../third-party/testing/plugin-archive.ts';
import { type Answer, holdStarts } from './harness.testing.ts';
import { admin, harness, harnessPerTest } from './use-harness.testing.ts';

harnessPerTest();

const add = async (more: object = {}, code?: string): Promise<Answer> =>
  admin.send('POST', '/plugins', { archive: (await pluginArchive(more, code)).toString('base64') });
const approve = (digest: unknown, more: object = {}): Promise<Answer> =>
  admin.send('POST', '/plugins/acme/approve', { digest, ...more });
const items = async (): Promise<Record<string, unknown>[]> => {
  const { body } = await admin.send('GET', '/plugins');
  return body['items'] as Record<string, unknown>[];
};
const sent = (): Extract<Change, { kind: 'plugins' }>[] =>
  harness.gateway.changes.filter((change) => change.kind === 'plugins');
const loaded = (reason: string | null = null, version = '1.0.0') => ({
  id: 'acme',
  version,
  loaded: reason === null,
  reason,
});

async function addApproved(more: object = {}, code?: string): Promise<void> {
  await approve((await add(more, code)).body['digest'], { confirm: 'trust acme' });
}

/** With a pipeline that has one of its kinds. */
async function addUsed(): Promise<void> {
  await addApproved();
  await admin.send('POST', '/projects', { id: 'line-7', name: 'Line 7' });
  const pipeline = { id: 'orders', name: 'Orders', nodes: [{ id: 'n', kind: 'acme-scale' }] };
  await admin.send('POST', '/projects/line-7/pipelines', pipeline);
}

describe('a plugin', () => {
  test('waits after it is added, with all that it asks for, and the gateway is not notified', async () => {
    const { status, body } = await add({ targets: ['api.example.com:443'] });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      id: 'acme',
      version: '1.0.0',
      name: 'Acme',
      capabilities: ['tag:read'],
      targets: ['api.example.com:443'],
      trusted: false,
      kinds: [{ id: 'acme-scale', title: 'Scale', summary: 'Scales a value.', scopes: ['tag:read'] }],
      files: [{ path: 'sluice-plugin.json' }, { path: 'index.js' }],
      addedBy: 'Ada',
      approvedAt: null,
      loaded: false,
      reason: 'it waits for approval',
    });
    expect(await items()).toEqual([body]);
    expect(sent()).toEqual([]);
    expect(harness.audit.rows.filter(({ act }) => act === 'plugin.add')).toMatchObject([
      { user: 'Ada', target: 'acme', detail: `1.0.0 ${String(body['digest'])}` },
      { status: 200 },
    ]);
  });

  test('is in the gateway before its approval returns the result', async () => {
    const { body: added } = await add();
    harness.gateway.plugins = [loaded()];
    const { status, body } = await approve(added['digest']);
    expect([status, body]).toEqual([200, expect.objectContaining({ approvedBy: 'Ada', loaded: true, reason: null })]);
    expect(sent()).toMatchObject([{ plugins: [{ id: 'acme', files: { 'index.js': expect.any(String) } }] }]);
    harness.gateway.plugins = [loaded('its file index.js is missing')];
    expect(await items()).toMatchObject([{ loaded: false, reason: 'its file index.js is missing' }]);
    harness.gateway.state = 'dead';
    expect(await items()).toMatchObject([{ loaded: false, reason: 'the gateway is not running' }]);
  });

  test('is approved only by its digest, and a trusted one also needs its name, typed', async () => {
    const { body } = await add({ trusted: true });
    expect((await approve('0'.repeat(64))).status).toBe(409);
    expect((await approve('0'.repeat(65))).body).toMatchObject({ code: 'invalid', errors: [{ path: 'digest' }] });
    const refusal = await approve(body['digest'], { confirm: 'trust' });
    expect(refusal).toMatchObject({ status: 400, body: { errors: [{ path: 'confirm' }] } });
    expect(sent()).toEqual([]);
    expect((await approve(body['digest'], { confirm: 'trust acme' })).status).toBe(200);
    expect(harness.audit.rows.filter(({ act, status }) => act === 'plugin.approve' && status)).toMatchObject([
      { status: 409, code: 'conflict', detail: '0'.repeat(64) },
      { status: 400, code: 'invalid' },
      { status: 200, detail: `1.0.0 ${String(body['digest'])}` },
    ]);
  });

  test.each([
    ['not base64', { archive: 'a-b_' }, 'archive'],
    ['base64 of odd length', { archive: 'abcde' }, 'archive'],
    ['nothing', { archive: '' }, 'archive'],
    ['not an archive', { archive: Buffer.from('not a .tgz at all').toString('base64') }, ''],
    ['no text', { archive: 7 }, 'archive'],
  ])('is refused as %s, and no action is recorded', async (_what, body, path) => {
    expect(await admin.send('POST', '/plugins', body)).toMatchObject({ status: 400, body: { errors: [{ path }] } });
    expect(harness.audit.rows.filter(({ act }) => act === 'plugin.add')).toEqual([]);
  });

  test('that does not exist is neither approved nor removed', async () => {
    expect((await approve('0'.repeat(64))).status).toBe(404);
    expect((await admin.send('DELETE', '/plugins/acme')).status).toBe(404);
  });

  test('is not removed while a pipeline that uses one of its kinds is being started', async () => {
    await addUsed();
    const start = holdStarts(harness);
    const started = admin.send('POST', '/projects/line-7/pipelines/orders/start');
    await start.asked;
    const { status, body } = await admin.send('DELETE', '/plugins/acme');
    start.release();
    expect((await started).status).toBe(200);
    expect([status, body['detail']]).toEqual([409, expect.stringContaining('"orders" of project "line-7"')]);
    await admin.send('POST', '/projects/line-7/pipelines/orders/stop');
    expect((await admin.send('DELETE', '/plugins/acme')).status).toBe(204);
  });

  test('is removed from the gateway too, unless a running pipeline uses one of its kinds', async () => {
    await addUsed();
    await admin.send('POST', '/projects/line-7/pipelines/orders/start');
    const { status, body } = await admin.send('DELETE', '/plugins/acme');
    expect([status, body['detail']]).toEqual([409, expect.stringContaining('"orders" of project "line-7"')]);
    expect(await items()).toHaveLength(1);
    // A pipeline that failed to start uses nothing, although it should run.
    harness.gateway.failed = [{ project: 'line-7', pipeline: 'orders', revision: 1, errors: [] }];
    expect((await admin.send('DELETE', '/plugins/acme')).status).toBe(204);
    expect([await items(), sent().at(-1)?.plugins]).toEqual([[], []]);
  });
});

describe('a change that the gateway refuses', () => {
  const refuseOnce = (): void => {
    const { change } = harness.gateway;
    harness.gateway.change = (wanted) => {
      harness.gateway.change = change;
      return Promise.reject(new SluiceError('invalid', `refused: ${wanted.kind}`));
    };
  };

  test('is undone: an approval', async () => {
    await addApproved();
    const before = await items();
    const { body } = await add({ version: '2.0.0' });
    refuseOnce();
    expect(await approve(body['digest'])).toMatchObject({ status: 400, body: { detail: 'refused: plugins' } });
    expect(await items()).toEqual([...before, body]);
    expect(sent().at(-1)?.plugins).toMatchObject([{ manifest: { version: '1.0.0' } }]);
    expect((await approve(body['digest'])).status).toBe(200);
    expect(await items()).toMatchObject([{ version: '2.0.0' }]);
  });

  test('is undone: a removal', async () => {
    await addApproved();
    const before = await items();
    refuseOnce();
    expect((await admin.send('DELETE', '/plugins/acme')).status).toBe(400);
    expect(await items()).toEqual(before);
    expect(sent().at(-1)?.plugins).toHaveLength(1);
  });
});
