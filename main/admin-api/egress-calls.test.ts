import { beforeEach, describe, expect, test } from 'vitest';
import { SluiceError } from '#common/errors/catalogue.ts';
import { NO_NEWS } from '../host/egress-news.testing.ts';
import { eventOf, exportedOf, targetOf } from './egress-double.testing.ts';
import { RETRIES_MAX } from '#common/contract/egress-event.ts';
import { type Answer, type Client, PASSWORD } from './harness.testing.ts';
import { admin, harness, harnessPerTest } from './use-harness.testing.ts';

harnessPerTest();
beforeEach(async () => {
  const { egress } = harness.gateway;
  egress.targets = [targetOf('mes', { dead: 3, queued: 2 }), targetOf('erp', { state: 'paused', reason: '401' })];
  egress.events = [eventOf('e1'), eventOf('e2', { state: 'queued' }), eventOf('e3'), eventOf('e4', { target: 'erp' })];
});

/** Parts of the payload, which responses without `edit_pipelines` must not contain. */
const PAYLOAD = /serial|key-of-|\/reports\?/;

async function withRole(role: string): Promise<Client> {
  await admin.send('POST', '/users', { name: role, password: PASSWORD, roles: [role] });
  return harness.logIn(role);
}

/** A secret of the target for the pipeline only, such as a token. */
const ANSWERED = 'eyJhbGciOiJIUzI1NiJ9-token-of-the-target';
/** Every call that returns a target or an event to users without `edit_pipelines`. */
const TELLING = [
  ['GET', '/egress/targets'],
  ['GET', '/egress/events'],
  ['GET', '/egress/events/e1'],
  ['POST', '/egress/targets/mes/try'],
  ['POST', '/egress/targets/mes/rehearse'],
  ['POST', '/egress/targets/mes/resume'],
  ['POST', '/egress/targets/mes/pause'],
  ['POST', '/egress/events/e1/retry'],
] as const;

const outcomes = (): unknown[] => harness.audit.rows.filter(({ act }) => act?.startsWith('egress.'));

describe('permissions', () => {
  const SHARED = [
    ['GET', '/egress/targets', undefined],
    ['GET', '/egress/buffer', undefined],
    ['GET', '/egress/events', undefined],
    ['GET', '/egress/events/e1', undefined],
  ] as const;
  const RUNNING = [
    ['POST', '/egress/targets/mes/pause', undefined],
    ['POST', '/egress/targets/mes/try', undefined],
    ['POST', '/egress/targets/mes/resume', undefined],
    ['POST', '/egress/events/e1/retry', undefined],
    ['POST', '/egress/events/e3/discard', undefined],
    ['POST', '/egress/targets/mes/retry-dead', undefined],
    ['POST', '/egress/events/retry', { target: 'mes' }],
    ['POST', '/egress/events/discard', { state: 'dead', target: 'mes' }],
  ] as const;
  const EXPORT = [['GET', '/egress/export', undefined]] as const;
  const WRITING = [
    ['PATCH', '/egress/events/e4', { path: '/other' }],
    ['POST', '/egress/import', { events: [exportedOf('e9')] }],
  ] as const;
  const REHEARSING = [['POST', '/egress/targets/mes/rehearse', undefined]] as const;
  const ALL = [...SHARED, ...RUNNING, ...EXPORT, ...WRITING, ...REHEARSING];

  test.each([
    ['Viewer', [...SHARED]],
    ['Operator', [...SHARED, ...RUNNING]],
    ['Engineer', [...SHARED, ...RUNNING, ...EXPORT, ...WRITING]],
    ['Administrator', ALL],
  ])('%s', async (role, allowed) => {
    const client = await withRole(role);
    for (const [method, path, body] of ALL) {
      const expected = allowed.some((one) => one[0] === method && one[1] === path) ? 200 : 403;
      const { status } = await client.send(method, path, body);
      expect([role, method, path, status]).toEqual([role, method, path, expected]);
    }
  });

  test('repairing and importing need both permissions, and exporting needs the one that shows payloads', async () => {
    const runner = await harness.personWith(admin, 'view', 'run_pipelines');
    const editor = await harness.personWith(admin, 'view', 'edit_pipelines');
    for (const client of [runner, editor]) {
      expect((await client.send('PATCH', '/egress/events/e1', { path: '/x' })).status).toBe(403);
      expect((await client.send('POST', '/egress/import', { events: [exportedOf('e9')] })).status).toBe(403);
    }
    expect((await runner.send('GET', '/egress/export')).status).toBe(403);
    expect((await editor.send('GET', '/egress/export')).status).toBe(200);
    expect((await editor.send('POST', '/egress/events/e1/retry')).status).toBe(403);
  });
});

