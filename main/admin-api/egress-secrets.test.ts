import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { all } from '../vault/rows.ts';
import { REVISIONS_MAX } from '../projects/project-store.ts';
import { type Answer, type Client } from './harness.testing.ts';
import { admin, harness, harnessPerTest } from './use-harness.testing.ts';

/** Header values and TLS keys of egress nodes (docs/spec/egress.md#secrets), only through public calls. */
harnessPerTest({ project: { id: 'line-7', name: 'Line 7' } });

const PIPELINES = '/projects/line-7/pipelines';
const REPORT = `${PIPELINES}/report`;
const SECRET = 'Bearer correct-battery-staple';
const OTHER = 'Bearer another-one';
const KEY = '-----BEGIN PRIVATE KEY-----\nZW5naW5lZXI=\n-----END PRIVATE KEY-----';
const CERTIFICATE = '-----BEGIN CERTIFICATE-----';
const SET = { set: true };
/** As it is read. */
const SHOWN = { set: true, version: expect.stringMatching(/^[0-9a-f]{16}$/) };

const node = (settings: object = {}, id = 'call') => ({
  id,
  kind: 'rest-api',
  settings: {
    mode: 'egress',
    url: 'https://mes.local/orders/{{payload.params.id}}',
    method: 'POST',
    staticHeaders: { Authorization: SECRET, 'X-Line': '7' },
    timeout: 5,
    ...settings,
  },
});
const withKey = (key: unknown, more: object = {}) => ({ tls: { ca: null, certificate: CERTIFICATE, key, ...more } });
const pipeline = (...nodes: object[]) => ({ id: 'report', name: 'Report', nodes });
const keeping = (settings: object = {}) =>
  pipeline(node({ staticHeaders: { Authorization: SET, 'X-Line': SET }, ...settings }));

const make = (...nodes: object[]): Promise<Answer> => admin.send('POST', PIPELINES, pipeline(...nodes));
const put = (body: object): Promise<Answer> => admin.send('PUT', REPORT, body);
const restore = (revision: number): Promise<Answer> => admin.send('POST', `${REPORT}/revisions/${revision}/restore`);

const inVault = (): string[] =>
  harness.vault.read((db) => all(db, 'SELECT value FROM secrets ORDER BY value').map((row) => String(row['value'])));

interface Settings {
  url: string;
  staticHeaders: Record<string, unknown>;
  tls?: { key: unknown };
}
const settingsIn = (value: unknown): Settings =>
  (value as { nodes: { settings: Settings }[] }).nodes[0]?.settings as Settings;
const headersIn = ({ body }: Answer): unknown => settingsIn(body).staticHeaders;

/** The call that the gateway would make, and its secrets, after a start of the newest revision. */
async function started(revision?: number): Promise<Settings> {
  await admin.send('POST', `${REPORT}/start`, revision === undefined ? {} : { revision });
  const change = harness.gateway.changes.at(-1);
  if (change?.kind !== 'start') throw new Error('nothing was started');
  return settingsIn(change.start.definition);
}

