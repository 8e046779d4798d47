import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { SluiceError } from '#common/errors/catalogue.ts';
import { all } from '../vault/rows.ts';
import { admin, harness, harnessPerTest } from './use-harness.testing.ts';

harnessPerTest({ project: { id: 'line-7', name: 'Line 7' } });

const CONNECTIONS = '/projects/line-7/connections';
const MES = `${CONNECTIONS}/mes`;
const SECRET = 'correct-battery-staple';
const KEEP = { set: true };

const mes = (settings: object = {}, more: object = {}) => ({
  id: 'mes',
  name: 'MES',
  settings: { kind: 'postgresql', host: 'db.local', database: 'mes', user: 'mes', password: SECRET, ...settings },
  ...more,
});
const broker = (settings: object = {}) => ({
  id: 'broker',
  settings: { kind: 'mqtt', host: 'broker.local', ...settings },
});
const inVault = (): string[] =>
  harness.vault.read((db) => all(db, 'SELECT value FROM secrets ORDER BY value').map((row) => String(row['value'])));
const sentLast = () => harness.gateway.resources.at(-1)?.resources?.connections;

describe('a connection', () => {
  test('is created, listed, read, changed and deleted, and the gateway has each change before the response', async () => {
    const made = await admin.send('POST', CONNECTIONS, mes());
    expect([made.status, made.body]).toMatchObject([
      201,
      { id: 'mes', name: 'MES', settings: { kind: 'postgresql', port: 5432, password: { set: true }, tls: 'off' } },
    ]);
    expect(sentLast()).toMatchObject([{ id: 'mes', settings: { password: SECRET } }]);
    expect((await admin.send('GET', CONNECTIONS)).body).toEqual({ items: [made.body], next: null });
    expect((await admin.send('GET', MES)).body).toEqual(made.body);
    const put = await admin.send('PUT', MES, mes({ poolMax: 9, password: KEEP }));
    expect(put.body).toMatchObject({ cleared: [], settings: { poolMax: 9, password: { set: true } } });
    expect(sentLast()).toMatchObject([{ settings: { poolMax: 9, password: SECRET } }]);
    expect((await admin.send('PUT', MES, put.body)).status).toBe(200);
    expect((await admin.send('DELETE', MES)).status).toBe(204);
    expect(sentLast()).toEqual([]);
    expect((await admin.send('GET', MES)).status).toBe(404);
    expect(inVault()).toEqual([]);
    expect(harness.audit.rows.filter(({ act }) => act?.startsWith('connection'))).toMatchObject([
      { act: 'connection.create', target: 'mes', user: 'Ada', detail: 'postgresql at db.local:5432' },
      { act: 'connection.create', status: 200 },
      { act: 'connection.change' },
      { act: 'connection.change', status: 200 },
      { act: 'connection.change' },
      { act: 'connection.change', status: 200 },
      { act: 'connection.delete' },
      { act: 'connection.delete', status: 200 },
    ]);
  });

  test.each([
    ['a bad host', mes({ host: 'http://db' }), 'settings.host'],
    ['an unknown kind', { id: 'x', settings: { kind: 'oracle' } }, 'settings.kind'],
    ['an unknown field', mes({ colour: 'red' }), 'settings'],
    ['the embedded one', mes({}, { id: 'embedded' }), 'id'],
    ['a secret that is not a string', mes({ password: 7 }), 'settings.password'],
    ['nothing that could be kept', mes({ password: KEEP }), 'settings.password'],
    ['a secret that its kind does not have', mes({ clientKey: SECRET }), 'settings'],
  ])('with %s gets 400 and names the field', async (_what, body, path) => {
    const answer = await admin.send('POST', CONNECTIONS, body);
    expect([answer.status, answer.body['errors']]).toMatchObject([400, [{ path }]]);
    expect(JSON.stringify(answer.body)).not.toContain(SECRET);
    expect(harness.projects.resources.list('connections', 'line-7')).toEqual([]);
  });

  test('gets 409 with an existing ID, 400 with another ID than the path, 404 in another project', async () => {
    await admin.send('POST', CONNECTIONS, mes());
    expect((await admin.send('POST', CONNECTIONS, mes())).body['code']).toBe('conflict');
    expect((await admin.send('PUT', MES, mes({}, { id: 'other' }))).body['errors']).toMatchObject([{ path: 'id' }]);
    await admin.send('POST', '/projects', { id: 'line-8', name: 'Line 8' });
    expect((await admin.send('GET', '/projects/line-8/connections/mes')).status).toBe(404);
    expect(inVault()).toEqual([SECRET]);
  });

  test('beyond the fiftieth is refused', async () => {
    for (let count = 0; count < 50; count++)
      harness.projects.resources.put('connections', 'line-7', {
        definition: { id: `c${count}`, name: '', settings: { kind: 'modbus', host: 'plc', port: 502, timeout: 2 } },
        secrets: {},
      });
    const answer = await admin.send('POST', CONNECTIONS, mes());
    expect(answer.body).toMatchObject({ code: 'conflict', detail: expect.stringContaining('at most 50') });
    expect(inVault()).toEqual([]);
  });

  test('is saved while the gateway is down, and restored with its secret when the gateway refuses it', async () => {
    harness.gateway.refusal = new SluiceError('gateway_down', 'down');
    expect((await admin.send('POST', CONNECTIONS, mes())).status).toBe(201);
    harness.gateway.refusal = new SluiceError('conflict', 'no');
    expect((await admin.send('PUT', MES, mes({ user: 'other', password: 'another one' }))).status).toBe(409);
    expect((await admin.send('POST', CONNECTIONS, broker({ password: 'x y' }))).status).toBe(409);
    expect((await admin.send('DELETE', MES)).status).toBe(409);
    harness.gateway.refusal = null;
    expect((await admin.send('GET', CONNECTIONS)).body).toMatchObject({
      items: [{ id: 'mes', settings: { user: 'mes' } }],
    });
    expect(inVault()).toEqual([SECRET]);
    expect(harness.deps.resources.of('line-7').connections).toMatchObject([{ settings: { password: SECRET } }]);
  });

  test('is not created while the journal cannot be written', async () => {
    harness.audit.failFrom = 0;
    expect((await admin.send('POST', CONNECTIONS, mes())).body['code']).toBe('audit_unavailable');
    expect([inVault(), harness.projects.resources.list('connections', 'line-7')]).toEqual([[], []]);
  });

  test('is visible to a Viewer, and changed, tested and deleted only by users who may access settings', async () => {
    await admin.send('POST', CONNECTIONS, mes());
    const engineer = await harness.personWith(admin, 'edit_pipelines', 'run_pipelines', 'view');
    expect((await engineer.send('GET', MES)).body).toMatchObject({ settings: { password: { set: true } } });
    for (const [method, path] of [
      ['POST', CONNECTIONS],
      ['PUT', MES],
      ['DELETE', MES],
      ['POST', `${MES}/test`],
      ['POST', `${CONNECTIONS}/test`],
    ] as const)
      expect((await engineer.send(method, path, mes())).body['code']).toBe('permission_missing');
  });
});