describe('targets', () => {
  test('are listed with their waiting events, and their common buffer is read', async () => {
    const { body } = await admin.send('GET', '/egress/targets');
    expect(body).toMatchObject({
      items: [
        { id: 'mes', dead: 3 },
        { id: 'erp', state: 'paused' },
      ],
      next: null,
    });
    expect((await admin.send('GET', '/egress/buffer')).body).toEqual(harness.gateway.egress.buffer);
  });

  test('are paused and resumed by name, and the journal has the target in plain text', async () => {
    const paused = await admin.send('POST', '/egress/targets/mes/pause');
    expect(paused.body).toMatchObject({ id: 'mes', state: 'paused', pausedBy: 'Ada' });
    expect((await admin.send('POST', '/egress/targets/mes/resume')).body).toMatchObject({ state: 'open' });
    expect(outcomes()).toMatchObject([
      { act: 'egress.pause', target: 'mes', detail: 'https://mes.example:8443', user: 'Ada' },
      { act: 'egress.pause', target: 'mes', status: 200 },
      { act: 'egress.resume', target: 'mes' },
      { act: 'egress.resume', target: 'mes', status: 200 },
    ]);
  });

  test('are tried and rehearsed for the user who asks', async () => {
    await admin.send('POST', '/egress/targets/erp/try');
    const { body } = await admin.send('POST', '/egress/targets/mes/rehearse');
    expect(body['rehearsal']).toMatchObject({ state: 'blocked', by: 'Ada', lost: 0, reordered: 0 });
    const acts = harness.gateway.calls.filter(({ call }) => call === 'egress-target-act').map(({ args }) => args);
    expect(acts).toEqual([
      { target: 'erp', act: 'try', by: 'Ada' },
      { target: 'mes', act: 'rehearse', by: 'Ada' },
    ]);
    expect(outcomes()).toMatchObject([{ act: 'egress.try' }, {}, { act: 'egress.rehearse' }, { status: 200 }]);
  });

  test('that do not exist get 404, and impossible actions get 409 with the reason in the journal', async () => {
    for (const id of ['none', 'x'.repeat(301)])
      expect((await admin.send('POST', `/egress/targets/${id}/pause`)).body['code']).toBe('unknown');
    expect(outcomes()).toEqual([]);
    const answer = await admin.send('POST', '/egress/targets/erp/pause');
    expect(answer).toMatchObject({ status: 409, body: { code: 'conflict', detail: 'It is paused already.' } });
    expect(outcomes()).toMatchObject([{ act: 'egress.pause' }, { act: 'egress.pause', code: 'conflict', status: 409 }]);
  });
});