describe('a header value and a TLS key', () => {
  test('are in the vault, and every read shows only that they are set', async () => {
    const shown = { Authorization: SHOWN, 'X-Line': SHOWN };
    const made = await make(node(withKey(KEY)));
    expect([made.status, headersIn(made), settingsIn(made.body).tls]).toEqual([
      201,
      shown,
      { ...withKey(SET).tls, key: SHOWN },
    ]);
    expect(inVault()).toEqual([KEY, '7', SECRET]);
    const list = await admin.send('GET', PIPELINES);
    const read = await admin.send('GET', REPORT);
    const { body } = await admin.send('GET', `${REPORT}/revisions`);
    const revisions = body['items'] as { definition: object }[];
    expect(list.body['items']).toEqual([read.body]);
    expect(read.body).toEqual(made.body);
    expect(settingsIn(revisions[0]?.definition)).toEqual(settingsIn(read.body));
    expect(JSON.stringify([list.body, body])).not.toContain('egress:');
  });

  test('reach the gateway unencrypted, by start, check and test, as part of the definition', async () => {
    const sent = node(withKey(KEY));
    await make(sent);
    const start = await admin.send('POST', `${REPORT}/start`, {});
    expect(headersIn(start)).toEqual({ Authorization: SHOWN, 'X-Line': SHOWN });
    await admin.send('POST', `${REPORT}/check`, {});
    await admin.send('POST', `${REPORT}/test`, { message: {} });
    const definition = expect.objectContaining({ nodes: [{ ...sent, position: { x: 0, y: 0 } }] });
    expect(harness.gateway.changes).toEqual([{ kind: 'start', start: { project: 'line-7', revision: 1, definition } }]);
    expect(harness.gateway.calls).toEqual([
      { call: 'check', args: { project: 'line-7', definition } },
      {
        call: 'test',
        args: expect.objectContaining({ project: 'line-7', revision: 1, definition, message: {}, scopes: [] }),
      },
    ]);
    expect(harness.deps.resources.wanted()).toEqual([{ project: 'line-7', revision: 1, definition }]);
  });

  test('reach the gateway unencrypted when a start is reverted', async () => {
    await make(node());
    await started();
    await put(pipeline(node({ staticHeaders: { Authorization: OTHER } })));
    harness.faults.wanted = true;
    expect((await admin.send('POST', `${REPORT}/start`, {})).status).toBe(500);
    const [, wide, back] = harness.gateway.changes.map((change) => change.kind === 'start' && change.start);
    expect(wide && settingsIn(wide.definition).staticHeaders).toEqual({ Authorization: OTHER });
    expect(back && settingsIn(back.definition).staticHeaders).toEqual({ Authorization: SECRET, 'X-Line': '7' });
  });

  test('stay when they are sent back, under a header name in any case and another path, method or timeout', async () => {
    const made = await make(node(withKey(KEY)));
    expect((await put(made.body)).body).toMatchObject({ revision: 2, nodes: made.body['nodes'] });
    const elsewhere = { url: 'HTTPS://MES.local:443/other?a=b', method: 'PUT', timeout: 9 };
    await put(pipeline(node({ ...elsewhere, staticHeaders: { AUTHORIZATION: SET }, ...withKey(SET) })));
    expect(await started()).toMatchObject({ staticHeaders: { AUTHORIZATION: SECRET }, tls: { key: KEY } });
    expect(inVault()).toEqual([KEY, '7', SECRET]);
  });

  test('are replaced by a string and removed by null, or by leaving them out', async () => {
    await make(node());
    await put(pipeline(node({ staticHeaders: { Authorization: OTHER, 'X-Line': null } })));
    expect(await started()).toMatchObject({ staticHeaders: { Authorization: OTHER, 'X-Line': null } });
    const bare = await put(pipeline(node({ staticHeaders: {} })));
    expect(headersIn(bare)).toEqual({});
    expect((await put(keeping())).status).toBe(400);
  });

  test('of running or older revisions stay unchanged', async () => {
    await make(node());
    await put(pipeline(node({ staticHeaders: { Authorization: OTHER } })));
    expect((await started(1)).staticHeaders).toEqual({ Authorization: SECRET, 'X-Line': '7' });
    expect((await started(2)).staticHeaders).toEqual({ Authorization: OTHER });
  });

  test('that an older vault has lost read as null, cannot be kept, and are not sent', async () => {
    await make(node());
    await harness.vault.mutate((db) => db.run('DELETE FROM secrets'));
    expect(headersIn(await admin.send('GET', REPORT))).toEqual({ Authorization: null, 'X-Line': null });
    expect((await put(keeping())).status).toBe(400);
    expect((await started()).staticHeaders).toEqual({ Authorization: null, 'X-Line': null });
    expect((await put(pipeline(node({ staticHeaders: { Authorization: null } })))).status).toBe(200);
  });
});

