import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { SluiceError } from '#common/errors/catalogue.ts';
import { until, PATIENT_WAIT } from '#test/until.ts';
import { keysRefused } from '../host/settle-rollback.ts';
import { SESSION_MS } from '../people/sessions.ts';
import { putMeta } from '../vault/meta.ts';
import { HEARTBEAT_MS, STREAMS_PER_USER_MAX } from './events.ts';
import { type Client, createHarness, type Harness } from './harness.testing.ts';
import { CALLS } from './table.ts';
import { READER_WAIT_MS } from './write-out.ts';

let harness: Harness;
let admin: Client;
beforeEach(async () => {
  harness = await createHarness({ overrides: { gatewayPort: 9000 } });
  admin = await harness.setUp();
});
afterEach(() => harness.close());

test('GET /status returns version, gateway, pipelines and alarms', async () => {
  expect((await admin.send('GET', '/status')).body).toEqual({
    version: '1.2.3',
    startedAt: '2026-03-01T06:00:00.000Z',
    gateway: { pid: 4711, state: 'running', since: '2026-03-01T06:00:00.000Z', restarts: 0, port: 8090, silentMs: 500 },
    pipelines: { running: 0, failed: 0 },
    machine: { name: 'EDGE-1', address: null },
    alarms: [
      {
        code: 'plain_http',
        severity: 'alarm',
        text: 'Keys are sent unencrypted.',
        values: {},
        since: '2026-03-01T06:00:00.000Z',
        acknowledgedAt: null,
        acknowledgedBy: null,
        shelvedUntil: null,
        shelvedBy: null,
        note: null,
      },
    ],
  });
});

test('an alarm is acknowledged by a user who may run pipelines, and the journal names the user', async () => {
  const viewer = await harness.personWith(admin, 'view');
  expect((await viewer.send('POST', '/alarms/plain_http/acknowledge')).body['code']).toBe('permission_missing');
  const operator = await harness.personWith(admin, 'view', 'run_pipelines');
  expect((await operator.send('POST', '/alarms/none/acknowledge')).body['code']).toBe('unknown');
  expect((await operator.send('POST', '/alarms/plain_http/acknowledge')).body).toMatchObject({
    acknowledgedBy: expect.any(String),
    acknowledgedAt: expect.any(String),
  });
  expect((await admin.send('GET', '/status')).body['alarms']).toMatchObject([{ acknowledgedBy: expect.any(String) }]);
  expect(harness.audit.rows).toContainEqual(
    expect.objectContaining({ act: 'alarm.acknowledge', target: 'plain_http', status: 200 }),
  );
});

test('an alarm is acknowledged with a note, and the journal has it', async () => {
  const body = { note: ' token is ordered ' };
  expect((await admin.send('POST', '/alarms/plain_http/acknowledge', body)).body).toMatchObject({
    note: 'token is ordered',
  });
  expect(harness.audit.rows.at(-1)).toMatchObject({ act: 'alarm.acknowledge', detail: 'token is ordered' });
  const long = await admin.send('POST', '/alarms/plain_http/acknowledge', { note: 'x'.repeat(301) });
  expect(long.body['code']).toBe('invalid');
});

test('an alarm is shelved until a time by a user who may run pipelines, and shown again', async () => {
  const until = new Date(Date.now() + 8 * 3_600_000 - 60_000).toISOString();
  const viewer = await harness.personWith(admin, 'view');
  for (const act of ['shelve', 'unshelve'])
    expect(
      (await viewer.send('POST', `/alarms/plain_http/${act}`, act === 'shelve' ? { until } : undefined)).status,
    ).toBe(403);
  const operator = await harness.personWith(admin, 'view', 'run_pipelines');
  const shelved = await operator.send('POST', '/alarms/plain_http/shelve', { until, note: 'known' });
  expect(shelved.body).toMatchObject({ shelvedUntil: until, shelvedBy: expect.any(String), note: 'known' });
  expect(harness.audit.rows.at(-1)).toMatchObject({ act: 'alarm.shelve', detail: `until ${until}: known` });
  expect((await operator.send('POST', '/alarms/none/shelve', { until })).body['code']).toBe('unknown');
  expect((await operator.send('POST', '/alarms/plain_http/unshelve')).body).toMatchObject({ shelvedUntil: null });
  expect(harness.audit.rows.at(-1)).toMatchObject({ act: 'alarm.unshelve', status: 200 });
});