describe('stored events', () => {
  test('are listed page by page, filtered, and never with the sent data', async () => {
    const first = await admin.send('GET', '/egress/events?state=dead&target=mes&limit=1');
    expect(first.body).toMatchObject({ items: [{ id: 'e1', state: 'dead' }], next: '1' });
    const second = await admin.send('GET', '/egress/events?state=dead&target=mes&limit=1&cursor=1');
    expect(second.body).toMatchObject({ items: [{ id: 'e3' }], next: null });
    expect(JSON.stringify([first.body, second.body])).not.toMatch(PAYLOAD);
    expect(harness.gateway.calls.at(-1)?.args).toMatchObject({ payloads: false, limit: 1 });
  });

  test.each(['state=lost', 'limit=0', 'limit=1001', 'limit=x', 'payloads=true', 'cursor='])(
    'in a list with %s get 400',
    async (query) => {
      expect((await admin.send('GET', `/egress/events?${query}`)).body['code']).toBe('invalid');
    },
  );

  test('show their content only to users who edit pipelines; otherwise the gateway is not asked for it', async () => {
    expect((await admin.send('GET', '/egress/events/e1')).body['payload']).toMatchObject({ text: '{"serial":"e1"}' });
    const operator = await withRole('Operator');
    const { status, body } = await operator.send('GET', '/egress/events/e1');
    expect([status, body['id'], body['payload']]).toEqual([200, 'e1', null]);
    expect(JSON.stringify(body)).not.toMatch(PAYLOAD);
    expect(harness.gateway.calls.at(-1)).toEqual({ call: 'egress-event', args: { event: 'e1', payload: false } });
  });

  test('do not show the responses of a target, nor do targets, to users without "edit_pipelines", whatever they do', async () => {
    const { egress } = harness.gateway;
    const lastAnswer = { at: '2026-03-01T05:00:00.000Z', status: 422, text: ANSWERED, durationMs: 9 };
    egress.targets = [targetOf('mes', { state: 'paused', lastAnswer })];
    egress.events = [eventOf('e1', { lastAnswer, tries: [lastAnswer, lastAnswer] })];
    const operator = await harness.personWith(admin, 'view', 'run_pipelines', 'access_settings');
    const editor = await harness.personWith(admin, 'view', 'edit_pipelines');
    for (const path of ['/egress/targets', '/egress/events', '/egress/events/e1'])
      expect(JSON.stringify((await editor.send('GET', path)).body)).toContain(ANSWERED);
    for (const [method, path] of TELLING) {
      const { status, body } = await operator.send(method, path);
      const text = JSON.stringify(body);
      expect([path, status, text.includes(ANSWERED)]).toEqual([path, 200, false]);
      expect(text).toContain('"status":422,"text":""');
    }
  });

  test("tell every user why no response came, in Sluice's own words", async () => {
    const { egress } = harness.gateway;
    const lastAnswer = { at: '2026-03-01T05:00:00.000Z', status: null, text: 'no route to host', durationMs: 9 };
    egress.targets = [targetOf('mes', { lastAnswer })];
    egress.events = [eventOf('e1', { lastAnswer })];
    const viewer = await withRole('Viewer');
    for (const path of ['/egress/targets', '/egress/events', '/egress/events/e1'])
      expect(JSON.stringify((await viewer.send('GET', path)).body)).toContain('no route to host');
  });

  test('are retried: the response is the event afterwards, and the journal names it', async () => {
    const { body } = await admin.send('POST', '/egress/events/e1/retry');
    expect(body).toMatchObject({ id: 'e1', state: 'queued', diedAt: null });
    expect(outcomes()).toMatchObject([
      { act: 'egress.retry', target: 'e1', project: 'line-7', pipeline: 'reports' },
      { status: 200, detail: expect.stringContaining('POST to https://mes.example:8443 from node to-mes') },
    ]);
  });

  test('are discarded: the response is null, since they are removed', async () => {
    expect(await admin.send('POST', '/egress/events/e1/discard')).toMatchObject({ status: 200, body: null });
    expect((await admin.send('GET', '/egress/events/e1')).status).toBe(404);
    expect(outcomes()).toMatchObject([{ act: 'egress.discard', target: 'e1' }, { status: 200 }]);
  });

  test('that do not exist get 404, and events that are not dead letters get 409', async () => {
    for (const act of ['retry', 'discard']) {
      expect((await admin.send('POST', `/egress/events/none/${act}`)).body['code']).toBe('unknown');
      expect((await admin.send('POST', `/egress/events/e2/${act}`)).body['code']).toBe('conflict');
    }
    expect((await admin.send('GET', '/egress/events/none')).body['code']).toBe('unknown');
    expect((await admin.send('PATCH', '/egress/events/none', { path: '/x' })).body['code']).toBe('unknown');
  });

  test('can be edited, and the journal has the names of the changed fields, not the values', async () => {
    const edit = { path: '/reports?line=8', contentType: null, base64: 'AAEC', text: null };
    const { status, body } = await admin.send('PATCH', '/egress/events/e1', edit);
    expect([status, body['payload']]).toMatchObject([200, { ...edit, idempotencyKey: 'key-of-e1-edited' }]);
    expect(harness.gateway.calls.at(-1)).toEqual({ call: 'egress-edit', args: { event: 'e1', edit } });
    expect(outcomes()).toMatchObject([
      { act: 'egress.edit', target: 'e1', detail: expect.stringMatching(/changed: path, contentType, text, base64$/) },
      { status: 200 },
    ]);
  });

  test.each([
    ['nothing', {}, ''],
    ['two bodies', { text: 'a', base64: 'AAEC' }, 'base64'],
    ['bytes that are not base64', { base64: 'AAE' }, 'base64'],
    ['an invalid path', { path: 'reports' }, 'path'],
    ['a path with a line break', { path: '/a\r\nHost: x' }, 'path'],
    ['a path with a fragment', { path: '/a#b' }, 'path'],
    ['a path that is not percent-encoded', { path: '/ü' }, 'path'],
    ['a content type with a line break', { contentType: 'text/plain\r\nx: y' }, 'contentType'],
    ['a content type of another script', { contentType: 'text/ü' }, 'contentType'],
    ['a custom Idempotency-Key', { path: '/x', idempotencyKey: 'x' }, ''],
    ['another target', { path: '/x', origin: 'https://evil.example:443' }, ''],
  ])('are not repaired with %s, and the field is named', async (_what, edit, path) => {
    expect(await admin.send('PATCH', '/egress/events/e1', edit)).toMatchObject({
      status: 400,
      body: { code: 'invalid', errors: [{ path }] },
    });
    expect(outcomes()).toEqual([]);
  });
});