describe('a secret', () => {
  beforeEach(async () => {
    await admin.send('POST', CONNECTIONS, mes({ tls: 'verify' }));
  });

  test.each([
    ['kept by { "set": true }', { tls: 'verify', password: KEEP }, [SECRET], []],
    ['replaced by another', { tls: 'verify', password: 'second' }, ['second'], []],
    ['cleared by null', { tls: 'verify', password: null }, [], []],
    ['cleared by an empty string', { tls: 'verify', password: '' }, [], []],
    ['kept for another user or database', { tls: 'verify', user: 'x', database: 'y', password: KEEP }, [SECRET], []],
    ['cleared with another host', { tls: 'verify', host: 'evil.local', password: KEEP }, [], ['password']],
    ['cleared with another port', { tls: 'verify', port: 5433, password: KEEP }, [], ['password']],
    ['cleared with another kind', { tls: 'verify', kind: 'mysql', port: 5432, password: KEEP }, [], ['password']],
    ['cleared when the server is no longer verified', { tls: 'encrypt', password: KEEP }, [], ['password']],
    ['replaced with another host', { host: 'new.local', password: 'second' }, ['second'], []],
  ])('is %s', async (_what, settings, stored, cleared) => {
    const answer = await admin.send('PUT', MES, mes(settings));
    expect([answer.status, answer.body['cleared']]).toEqual([200, cleared]);
    expect(inVault()).toEqual(stored);
    expect(sentLast()).toMatchObject([{ settings: { password: stored[0] ?? null } }]);
    expect(answer.body).toMatchObject({ settings: { password: stored.length > 0 ? { set: true } : null } });
    const detail = harness.audit.rows.at(-1)?.detail ?? '';
    expect(detail.includes('cleared password')).toBe(cleared.length > 0);
  });

  test('of a field that the new kind does not have is cleared and reported', async () => {
    await admin.send('POST', CONNECTIONS, broker({ clientKey: 'the-key', password: 'the-password' }));
    const put = await admin.send('PUT', `${CONNECTIONS}/broker`, {
      id: 'broker',
      settings: { kind: 'modbus', host: 'broker.local' },
    });
    expect(put.body['cleared']).toEqual(['password', 'clientKey']);
    expect(inVault()).toEqual([SECRET]);
  });

  test('is removed with its project', async () => {
    expect((await admin.send('DELETE', '/projects/line-7')).status).toBe(204);
    expect(inVault()).toEqual([]);
    expect(harness.gateway.resources.at(-1)).toEqual({ kind: 'resources', project: 'line-7', resources: null });
  });

  test('that the vault has lost reads as null, and cannot be kept', async () => {
    await harness.vault.mutate((db) => db.run('DELETE FROM secrets'));
    expect((await admin.send('GET', MES)).body).toMatchObject({ settings: { password: null } });
    expect(harness.deps.resources.of('line-7').connections).toMatchObject([{ settings: { password: null } }]);
    expect((await admin.send('PUT', MES, mes({ tls: 'verify', password: KEEP }))).status).toBe(400);
  });

  test('that can no longer be removed is not an error: the next start removes it', async () => {
    harness.deps.secrets.remove = () => Promise.reject(new Error('the disk is full'));
    expect((await admin.send('PUT', MES, mes({ tls: 'verify', password: 'second' }))).status).toBe(200);
    expect(sentLast()).toMatchObject([{ settings: { password: 'second' } }]);
    expect(harness.logged.join('')).not.toContain(SECRET);
  });
});

