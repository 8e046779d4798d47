import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { describe, expect, test, vi } from 'vitest';
import { until } from '#test/until.ts';
import { SluiceError } from '#common/errors/catalogue.ts';
import { eventOf, exportedOf } from './egress-double.testing.ts';
import { type Answer, type Client } from './harness.testing.ts';
import { admin, harness, harnessPerTest } from './use-harness.testing.ts';
import { READER_WAIT_MS } from './write-out.ts';

harnessPerTest();

const rows = (): unknown[] => harness.audit.rows.filter(({ act }) => act?.startsWith('egress.'));
const ids = (answer: Answer): string[] =>
  String(answer.body['text'])
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => String((JSON.parse(line) as { id: unknown }).id));

function stored(count: number): void {
  harness.gateway.egress.events = Array.from({ length: count }, (_, index) => eventOf(`e${index}`));
}

const MIB = 1024 * 1024;

/** Events with bodies of `bytes` each, as pages of one: far more than the sockets hold. */
function storedWide(count: number, bytes: number): void {
  const text = 'x'.repeat(bytes);
  harness.gateway.egress.events = Array.from({ length: count }, (_, index) => {
    const event = eventOf(`e${index}`);
    return { ...event, payload: event.payload && { ...event.payload, text } };
  });
  harness.gateway.egress.pageMax = 1;
}

/** A response of which nothing has been read yet. */
async function exportOf(client: Client): Promise<IncomingMessage> {
  const request = get(`${harness.base}/api/v1/egress/export`, { headers: client.headers });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response;
}

/** How much is received until it ends or is cut. */
async function readAll(response: IncomingMessage): Promise<{ bytes: number; whole: boolean }> {
  let bytes = 0;
  try {
    for await (const chunk of response) bytes += (chunk as Buffer).byteLength;
  } catch {
    return { bytes, whole: false };
  }
  return { bytes, whole: response.complete };
}

async function standsStill(): Promise<void> {
  let before = -1;
  const asked = (): number => harness.gateway.calls.length;
  await until('the export waits for its reader', () => before === (before = asked()), { everyMs: 200 });
}

async function deactivate(name: RegExp): Promise<void> {
  const users = (await admin.send('GET', '/users')).body['items'] as { id: string; name: string }[];
  for (const user of users) if (name.test(user.name)) await admin.send('PATCH', `/users/${user.id}`, { active: false });
}