describe('a value is never sent to another target:', () => {
  test.each([
    ['another host', { url: 'https://evil.local/orders' }],
    ['another port', { url: 'https://mes.local:444/orders' }],
    ['no TLS', { url: 'http://mes.local:443/orders' }],
    ['another certificate authority', { tls: { ca: CERTIFICATE } }],
  ])('%s clears the kept values, which the response reports', async (_what, change) => {
    await make(node());
    const answer = await put(keeping(change));
    expect([answer.status, headersIn(answer)]).toEqual([200, { Authorization: null, 'X-Line': null }]);
    expect((await started()).staticHeaders).toEqual({ Authorization: null, 'X-Line': null });
    expect(harness.audit.rows.find(({ act, status }) => act === 'pipeline.save' && status === 200)?.detail).toBe(
      'Report; cleared call.staticHeaders.Authorization, call.staticHeaders.X-Line',
    );
  });

  test('a key is cleared with its target, and the rest can be saved again as it was read', async () => {
    await make(node(withKey(KEY)));
    const moved = await put(keeping({ url: 'https://evil.local/', ...withKey(SET) }));
    expect(settingsIn(moved.body).tls).toEqual(withKey(null).tls);
    expect((await put(moved.body)).status).toBe(200);
    expect((await started()).tls?.key).toBe(null);
  });

  test('a target that was changed to another one and back has lost its values', async () => {
    await make(node());
    await put(keeping({ url: 'https://evil.local/' }));
    expect((await put(keeping())).body['errors']).toMatchObject([
      { path: 'nodes.0.settings.staticHeaders.Authorization', message: expect.stringContaining('no stored value') },
      { path: 'nodes.0.settings.staticHeaders.X-Line', message: expect.stringContaining('no stored value') },
    ]);
  });

  test('another value is another version, a kept one is the same, and a read version can be sent back', async () => {
    const versions = (answer: Answer) =>
      Object.values(headersIn(answer) as Record<string, { version?: string }>).map((value) => value.version);
    const made = await make(node());
    const kept = await put(pipeline(...(made.body['nodes'] as object[])));
    expect(kept.status).toBe(200);
    expect(versions(kept)).toEqual(versions(made));
    const changed = await put(keeping({ staticHeaders: { Authorization: OTHER, 'X-Line': SET } }));
    expect(versions(changed)[1]).toBe(versions(made)[1]);
    expect(versions(changed)[0]).not.toBe(versions(made)[0]);
    expect(versions(await restore(1))).toEqual(versions(made));
  });

  test('a restored revision restores its values with its own target', async () => {
    await make(node());
    await put(pipeline(node({ url: 'https://evil.local/', staticHeaders: { Authorization: OTHER } })));
    expect(headersIn(await restore(1))).toEqual({ Authorization: SHOWN, 'X-Line': SHOWN });
    expect(await started()).toMatchObject({ url: node().settings.url, staticHeaders: { Authorization: SECRET } });
    expect(headersIn(await restore(2))).toEqual({ Authorization: SHOWN });
    expect(await started()).toMatchObject({ url: 'https://evil.local/', staticHeaders: { Authorization: OTHER } });
    expect(headersIn(await put(keeping({ staticHeaders: { Authorization: SET } })))).toEqual({ Authorization: null });
  });

  test.each([
    ['a copy of the node under another id', pipeline(node({ staticHeaders: { Authorization: SET } }, 'copy'))],
    ['another header', pipeline(node({ staticHeaders: { 'X-Token': SET } }))],
    ['a key where a header was', pipeline(node({ staticHeaders: {}, ...withKey(SET) }))],
    ['another node that takes over the id', pipeline(node({}, 'other'), node({ staticHeaders: { B: SET } }))],
  ])('%s has nothing to keep', async (_what, body) => {
    await make(node());
    const answer = await put(body);
    expect([answer.status, answer.body['errors']]).toMatchObject([
      400,
      [{ message: expect.stringContaining('no stored value') }],
    ]);
    expect(inVault()).toEqual(['7', SECRET]);
  });

  test('a node that was of another kind in between has lost its values', async () => {
    await make(node());
    await put(pipeline({ id: 'call', kind: 'log', settings: { message: 'x' } }));
    expect((await put(keeping())).status).toBe(400);
  });

  test('a pipeline of the same ID in another project, or one that was created again, has nothing to keep', async () => {
    await make(node());
    await admin.send('POST', '/projects', { id: 'line-8', name: 'Line 8' });
    expect((await admin.send('POST', '/projects/line-8/pipelines', keeping())).status).toBe(400);
    await admin.send('DELETE', REPORT);
    expect((await admin.send('POST', PIPELINES, keeping())).status).toBe(400);
  });
});