describe('a test of a connection', () => {
  const args = () => harness.gateway.calls.at(-1)?.args;
  beforeEach(async () => {
    await admin.send('POST', CONNECTIONS, mes());
  });

  test('as saved, or of a draft with the stored secret, is sent to the gateway with the unencrypted secret', async () => {
    expect((await admin.send('POST', `${MES}/test`)).body).toEqual({ ok: true, text: 'PostgreSQL 15', durationMs: 3 });
    expect(args()).toMatchObject({ project: 'line-7', connection: { settings: { password: SECRET, user: 'mes' } } });
    expect((await admin.send('POST', `${CONNECTIONS}/test`, mes({ user: 'x', password: KEEP }))).status).toBe(200);
    expect(args()).toMatchObject({ connection: { settings: { password: SECRET, user: 'x' } } });
    await admin.send('POST', `${CONNECTIONS}/test`, mes({ password: 'second' }, { id: 'new' }));
    expect(args()).toMatchObject({ connection: { id: 'new', settings: { password: 'second' } } });
    expect(harness.audit.rows.at(-1)).toMatchObject({
      act: 'connection.test',
      type: 'test',
      target: 'new',
      status: 200,
    });
    expect([inVault(), harness.projects.resources.list('connections', 'line-7').length]).toEqual([[SECRET], 1]);
  });

  test('never sends a stored secret to another server', async () => {
    const before = harness.gateway.calls.length;
    const answer = await admin.send('POST', `${CONNECTIONS}/test`, mes({ host: 'evil.local', password: KEEP }));
    expect(answer.body).toMatchObject({ code: 'invalid', errors: [{ path: 'settings.password' }] });
    expect(harness.gateway.calls).toHaveLength(before);
  });

  test('masks a secret that a response or an error contains', async () => {
    const { call } = harness.gateway;
    harness.gateway.call = async () => ({ ok: false, text: `bad password ${SECRET}`, durationMs: 1 }) as never;
    expect((await admin.send('POST', `${MES}/test`)).body['text']).toBe('bad password …');
    harness.gateway.call = () => Promise.reject(new SluiceError('conflict', `no user mes:${SECRET}@db`));
    expect((await admin.send('POST', `${MES}/test`)).body['detail']).toBe('no user mes:…@db');
    harness.gateway.call = call;
    expect(JSON.stringify([harness.audit.rows, harness.logged])).not.toContain(SECRET);
  });
});