describe('the dead letters of a target', () => {
  const retryDead = (): Promise<Answer> => admin.send('POST', '/egress/targets/mes/retry-dead');
  const acted = (): unknown[] =>
    harness.gateway.calls.filter(({ call }) => call === 'egress-event-act').map(({ args }) => args);

  /** Two are dead; the gateway refuses to retry one of them. */
  function refusing(id: string, error: SluiceError): void {
    const { egress } = harness.gateway;
    const act = egress.handlers['egress-event-act'];
    egress.targets[0] = targetOf('mes', { dead: 2 });
    egress.handlers['egress-event-act'] = (args) => {
      if (args.event === id) throw error;
      return act(args);
    };
  }

  test('are retried one by one, oldest first, without those of other targets', async () => {
    harness.gateway.egress.targets[0] = targetOf('mes', { dead: 2 });
    expect((await retryDead()).body).toEqual({ retried: 2, left: 0 });
    expect(acted()).toEqual(['e1', 'e3'].map((event) => ({ event, act: 'retry' })));
    expect(outcomes()).toMatchObject([
      { act: 'egress.retry-dead', target: 'mes' },
      { status: 200, detail: 'https://mes.example:8443; 2 retried, 0 left' },
    ]);
  });

  test('are limited per call, and the rest is reported', async () => {
    const { egress } = harness.gateway;
    egress.events = Array.from({ length: RETRIES_MAX + 5 }, (_, index) => eventOf(`e${index}`));
    egress.targets = [targetOf('mes', { dead: RETRIES_MAX + 5 })];
    expect((await retryDead()).body).toEqual({ retried: RETRIES_MAX, left: 5 });
    egress.targets = [targetOf('mes', { dead: 5 })];
    expect((await retryDead()).body).toEqual({ retried: 5, left: 0 });
  });

  test('that disappeared in the meantime are skipped', async () => {
    refusing('e1', new SluiceError('unknown', 'There is no such event.'));
    expect((await retryDead()).body).toEqual({ retried: 1, left: 0 });
  });

  test('that cannot be retried are left, and the reason is returned if no other could be', async () => {
    refusing('e1', new SluiceError('conflict', 'Nothing says how this event is sent: start the pipeline.'));
    expect((await retryDead()).body).toEqual({ retried: 1, left: 1 });
    expect(await retryDead()).toMatchObject({ status: 409, body: { detail: expect.stringContaining('start the') } });
  });

  test('are reported as far as they came if the gateway fails half-way, with an error if nothing was done', async () => {
    refusing('e3', new SluiceError('gateway_down', 'down'));
    expect((await retryDead()).body).toEqual({ retried: 1, left: 1 });
    expect(outcomes().at(-1)).toMatchObject({ detail: expect.stringContaining('1 retried, 1 left') });
    expect(await retryDead()).toMatchObject({ status: 503, body: { code: 'gateway_down' } });
  });
});