describe('an export', () => {
  test('contains every dead letter, one per line, with its content and nothing else', async () => {
    harness.gateway.egress.events = [
      eventOf('e1'),
      eventOf('e2', { state: 'queued' }),
      eventOf('e3', { target: 'erp' }),
    ];
    const answer = await admin.send('GET', '/egress/export');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/jsonl; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename=events-dead.jsonl');
    expect(answer.body['text']).toBe(`${JSON.stringify(exportedOf('e1'))}\n${JSON.stringify(exportedOf('e3'))}\n`);
    expect(ids(await admin.send('GET', '/egress/export?target=mes'))).toEqual(['e1']);
    expect(ids(await admin.send('GET', '/egress/export?state=queued'))).toEqual(['e2']);
    expect((await admin.send('GET', '/egress/export?state=all')).status).toBe(400);
  });

  test('goes page by page to its end, and the journal has the number of events', async () => {
    stored(950);
    harness.gateway.egress.pageMax = 70;
    const answer = await admin.send('GET', '/egress/export');
    expect(ids(answer)).toEqual(Array.from({ length: 950 }, (_, index) => `e${index}`));
    expect(rows()).toMatchObject([
      { act: 'egress.export', target: 'all targets', detail: 'state dead' },
      { act: 'egress.export', status: 200, detail: 'state dead; 950 events' },
    ]);
  });

  test('of nothing is empty', async () => {
    expect(ids(await admin.send('GET', '/egress/export'))).toEqual([]);
    expect(rows().at(-1)).toMatchObject({ detail: 'state dead; 0 events' });
  });

  test('requests no more pages than its reader takes', async () => {
    storedWide(200, MIB / 2);
    const asked = (): number => harness.gateway.calls.length;
    const leave = new AbortController();
    const reading = await fetch(`${harness.base}/api/v1/egress/export`, {
      headers: admin.headers,
      signal: leave.signal,
    });
    // The part that fits into the sockets is requested; then it stops, long before the end.
    await standsStill();
    expect(asked()).toBeLessThan(150);
    leave.abort();
    await expect(reading.text()).rejects.toThrow();
    await until('its end is in the journal', () => rows().length === 2);
    expect(rows()[1]).not.toMatchObject({ status: 200 });
  });

  test.each([
    ['between two events', 400, MIB / 4],
    ['within an event', 1, 100 * MIB],
  ])('ends %s with the session of the user who started it, which the journal records', async (_where, events, each) => {
    storedWide(events, each);
    const editor = await harness.personWith(admin, 'view', 'edit_pipelines');
    const response = await exportOf(editor);
    await standsStill();
    // The editor stops reading; meanwhile an Administrator deactivates the account.
    await deactivate(/^person /);
    expect((await editor.send('GET', '/egress/targets')).status).toBe(401);
    const { bytes, whole } = await readAll(response);
    expect(whole).toBe(false);
    expect(bytes).toBeLessThan(50 * MIB);
    await until('its end is in the journal', () => rows().length === 2);
    expect(rows()[1]).toMatchObject({
      act: 'egress.export',
      code: 'no_session',
      status: 401,
      detail: expect.stringMatching(/^state dead; cut after at most \d+ events: The session .* has ended\.$/),
    });
  });

  test('ends when the user may no longer see sent data', async () => {
    stored(4);
    harness.gateway.egress.pageMax = 2;
    const { handlers } = harness.gateway.egress;
    const list = handlers['egress-events'];
    const { people } = harness.deps;
    const { session } = people;
    handlers['egress-events'] = (args) => {
      if (args.cursor !== null)
        people.session = (cookie) => {
          const found = session(cookie);
          return found && { ...found, permissions: new Set(['view'] as const) };
        };
      return list(args);
    };
    await expect(admin.send('GET', '/egress/export')).rejects.toThrow();
    expect(rows().at(-1)).toMatchObject({ act: 'egress.export', code: 'permission_missing' });
  });

  test('whose reader stops reading is cut off', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      storedWide(200, MIB / 2);
      const response = await exportOf(admin);
      await standsStill();
      vi.advanceTimersByTime(READER_WAIT_MS - 1);
      await standsStill();
      expect(rows()).toHaveLength(1);
      vi.advanceTimersByTime(1);
      await until('its end is in the journal', () => rows().length === 2);
      expect(rows()[1]).toMatchObject({
        detail: expect.stringMatching(/cut after .*: The reader took nothing for 60 s/),
      });
      expect((await readAll(response)).whole).toBe(false);
    } finally {
      vi.useRealTimers();
    }
  });

  test('that fails half-way is cut off, so that nobody mistakes it for complete', async () => {
    stored(4);
    harness.gateway.egress.pageMax = 2;
    const { handlers } = harness.gateway.egress;
    const list = handlers['egress-events'];
    handlers['egress-events'] = (args) => {
      if (args.cursor !== null) throw new SluiceError('gateway_down', 'down');
      return list(args);
    };
    await expect(admin.send('GET', '/egress/export')).rejects.toThrow();
    expect(rows().at(-1)).toMatchObject({ act: 'egress.export', code: 'gateway_down' });
  });

  test('with an unreadable event is refused', async () => {
    harness.gateway.egress.events = [eventOf('e1'), eventOf('e2', { payload: null })];
    expect((await admin.send('GET', '/egress/export')).status).toBe(500);
  });

  test('is limited to two at a time', async () => {
    const { call } = harness.gateway;
    const gate = Promise.withResolvers<void>();
    let waiting = 0;
    harness.gateway.call = async (name, args) => {
      if (name === 'egress-events') {
        waiting++;
        await gate.promise;
      }
      return call(name, args);
    };
    const two = [admin.send('GET', '/egress/export'), admin.send('GET', '/egress/export')];
    await until('both wait for the gateway', () => waiting === 2);
    expect((await admin.send('GET', '/egress/export')).body['code']).toBe('conflict');
    gate.resolve();
    expect((await Promise.all(two)).map(({ status }) => status)).toEqual([200, 200]);
    expect((await admin.send('GET', '/egress/export')).status).toBe(200);
  });
});

const LINES = { 'content-type': 'application/jsonl' };
const sendLines = (text: string): Promise<Answer> => admin.send('POST', '/egress/import', text, LINES);
const imports = (): unknown[] => harness.gateway.calls.filter(({ call }) => call === 'egress-import');