describe('resources in use', () => {
  const query = { id: 'q', connection: 'mes', sql: 'SELECT 1' };
  const node = (kind: string, settings: object) => ({
    id: 'p',
    name: 'P',
    nodes: [{ id: 'n', kind, settings }],
  });

  test('are not deleted: a connection that a query, a tag or a running pipeline names', async () => {
    await admin.send('POST', CONNECTIONS, mes());
    await admin.send('POST', CONNECTIONS, broker());
    await admin.send('POST', '/projects/line-7/queries', query);
    expect((await admin.send('DELETE', MES)).body).toMatchObject({
      status: 409,
      detail: 'The connection "mes" is used by query "q"; change that first.',
    });
    await admin.send('POST', '/projects/line-7/tags', {
      path: 'a/b',
      type: 'number',
      source: { provider: 'mqtt', connection: 'broker', topic: 't' },
    });
    expect((await admin.send('DELETE', `${CONNECTIONS}/broker`)).body['detail']).toContain('tag "a/b"');
    await admin.send('DELETE', '/projects/line-7/queries/q');
    await admin.send('POST', '/projects/line-7/pipelines', node('sql', { connection: 'mes', sql: 'SELECT 1' }));
    await admin.send('POST', '/projects/line-7/pipelines/p/start');
    expect((await admin.send('DELETE', MES)).body['detail']).toContain('node "n" of the running pipeline "p"');
    await admin.send('POST', '/projects/line-7/pipelines/p/stop');
    expect((await admin.send('DELETE', MES)).status).toBe(204);
  });

  test('are not changed to a kind that their users do not support', async () => {
    await admin.send('POST', CONNECTIONS, mes());
    await admin.send('POST', '/projects/line-7/queries', query);
    const modbus = { id: 'mes', settings: { kind: 'modbus', host: 'db.local' } };
    expect((await admin.send('PUT', MES, modbus)).body).toMatchObject({
      code: 'conflict',
      detail: expect.stringContaining('"q"'),
    });
    expect((await admin.send('PUT', MES, mes({ kind: 'mysql' }))).status).toBe(200);
    await admin.send('POST', CONNECTIONS, broker());
    const source = { provider: 'mqtt', connection: 'broker', topic: 't' };
    await admin.send('POST', '/projects/line-7/tags', { path: 'a', type: 'number', source });
    const other = { ...modbus, id: 'broker' };
    expect((await admin.send('PUT', `${CONNECTIONS}/broker`, other)).body['detail']).toContain('"a"');
  });
});

test('no file except the sealed vault contains a secret', async () => {
  await admin.send('POST', CONNECTIONS, mes());
  for (const name of await readdir(harness.dataDir, { recursive: true })) {
    const bytes = await readFile(join(harness.dataDir, name)).catch(() => Buffer.alloc(0));
    expect([name, bytes.includes(SECRET)]).toEqual([name, false]);
  }
});