describe('many events of a filter', () => {
  test('are retried: one row for the act, and one for each event with its outcome', async () => {
    const { egress } = harness.gateway;
    const act = egress.handlers['egress-event-act'];
    egress.handlers['egress-event-act'] = (args) => {
      if (args.event === 'e3') throw new SluiceError('conflict', 'Nothing says how this event is sent.');
      if (args.event === 'e4') throw new SluiceError('unknown', 'There is no such event.');
      return act(args);
    };
    const { status, body } = await admin.send('POST', '/egress/events/retry', {});
    expect([status, body]).toEqual([
      200,
      { done: 1, gone: 1, refused: [{ event: 'e3', reason: 'Nothing says how this event is sent.' }], next: null },
    ]);
    expect(outcomes()).toMatchObject([
      { act: 'egress.retry-many', detail: 'dead letters of all targets, at most 200' },
      { act: 'egress.retry', target: 'e1', status: 200 },
      { act: 'egress.retry', target: 'e3', status: 409, code: 'conflict' },
      { act: 'egress.retry-many', status: 200, detail: expect.stringContaining('1 done, 1 refused') },
    ]);
  });

  test('are discarded up to the limit, of one target, and the rest from the cursor on', async () => {
    const first = await admin.send('POST', '/egress/events/discard', { state: 'dead', target: 'mes', limit: 1 });
    expect(first.body).toEqual({ done: 1, gone: 0, refused: [], next: '1' });
    expect(harness.gateway.egress.events.map(({ id }) => id)).toEqual(['e2', 'e3', 'e4']);
    expect(harness.gateway.calls.find(({ call }) => call === 'egress-events')?.args).toMatchObject({
      state: 'dead',
      target: 'mes',
      limit: 1,
      payloads: false,
    });
  });

  test('stay as they are if the body is invalid, and the field is named', async () => {
    for (const [path, body] of [
      ['limit', { state: 'dead', limit: 201 }],
      ['state', {}],
      ['state', { state: 'lost' }],
    ] as const)
      expect((await admin.send('POST', '/egress/events/discard', body)).body).toMatchObject({ errors: [{ path }] });
    expect(harness.gateway.calls).toEqual([]);
  });

  test('have their rows as far as they came if the gateway fails half-way', async () => {
    const { egress } = harness.gateway;
    const act = egress.handlers['egress-event-act'];
    egress.handlers['egress-event-act'] = (args) => {
      if (args.event === 'e3') throw new SluiceError('gateway_down', 'down');
      return act(args);
    };
    expect((await admin.send('POST', '/egress/events/retry', {})).body['code']).toBe('gateway_down');
    expect(outcomes()).toMatchObject([
      { act: 'egress.retry-many' },
      { act: 'egress.retry', target: 'e1', status: 200 },
      { act: 'egress.retry-many', code: 'gateway_down' },
    ]);
  });
});

const ACTS = [
  ['POST', '/egress/targets/mes/pause', undefined],
  ['POST', '/egress/targets/mes/try', undefined],
  ['POST', '/egress/targets/mes/rehearse', undefined],
  ['POST', '/egress/targets/mes/retry-dead', undefined],
  ['POST', '/egress/events/e1/retry', undefined],
  ['POST', '/egress/events/e1/discard', undefined],
  ['POST', '/egress/events/retry', { target: 'erp' }],
  ['POST', '/egress/events/discard', { state: 'dead', target: 'mes', limit: 1 }],
  ['PATCH', '/egress/events/e1', { text: '{"serial":"new"}' }],
  ['POST', '/egress/import', { events: [exportedOf('e9')] }],
  ['GET', '/egress/export', undefined],
] as const;
const CHANGING = new Set(['egress-target-act', 'egress-event-act', 'egress-edit', 'egress-import']);

test.each(ACTS)('%s %s does nothing while the journal cannot be written', async (method, path, body) => {
  harness.audit.failFrom = 0;
  expect(await admin.send(method, path, body)).toMatchObject({ status: 503, body: { code: 'audit_unavailable' } });
  expect(harness.gateway.calls.filter(({ call }) => CHANGING.has(call))).toEqual([]);
});

test.each([...ACTS, ['GET', '/egress/targets', undefined], ['GET', '/egress/buffer', undefined]] as const)(
  '%s %s gets 503 gateway_down without a gateway',
  async (method, path, body) => {
    harness.gateway.refusal = new SluiceError('gateway_down', 'The gateway is not answering.');
    expect(await admin.send(method, path, body)).toMatchObject({ status: 503, body: { code: 'gateway_down' } });
  },
);

test('sent data is never written to the journal or the log', async () => {
  for (const [method, path, body] of ACTS) await admin.send(method, path, body);
  expect(outcomes().length).toBeGreaterThan(2 * ACTS.length - 3);
  expect(JSON.stringify([outcomes(), harness.logged])).not.toMatch(PAYLOAD);
});

test('the live stream of a Viewer contains updates of the gateway, and actions of users', async () => {
  const viewer = await withRole('Viewer');
  const leave = new AbortController();
  const { body } = await fetch(`${harness.base}/api/v1/events`, {
    headers: viewer.headers,
    signal: leave.signal,
  });
  harness.gateway.emit({ kind: 'egress', egress: { ...NO_NEWS, dead: 4, filled: 0.1 } });
  await admin.send('POST', '/egress/targets/mes/pause');
  let text = '';
  const heard = ['event: egress\ndata: {"kind":"egress","egress":{"paused":[],"dead":4', '"changed","what":"egress"'];
  for await (const part of body ?? []) {
    text += Buffer.from(part).toString();
    if (heard.every((wanted) => text.includes(wanted))) break;
  }
  leave.abort();
});