test.each([
  ['has passed', -60_000],
  ['is after a shift, for an alarm that asks to act now', 8 * 3_600_000 + 60_000],
])('a shelf whose end %s is refused, naming the field', async (_, ms) => {
  const until = new Date(Date.now() + ms).toISOString();
  const { body } = await admin.send('POST', '/alarms/plain_http/shelve', { until });
  expect(body).toMatchObject({ code: 'invalid', errors: [{ path: 'until', rule: 'range' }] });
  expect((await admin.send('GET', '/status')).body['alarms']).toMatchObject([{ shelvedUntil: null }]);
});

test('GET /alarms/history responds page by page', async () => {
  expect((await admin.send('GET', '/alarms/history')).body).toEqual({ items: [], next: null });
  for (const query of ['limit=0', 'limit=201', 'cursor=-1'])
    expect((await admin.send('GET', `/alarms/history?${query}`)).body['code']).toBe('invalid');
});

test('GET /kinds and GET /plugins return lists', async () => {
  expect((await admin.send('GET', '/kinds')).body).toEqual({ items: [], next: null });
  expect((await admin.send('GET', '/plugins')).body).toEqual({ items: [], next: null });
});

describe('settings', () => {
  test('are read with the values fixed by a flag, and write-only ones only as set', async () => {
    const { body } = await admin.send('GET', '/settings');
    expect(body).toMatchObject({
      baseUrl: 'http://edge-7',
      gatewayPort: 9000,
      uiPort: 8091,
      metricsToken: null,
      tlsKey: null,
      overridden: ['gatewayPort'],
    });
    await admin.send('PATCH', '/settings', { metricsToken: 'a token of 24 characters' });
    const after = await admin.send('GET', '/settings');
    expect(after.body['metricsToken']).toEqual({ set: true });
    expect(JSON.stringify([after.body, harness.audit.rows])).not.toContain('a token of');
  });

  test('are accepted as they were read, with all read-only fields', async () => {
    const { body } = await admin.send('GET', '/settings');
    const sent = await admin.send('PATCH', '/settings', body);
    expect([sent.status, sent.body]).toEqual([200, body]);
    expect(harness.audit.rows.at(-1)).toMatchObject({ act: 'settings.change', detail: 'nothing' });
  });

  test('that are secret are in the journal as changed, without their value', async () => {
    await admin.send('PATCH', '/settings', { metricsToken: 'a token of 24 characters' });
    await admin.send('PATCH', '/settings', { metricsToken: null });
    const details = harness.audit.rows.filter(({ status }) => status === 200).map(({ detail }) => detail);
    expect(details.slice(-2)).toEqual(['metricsToken: none → secret', 'metricsToken: secret → none']);
  });

  test('are changed field by field, and the gateway has them before the response', async () => {
    const { status, body } = await admin.send('PATCH', '/settings', {
      trustedProxies: '10.0.0.1, 10.0.0.2',
      journalDays: 30,
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ trustedProxies: ['10.0.0.1', '10.0.0.2'], workers: 1, journalDays: 30 });
    expect(harness.gateway.changes).toMatchObject([
      { kind: 'settings', settings: { journalDays: 30, gatewayPort: 9000 } },
    ]);
    expect(harness.audit.rows.at(-1)).toMatchObject({
      act: 'settings.change',
      detail: expect.stringMatching(/^trustedProxies: \[\] → \[.+\]; journalDays: \d+ → 30$/),
      status: 200,
    });
  });

  test('with a uiPort of another program are refused, naming the field, and nothing is saved', async () => {
    const taken = createServer();
    const port = await new Promise<number>((resolve) => {
      taken.listen(0, '127.0.0.1', () => resolve((taken.address() as AddressInfo).port));
    });
    const before = harness.deps.settings.current().uiPort;
    const { status, body } = await admin.send('PATCH', '/settings', { uiPort: port });
    expect([status, body]).toMatchObject([
      400,
      { errors: [{ path: 'uiPort', message: `port ${port} is in use by another program; expected a free one` }] },
    ]);
    expect(harness.deps.settings.current().uiPort).toBe(before);
    await new Promise((resolve) => taken.close(resolve));
    expect((await admin.send('PATCH', '/settings', { uiPort: port })).status).toBe(200);
  });

  test('that the gateway refuses stay unchanged', async () => {
    harness.gateway.refusal = new SluiceError('conflict', 'port 80 is in use by another program');
    const { status } = await admin.send('PATCH', '/settings', { gatewayHost: '127.0.0.1' });
    harness.gateway.refusal = null;
    expect(status).toBe(409);
    expect(harness.deps.settings.current().gatewayHost).toBe('0.0.0.0');
  });

  test('that the gateway refuses are followed by the previous ones: some of them may be in force there', async () => {
    const { change } = harness.gateway;
    harness.gateway.change = async (wanted) => {
      await change(wanted);
      if (wanted.kind === 'settings' && wanted.settings.gatewayHost === '10.0.0.1')
        throw new SluiceError('conflict', 'the disk of the outbox is full');
    };
    expect((await admin.send('PATCH', '/settings', { gatewayHost: '10.0.0.1' })).status).toBe(409);
    expect(harness.gateway.changes).toMatchObject([
      { kind: 'settings', settings: { gatewayHost: '10.0.0.1' } },
      { kind: 'settings', settings: { gatewayHost: '0.0.0.0' } },
    ]);
  });

  test('are pending while no gateway serves', async () => {
    harness.gateway.state = 'dead';
    const { status, body } = await admin.send('PATCH', '/settings', { journalDays: 30 });
    expect([status, body['pending'], body['journalDays']]).toEqual([200, true, 30]);
    harness.gateway.state = 'running';
    expect((await admin.send('GET', '/settings')).body['pending']).toBe(false);
  });

  test('are changed one after another: a refused change does not affect the next one', async () => {
    const { change } = harness.gateway;
    const asked = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<void>();
    harness.gateway.change = async (wanted) => {
      if (wanted.kind !== 'settings' || wanted.settings.gatewayHost !== '10.0.0.1') return change(wanted);
      asked.resolve();
      await answered.promise;
      throw new SluiceError('invalid', 'Nothing can listen on 10.0.0.1.');
    };
    const first = admin.send('PATCH', '/settings', { gatewayHost: '10.0.0.1' });
    await asked.promise;
    const second = admin.send('PATCH', '/settings', { gatewayHost: '127.0.0.1' });
    const third = admin.send('PATCH', '/settings', { journalDays: 30 });
    // Everything that the two would do in the meantime has happened when a later call was answered.
    for (let times = 0; times < 5; times++) await admin.send('GET', '/status');
    answered.resolve();
    expect((await Promise.all([first, second, third])).map(({ status }) => status)).toEqual([400, 200, 200]);
    const inForce = { gatewayHost: '127.0.0.1', journalDays: 30 };
    expect(harness.deps.settings.current()).toMatchObject(inForce);
    expect(harness.gateway.changes.at(-1)).toMatchObject({ kind: 'settings', settings: inForce });
  });

  test('may be sent back as they were read', async () => {
    await admin.send('PATCH', '/settings', { metricsToken: 'a token of 24 characters' });
    const { overridden: _, ...fields } = (await admin.send('GET', '/settings')).body;
    const changes = harness.gateway.changes.length;
    expect((await admin.send('PATCH', '/settings', fields)).status).toBe(200);
    expect(harness.deps.settings.current().metricsToken).toBe('a token of 24 characters');
    expect(harness.gateway.changes).toHaveLength(changes);
  });

  test.each([
    ['an unknown field', { colour: 'red' }, ''],
    ['a port out of range', { uiPort: 70000 }, 'uiPort'],
    ['a field that a flag has fixed', { gatewayPort: 9001 }, 'gatewayPort'],
    ['one port twice', { uiPort: 9000 }, 'uiPort'],
    ['a base URL with a path', { baseUrl: 'http://edge/x' }, 'baseUrl'],
    ['TLS without a certificate', { tls: 'custom' }, 'tlsCertificate'],
    ['a plain port without TLS', { plainHttpPort: 8092 }, 'plainHttpPort'],
    ['a metrics port without a token', { metricsPort: 9464 }, 'metricsPort'],
    ["a metrics port that is the UI's", { metricsPort: 8091, metricsToken: 'a token of 24 characters' }, 'metricsPort'],
    ['a token that no header can carry', { metricsToken: 'ein Schlüssel für Messwerte' }, 'metricsToken'],
    ['an invalid metrics address', { metricsHost: 'edge-7' }, 'metricsHost'],
    ['more workers than are offered', { workers: 17 }, 'workers'],
  ])('%s is refused, naming it, and nothing is changed', async (_what, patch, path) => {
    expect(await admin.send('PATCH', '/settings', patch)).toMatchObject({ status: 400, body: { errors: [{ path }] } });
    expect(harness.gateway.changes).toEqual([]);
  });
});