describe('the vault', () => {
  test('removes values when the last revision with them, the pipeline or the project is removed', async () => {
    await make(node());
    await admin.send('DELETE', REPORT);
    expect(inVault()).toEqual([]);
    await make(node());
    await admin.send('DELETE', '/projects/line-7');
    expect(inVault()).toEqual([]);
  });

  test('keeps the values of fifty revisions, and no older ones', async () => {
    await make(node());
    for (let save = 1; save < REVISIONS_MAX; save++) await put(pipeline());
    expect(inVault()).toEqual(['7', SECRET]);
    await put(pipeline());
    expect(inVault()).toEqual([]);
  });

  test('keeps nothing of a refused save', async () => {
    await make(node());
    const fresh = pipeline(node({ staticHeaders: { Authorization: OTHER } }));
    expect((await admin.send('PUT', REPORT, fresh, { 'if-match': '"7"' })).status).toBe(412);
    expect((await make(node({ staticHeaders: { Authorization: OTHER } }))).status).toBe(409);
    expect((await put(pipeline(node({ staticHeaders: { A: OTHER, B: SET } })))).status).toBe(400);
    harness.audit.failFrom = 0;
    expect((await put(fresh)).status).toBe(503);
    expect(inVault()).toEqual(['7', SECRET]);
  });

  test('accepts at most 256 KiB of them with one save', async () => {
    const staticHeaders = Object.fromEntries(Array.from({ length: 33 }, (_, n) => [`H${n}`, 'x'.repeat(8000)]));
    const answer = await make(node({ staticHeaders }));
    expect([answer.status, answer.body['errors']]).toMatchObject([
      400,
      [{ path: 'nodes.0.settings.staticHeaders.H32', message: expect.stringContaining('at most 262144') }],
    ]);
    expect(inVault()).toEqual([]);
  });
});

test('no value is in a response, the journal, a log or any file', async () => {
  const answers: unknown[] = [];
  const send = async (...[method, path, body]: Parameters<Client['send']>): Promise<void> => {
    answers.push((await admin.send(method, path, body)).body);
  };
  await send('POST', PIPELINES, pipeline(node(withKey(KEY))));
  await send('PUT', REPORT, keeping(withKey(SET)));
  await send('PUT', REPORT, pipeline(node({ staticHeaders: { Authorization: `${SECRET}\n` }, ...withKey('staple') })));
  await send('PUT', REPORT, pipeline(node({ staticHeaders: SECRET, colour: SECRET, timeout: SECRET })));
  await send('PUT', REPORT, keeping({ url: 'https://evil.local/' }));
  await send('POST', `${REPORT}/revisions/1/restore`);
  for (const act of ['start', 'check', 'stop']) await send('POST', `${REPORT}/${act}`, act === 'stop' ? undefined : {});
  await send('POST', `${REPORT}/test`, { message: {} });
  for (const path of [PIPELINES, REPORT, `${REPORT}/revisions`]) await send('GET', path);
  const written = [JSON.stringify(answers), JSON.stringify(harness.audit.rows), harness.logged.join('\n')];
  for (const name of await readdir(harness.dataDir, { recursive: true })) {
    const path = join(harness.dataDir, name);
    if ((await stat(path)).isFile()) written.push((await readFile(path)).toString('latin1'));
  }
  for (const text of written)
    for (const part of ['battery', 'staple', 'ZW5naW5lZXI']) expect(text.includes(part)).toBe(false);
  expect(JSON.stringify(answers)).not.toContain('egress:');
});

test('the check of a draft gets the secrets that its save would keep, and none that it would clear', async () => {
  await make(node());
  const checked = async (settings: object): Promise<unknown> => {
    const draft = keeping(settings);
    expect((await admin.send('POST', `${REPORT}/check`, { definition: draft })).status).toBe(200);
    const call = harness.gateway.calls.at(-1) as { args: { definition: unknown } };
    return settingsIn(call.args.definition).staticHeaders;
  };
  expect(await checked({ timeout: 7 })).toEqual({ Authorization: SECRET, 'X-Line': '7' });
  expect(await checked({ url: 'https://elsewhere.local/orders' })).toEqual({ Authorization: null, 'X-Line': null });
  expect(await checked({ staticHeaders: { Authorization: OTHER } })).toEqual({ Authorization: OTHER });
  expect(inVault()).not.toContain(OTHER);
});