describe('an import', () => {
  test('accepts the output of an export, and skips existing events', async () => {
    stored(3);
    const { body } = await admin.send('GET', '/egress/export');
    harness.gateway.egress.events.splice(1);
    const answer = await sendLines(String(body['text']));
    expect([answer.status, answer.body]).toEqual([200, { imported: 2, skipped: 1 }]);
    expect(harness.gateway.egress.events.map(({ id }) => id)).toEqual(['e0', 'e1', 'e2']);
    expect(rows().slice(-2)).toMatchObject([
      { act: 'egress.import', target: 'https://mes.example:8443', detail: '3 events of line-7/reports' },
      { act: 'egress.import', status: 200, detail: '2 events of line-7/reports; 1 were there already' },
    ]);
  });

  test('names its targets and pipelines in the journal, the first of them if there are many', async () => {
    const events = Array.from({ length: 14 }, (_, index) => {
      const pipeline = `reports-${Math.floor(index / 2)}`;
      return { ...exportedOf(`e${index}`), pipeline, origin: `https://mes-${index}.example:8443` };
    });
    const more = Array.from({ length: 6 }, (_, index) => ({
      ...exportedOf(`f${index}`),
      project: `line-${index + 10}`,
    }));
    expect((await admin.send('POST', '/egress/import', { events: [...events, ...more] })).status).toBe(200);
    const named = [0, 1, 2, 3, 4, 5, 6].map((index) => `line-7/reports-${index}`);
    const told = `${[...named, ...[10, 11, 12].map((line) => `line-${line}/reports`)].join(', ')} and 3 more`;
    expect(rows().slice(-2)).toMatchObject([
      { target: expect.stringMatching(/mes-4.example:8443 and 10 more$/), detail: `20 events of ${told}` },
      { status: 200, detail: `20 events of ${told}; 0 were there already` },
    ]);
  });

  test('accepts JSON too, and lines with the type that some tools use', async () => {
    expect((await admin.send('POST', '/egress/import', { events: [exportedOf('e1')] })).status).toBe(200);
    const line = JSON.stringify(exportedOf('e2'));
    const type = { 'content-type': 'application/x-ndjson; charset=utf-8' };
    expect((await admin.send('POST', '/egress/import', `\r\n${line}\r\n\n`, type)).body).toMatchObject({ imported: 1 });
    const other = await admin.send('POST', '/egress/import', line, { 'content-type': 'text/plain' });
    expect([other.status, other.body['detail']]).toEqual([415, expect.stringContaining('application/jsonl')]);
  });

  test('names every invalid line, by its number in the file, and its field; nothing is stored', async () => {
    const good = exportedOf('e1');
    const { payload } = good;
    const lines = [
      good,
      { ...good, origin: 'https://mes.example' },
      null,
      { ...good, payload: { ...payload, path: 'x', base64: 'AAEC' } },
      { ...good, headers: { Authorization: 'x' } },
      { ...good, payload: undefined },
    ].map((line) => JSON.stringify(line));
    const text = ['', ...lines, '{"id":', `{"__proto__":{},"id":"e"}`].join('\n');
    const { status, body } = await sendLines(text);
    expect(status).toBe(400);
    const errors = body['errors'] as { path: string; message: string }[];
    expect(errors.map(({ path }) => path)).toEqual([
      'line 3, origin',
      'line 4',
      'line 5, payload.path',
      'line 5, payload.base64',
      'line 6',
      'line 7, payload',
      'line 8',
      'line 9',
    ]);
    expect(errors[4]?.message).toBe('unknown field "headers"');
    expect(errors[1]?.message).toBe('expected an exported event');
    expect([imports(), rows()]).toEqual([[], []]);
  });

  test.each([
    ['an id with a space', { id: 'e 1' }, 'id'],
    ['no id', { id: '' }, 'id'],
    ['a user in the target', { origin: 'https://a:b@mes.example:8443' }, 'origin'],
    ['a path in the target', { origin: 'https://mes.example:8443/x' }, 'origin'],
    ['a project that cannot be', { project: '../x' }, 'project'],
    ['a method that no node may use', { method: 'TRACE' }, 'method'],
    ['an invalid time', { acceptedAt: 'yesterday' }, 'acceptedAt'],
  ])('with %s is refused by name', async (_what, part, field) => {
    const event = { ...exportedOf('e1'), ...part };
    expect(await admin.send('POST', '/egress/import', { events: [event] })).toMatchObject({
      status: 400,
      body: { errors: [{ path: `events.0.${field}` }] },
    });
  });

  test.each(['idempotencyKey', 'contentType', 'traceparent'])('with a line break in %s is refused', async (field) => {
    const event = exportedOf('e1');
    const wrong = { ...event, payload: { ...event.payload, [field]: 'a\r\nx: y' } };
    expect(await sendLines(JSON.stringify(wrong))).toMatchObject({
      status: 400,
      body: { errors: [{ path: `line 1, payload.${field}` }] },
    });
  });

  test('is refused if it has no events, too many lines or too many bytes', async () => {
    expect((await sendLines('\n')).body['errors']).toMatchObject([{ path: 'events' }]);
    expect((await admin.send('POST', '/egress/import', {})).body['errors']).toMatchObject([{ path: 'events' }]);
    const line = `${JSON.stringify(exportedOf('e1'))}\n`;
    expect((await sendLines(line.repeat(10_001))).body['errors']).toMatchObject([{ path: 'line 10001' }]);
    expect((await sendLines(' '.repeat(24 * 1024 * 1024 + 1))).status).toBe(413);
    expect(imports()).toEqual([]);
  });

  test('is the only call that accepts lines', async () => {
    const answer = await admin.send('PATCH', '/egress/events/e1', '{"path":"/x"}', LINES);
    expect(answer.status).toBe(415);
  });

  test('is in the OpenAPI document with both forms', async () => {
    const { body } = await harness.nobody.send('GET', '/openapi.json');
    const paths = body['paths'] as Record<string, { post: { requestBody: { content: object } } }>;
    expect(Object.keys(paths['/egress/import']?.post.requestBody.content ?? {})).toEqual([
      'application/json',
      'application/jsonl',
    ]);
  });
});