describe('metrics', () => {
  const TOKEN = 'a-token-of-24-characters';
  const scrape = (token: string) =>
    harness.nobody.send('GET', '/metrics', undefined, { authorization: `Bearer ${token}` });

  test('get 404 while no token is set, and require exactly that token afterwards', async () => {
    const off = await scrape(TOKEN);
    expect(off.status).toBe(404);
    expect(off.body['detail']).toBe(
      'Metrics are off. Set the metrics token to switch them on: Settings → Gateway → Metrics, or "metricsToken" in PATCH /api/v1/settings.',
    );
    await admin.send('PATCH', '/settings', { metricsToken: TOKEN });
    const refused = await scrape('another-token-of-24-char');
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect((await admin.send('GET', '/metrics')).status).toBe(401);
    expect((await scrape(TOKEN)).status).toBe(200);
  });

  test('are Prometheus text with escaped labels', async () => {
    await admin.send('PATCH', '/settings', { metricsToken: TOKEN });
    const { body, headers } = await scrape(TOKEN);
    expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(body['text']).toContain('sluice_gateway_up 1\n');
    expect(body['text']).toContain(
      'sluice_route_calls_total{project="line-7",pipeline="orders",node="in",method="POST",route="/a\\"b\\\\c"} 3\n',
    );
    expect(body['text']).toContain('sluice_script_runs_total{engine="native"} 12\n');
  });

  test('are at /metrics too, where Prometheus looks for them', async () => {
    const at = (method: string, authorization: string) =>
      fetch(`${harness.base}/metrics`, { method, headers: { authorization } });
    expect((await at('GET', `Bearer ${TOKEN}`)).status).toBe(404);
    await admin.send('PATCH', '/settings', { metricsToken: TOKEN });
    const found = await at('GET', `Bearer ${TOKEN}`);
    expect([found.status, found.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(await found.text()).toContain('sluice_gateway_up 1\n');
    expect((await at('HEAD', `Bearer ${TOKEN}`)).status).toBe(200);
    expect((await at('GET', 'Bearer another')).status).toBe(401);
    expect((await at('POST', `Bearer ${TOKEN}`)).status).toBe(404);
  });

  test('report that the gateway is down', async () => {
    await admin.send('PATCH', '/settings', { metricsToken: TOKEN });
    harness.gateway.refusal = new SluiceError('gateway_down', 'down');
    expect((await scrape(TOKEN)).body['text']).toContain('sluice_gateway_up 0\n');
  });
});

describe('the address for scrapes', () => {
  const TOKEN = 'a-token-of-24-characters';
  const on = { metricsToken: TOKEN, metricsHost: '127.0.0.1', metricsPort: 0 };

  test('opens with the settings and closes with its token', async () => {
    expect((await admin.send('PATCH', '/settings', on)).status).toBe(200);
    const { port } = harness.deps.scrapes;
    const scrape = () => fetch(`http://127.0.0.1:${port}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } });
    expect(await (await scrape()).text()).toContain('sluice_gateway_up 1\n');
    expect((await admin.send('PATCH', '/settings', { metricsToken: null })).status).toBe(200);
    expect(harness.deps.scrapes.port).toBeNull();
    await expect(scrape()).rejects.toThrow('fetch failed');
  });

  test('that is not available is refused, naming the field, and the settings are unchanged', async () => {
    const refused = await admin.send('PATCH', '/settings', { ...on, metricsPort: harness.port });
    expect([refused.status, refused.body['errors']]).toMatchObject([
      409,
      [
        {
          path: 'metricsPort',
          message: `port ${harness.port} is in use by another program; choose another`,
        },
      ],
    ]);
    const { metricsPort, metricsToken } = harness.deps.settings.current();
    expect([metricsPort, metricsToken]).toEqual([null, null]);
    const away = await admin.send('PATCH', '/settings', { ...on, metricsHost: '192.0.2.1' });
    expect([away.status, away.body['errors']]).toMatchObject([409, [{ path: 'metricsHost' }]]);
  });

  test('is not opened when the gateway refuses the same change', async () => {
    harness.gateway.refusal = new SluiceError('conflict', 'port 80 is in use by another program');
    expect((await admin.send('PATCH', '/settings', { ...on, gatewayHost: '127.0.0.1' })).status).toBe(409);
    harness.gateway.refusal = null;
    expect(harness.deps.scrapes.port).toBeNull();
  });
});

describe('backup and restore', () => {
  test('a backup is streamed as a file and journaled without its passphrase', async () => {
    const { status, body, headers } = await admin.send('POST', '/backup', { passphrase: 'a long passphrase' });
    expect([status, body['text']]).toEqual([200, 'sealed bytes']);
    expect(headers.get('content-disposition')).toMatch(/attachment; filename=sluice-[\d-]+\.backup$/);
    expect(harness.audit.rows.slice(-2)).toMatchObject([{ act: 'backup' }, { act: 'backup', status: 200 }]);
    expect(JSON.stringify(harness.audit.rows)).not.toContain('passphrase');
  });

  test('a short passphrase is refused, and nothing is handed out while the journal cannot be written', async () => {
    expect((await admin.send('POST', '/backup', { passphrase: 'short' })).body['errors']).toMatchObject([
      { path: 'passphrase' },
    ]);
    harness.audit.failFrom = 0;
    expect((await admin.send('POST', '/backup', { passphrase: 'a long passphrase' })).status).toBe(503);
  });

  test('a backup whose reader disconnects before its first byte is closed, and its copies with it', async () => {
    const bytes = Readable.from([Buffer.from('sealed bytes')]);
    const asked = Promise.withResolvers<void>();
    const gone = Promise.withResolvers<void>();
    harness.backup.make = async () => {
      asked.resolve();
      await gone.promise;
      return bytes;
    };
    const aborted = new AbortController();
    const answer = fetch(`${harness.base}/api/v1/backup`, {
      method: 'POST',
      headers: { ...admin.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ passphrase: 'a long passphrase' }),
      signal: aborted.signal,
    }).catch(() => null);
    await asked.promise;
    aborted.abort();
    await answer;
    // The server handled the disconnect before this, on the same event loop.
    await admin.send('GET', '/status');
    gone.resolve();
    await vi.waitFor(() => expect(bytes.destroyed).toBe(true), PATIENT_WAIT);
    await vi.waitFor(
      () => expect(harness.audit.rows.at(-1)).toMatchObject({ act: 'backup', status: 500 }),
      PATIENT_WAIT,
    );
  });

  test('a backup ends with the session of the user who started it', async () => {
    harness.backup.make = async () =>
      Readable.from(
        (async function* () {
          yield Buffer.from('sealed ');
          await admin.send('DELETE', '/session');
          yield Buffer.from('bytes');
        })(),
      );
    await expect(admin.send('POST', '/backup', { passphrase: 'a long passphrase' })).rejects.toThrow();
    expect(harness.audit.rows.at(-1)).toMatchObject({ act: 'backup', code: 'no_session' });
  });

  test('an upload leaves the reserve of the disk free, and nothing is restored before it is checked', async () => {
    harness.faults.free = 1_000;
    expect(await admin.send('POST', '/restore', { bytes: 501 })).toMatchObject({ status: 507 });
    const { body } = await admin.send('POST', '/restore', { bytes: 500 });
    const upload = String(body['upload']);
    harness.faults.free = 0;
    const piece = { at: 0, base64: 'AAAA' };
    expect(await admin.send('POST', `/restore/${upload}/pieces`, piece)).toMatchObject({ status: 507 });
    harness.faults.free = Infinity;
    expect(await admin.send('POST', `/restore/${upload}/apply`, { machine: 'EDGE-1' })).toMatchObject({
      status: 409,
    });
    expect(await admin.send('DELETE', `/restore/${upload}`)).toMatchObject({ status: 204 });
  });
});

describe('the audit journal', () => {
  test('is searched with the given filter and the limit as a number', async () => {
    const asked: unknown[] = [];
    harness.deps.audit.query = async (filter) => {
      asked.push(filter);
      return { items: [], next: null, searchedTo: null, newest: null };
    };
    await admin.send('GET', '/audit?from=2026-03-01T06:00:00Z&keyId=k1&limit=5&type=refusal');
    expect(asked).toEqual([{ from: '2026-03-01T06:00:00Z', keyId: 'k1', limit: 5, type: 'refusal' }]);
  });

  test.each(['limit=0', 'limit=1001', 'limit=x', 'from=yesterday', 'type=other', 'code=a&code=b'])(
    'with %s gets 400',
    async (query) => {
      expect((await admin.send('GET', `/audit?${query}`)).body['code']).toBe('invalid');
    },
  );

  test('is exported as CSV or JSON Lines', async () => {
    const csv = await admin.send('GET', '/audit/export?format=csv');
    expect(csv.headers.get('content-type')).toContain('text/csv');
    const lines = await admin.send('GET', '/audit/export?format=jsonl');
    expect(lines.headers.get('content-disposition')).toBe('attachment; filename=audit.jsonl');
    expect(String(lines.body['text']).split('\n').length).toBeGreaterThan(2);
    expect((await admin.send('GET', '/audit/export?format=xls')).status).toBe(400);
  });

  test('an export ends with the session of the user who started it, and makes room for the next one', async () => {
    const row = 'x'.repeat(64 * 1024);
    harness.deps.audit.export = async function* () {
      yield row;
      await admin.send('DELETE', '/session');
      yield row;
    };
    for (let times = 0; times < 3; times++) {
      await expect(admin.send('GET', '/audit/export')).rejects.toThrow();
      admin = await harness.logIn('Ada');
    }
  });

  test('an export whose reader stops reading is cut off, and makes room for the next one', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const row = 'x'.repeat(64 * 1024);
      let given = 0;
      let closed = 0;
      harness.deps.audit.export = async function* () {
        try {
          for (;;) {
            given++;
            yield row;
          }
        } finally {
          closed++;
        }
      };
      const stalled = await exportOf(admin);
      const standsStill = (): Promise<true> => {
        let before = -1;
        return until('the export waits for its reader', () => before === (before = given), { everyMs: 200 });
      };
      await standsStill();
      vi.advanceTimersByTime(READER_WAIT_MS);
      await vi.waitFor(() => expect(closed).toBe(1), PATIENT_WAIT);
      stalled.destroy();
    } finally {
      vi.useRealTimers();
    }
  });

  test('is verified for the user who asks, which is recorded', async () => {
    expect((await admin.send('GET', '/audit/verify')).body).toMatchObject({ ok: true });
    expect(harness.audit.rows.at(-1)).toMatchObject({ act: 'journal.verify', user: 'Ada', target: 'journal' });
    expect((await admin.send('GET', '/audit/verification')).body).toMatchObject({ last: { by: 'Ada', ok: true } });
  });

  test('explains a refusal, or reports that there is none', async () => {
    expect((await admin.send('GET', '/refusals/known')).body).toMatchObject({ step: 4, mend: 'Send a key.' });
    expect((await admin.send('GET', '/refusals/other')).status).toBe(404);
  });
});

/** An export of the journal that is not read. */
function exportOf(client: Client): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { host: `127.0.0.1:${harness.port}`, ...client.headers };
    const sent = get({ port: harness.port, path: '/api/v1/audit/export', headers }, (response) => {
      response.pause().on('error', () => {});
      resolve(response);
    });
    sent.on('error', reject);
  });
}

/** A live stream as it is received. */
interface Stream {
  text(): string;
  until(wanted: string): Promise<void>;
  ended: Promise<void>;
  close(): void;
}

function listen(client: Client, port = harness.port): Promise<Stream> {
  return new Promise((resolve, reject) => {
    const sent = get(
      {
        port,
        path: '/api/v1/events',
        headers: { host: `127.0.0.1:${port}`, ...client.headers },
      },
      (response) => {
        if (response.statusCode !== 200) reject(new Error(`status ${response.statusCode}`));
        else resolve(streamOf(response));
      },
    );
    sent.on('error', reject);
  });
}

function streamOf(response: IncomingMessage): Stream {
  let text = '';
  const waiting = new Set<() => void>();
  response.setEncoding('utf8').on('data', (part: string) => {
    text += part;
    for (const look of waiting) look();
  });
  const ended = new Promise<void>((resolve) => response.on('close', resolve));
  response.on('error', () => {});
  return {
    text: () => text,
    until: (wanted) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (text.includes(wanted)) resolve();
        };
        waiting.add(look);
        look();
      }),
    ended,
    close: () => response.destroy(),
  };
}

describe('live events', () => {
  // No heartbeats except those that a test triggers: they must not help to end a stream that should end immediately.
  beforeEach(async () => {
    await harness.close();
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    harness = await createHarness();
    admin = await harness.setUp();
  });
  afterEach(() => vi.useRealTimers());

  test('are sent only to users who may read the same by a call', async () => {
    const viewer = await harness.personWith(admin, 'view');
    const [all, some] = [await listen(admin), await listen(viewer)];
    harness.gateway.emit({
      kind: 'refused',
      requestId: 'r1',
      code: 'key_missing',
      status: 401,
      route: '/a',
      at: '2026-03-01T06:00:00.000Z',
    });
    await admin.send('POST', '/projects', { id: 'line-7', name: 'Line 7' });
    await admin.send('POST', '/projects/line-7/keys', { name: 'MES', scopes: [] });
    harness.gateway.emit({ kind: 'state' });
    await Promise.all([all.until('event: state'), some.until('event: state')]);
    expect(all.text()).toContain('"requestId":"r1"');
    expect(all.text()).toContain('"what":"key"');
    expect(some.text()).toContain('"what":"project"');
    expect(some.text()).not.toMatch(/refused|"key"/);
    all.close();
    some.close();
  });

  test('end with the session: by log-out', async () => {
    const stream = await listen(admin);
    await admin.send('DELETE', '/session');
    await stream.ended;
  });

  test('end with the session: by deactivation', async () => {
    const made = await admin.send('POST', '/users', {
      name: 'Bob',
      password: 'correct horse battery',
      roles: ['Viewer'],
    });
    const stream = await listen(await harness.logIn('Bob'));
    await admin.send('PATCH', `/users/${String(made.body['id'])}`, { active: false });
    await stream.ended;
  });

  test('end with the session: by the next heartbeat after it has run out', async () => {
    const stream = await listen(admin);
    vi.advanceTimersByTime(HEARTBEAT_MS);
    await stream.until(': alive');
    harness.clock.ms += SESSION_MS;
    vi.advanceTimersByTime(HEARTBEAT_MS);
    await stream.ended;
  });

  test('end at once when the server stops', async () => {
    const other = await createHarness();
    const stream = await listen(await other.setUp(), other.port);
    await other.close(60_000);
    await stream.ended;
  });

  test('are limited in number, and a closed one makes room', async () => {
    const streams = await Promise.all(Array.from({ length: STREAMS_PER_USER_MAX }, () => listen(admin)));
    await expect(listen(admin)).rejects.toThrow('status 503');
    const [first] = streams;
    first?.close();
    await first?.ended;
    const again = async (): Promise<Stream> => listen(admin).catch(again);
    for (const stream of [...streams, await again()]) stream.close();
  });
});

describe('the OpenAPI document', () => {
  test('describes every call of the table, and only those', async () => {
    const { body } = await harness.nobody.send('GET', '/openapi.json');
    expect(body['openapi']).toBe('3.1.0');
    const paths = body['paths'] as Record<string, Record<string, unknown>>;
    const described = Object.entries(paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method} ${path}`),
    );
    const declared = CALLS.map((call) => `${call.method} ${call.path.replaceAll(/:(\w+)/g, '{$1}')}`);
    expect(described.toSorted()).toEqual(declared.toSorted());
  });

  test('has the same limits as the checks, and unique operation IDs', async () => {
    const { body } = await harness.nobody.send('GET', '/openapi.json');
    const text = JSON.stringify(body);
    expect(body).toMatchObject({
      paths: {
        '/users': {
          post: {
            requestBody: {
              content: {
                'application/json': {
                  schema: { properties: { password: { minLength: 10, maxLength: 1024 } }, additionalProperties: false },
                },
              },
            },
          },
        },
        '/projects/{project}/pipelines/{pipeline}': {
          put: {
            parameters: [{ name: 'project' }, { name: 'pipeline' }, { name: 'passing' }, { name: 'If-Match' }],
            'x-permissions': ['edit_pipelines'],
          },
        },
      },
    });
    const ids = [...text.matchAll(/"operationId":"(\w+)"/g)].map((match) => match[1]);
    expect(new Set(ids).size).toBe(CALLS.length);
  });
});

describe('the UI', () => {
  let dist: string;
  let ui: Harness;
  beforeEach(async () => {
    dist = await mkdtemp(join(tmpdir(), 'dist-'));
    ui = await createHarness({ distDir: dist });
  });
  afterEach(async () => {
    await ui.close();
    await rm(dist, { recursive: true });
  });

  const build = async (): Promise<void> => {
    await mkdir(join(dist, 'assets'));
    await writeFile(
      join(dist, 'index.html'),
      '<meta property="csp-nonce" nonce="__CSP_NONCE__"><script nonce="__CSP_NONCE__"></script>',
    );
    await writeFile(join(dist, 'assets', 'app-1a2b.js'), 'export {};');
    await writeFile(join(dist, 'icon.svg'), '<svg/>');
  };

  test('is one document for every path, with a fresh nonce in page and policy', async () => {
    await build();
    const nonces = new Set<string>();
    for (const path of ['/', '/index.html', '/pipelines/line-7/orders', '/settings/api-keys']) {
      const response = await fetch(ui.base + path, { headers: { accept: 'text/html,*/*;q=0.8' } });
      const policy = response.headers.get('content-security-policy') ?? '';
      const nonce = /script-src 'self' 'nonce-([^']+)'/.exec(policy)?.[1] ?? '';
      expect(await response.text()).toBe(
        `<meta property="csp-nonce" nonce="${nonce}"><script nonce="${nonce}"></script>`,
      );
      expect(policy).toBe(
        `default-src 'none'; script-src 'self' 'nonce-${nonce}'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data:; font-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'`,
      );
      expect(response.headers.get('cache-control')).toBe('no-store');
      nonces.add(nonce);
    }
    expect(nonces.size).toBe(4);
  });

  test('is not sent to a program that requests a path that does not exist', async () => {
    await build();
    expect((await fetch(ui.base)).headers.get('content-type')).toContain('text/html');
    for (const path of ['/health', '/metrics/', '/pipelines/line-7/orders']) {
      const response = await fetch(ui.base + path);
      expect([response.status, response.headers.get('content-type')]).toEqual([
        404,
        'application/problem+json; charset=utf-8',
      ]);
    }
  });

  test('allows caching of hashed assets for a year, of other files never, and returns no missing asset', async () => {
    await build();
    const asset = await fetch(`${ui.base}/assets/app-1a2b.js`);
    expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(asset.headers.get('content-type')).toContain('javascript');
    expect((await fetch(`${ui.base}/icon.svg`)).headers.get('cache-control')).toBe('no-cache');
    expect((await fetch(`${ui.base}/assets/gone.js`)).status).toBe(404);
    expect((await fetch(`${ui.base}/api/v1/gone`)).status).toBe(404);
    expect((await fetch(`${ui.base}/`, { method: 'POST' })).status).toBe(404);
  });

  test('sends nothing from outside its folder, and no dot files', async () => {
    await build();
    await writeFile(join(dist, '.secret'), 'SECRET');
    const outside = join(dist, '..', `outside-${String(ui.port)}.txt`);
    await writeFile(outside, 'SECRET');
    for (const path of [
      `/..%2foutside-${ui.port}.txt`,
      `/assets/..%2f..%2foutside-${ui.port}.txt`,
      '/.secret',
      '/%2esecret',
    ]) {
      expect(await (await fetch(ui.base + path)).text()).not.toContain('SECRET');
    }
    await rm(outside);
  });

  test('that is not built says how to build it', async () => {
    const response = await fetch(ui.base);
    expect(response.status).toBe(503);
    expect(await response.text()).toContain('npm run build:ui');
  });
});

describe('a restored older vault', () => {
  const putBack = () =>
    harness.vault.mutate((db) => {
      for (const name of ['rolled_back_at', 'keys_refused_at'] as const) putMeta(db, name, '2026-03-01T06:00:00.000Z');
    });

  test('is confirmed through the API, permanently and once, and the action is in the journal', async () => {
    await putBack();
    expect((await admin.send('POST', '/vault/confirm')).status).toBe(204);
    expect([harness.vault.rolledBack, keysRefused(harness.vault)]).toEqual([false, false]);
    expect(harness.audit.rows.slice(-2)).toMatchObject([
      { act: 'vault.confirm', user: 'Ada' },
      { act: 'vault.confirm', status: 200 },
    ]);
    const again = await admin.send('POST', '/vault/confirm');
    expect([again.status, again.body['code']]).toEqual([409, 'conflict']);
    expect(harness.audit.rows.at(-1)).toMatchObject({ act: 'vault.confirm', status: 409, code: 'conflict' });
  });

  test('stays unconfirmed while the journal cannot be written, and for users without access_settings', async () => {
    await putBack();
    const engineer = await harness.personWith(admin, 'view', 'edit_pipelines', 'run_pipelines', 'manage_users');
    expect((await engineer.send('POST', '/vault/confirm')).status).toBe(403);
    harness.audit.failFrom = 0;
    expect((await admin.send('POST', '/vault/confirm')).status).toBe(503);
    expect([harness.vault.rolledBack, keysRefused(harness.vault)]).toEqual([true, true]);
  });
});
