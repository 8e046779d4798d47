import { beforeAll, describe, expect, test, vi } from 'vitest';
import { SCOPES } from '#common/scopes.ts';
import { PATIENT_WAIT } from '#test/until.ts';
import { type Answer, type Client } from './harness.testing.ts';
import { admin, harness, harnessPerFile } from './use-harness.testing.ts';

/**
 * The rules of starts (docs/spec/users.md#approval-of-starts): every kind of privilege widening by a revision, against
 * every way to start it, by an Engineer and by an Administrator.
 */
let engineer: Client;
harnessPerFile({ project: { id: 'line-7', name: 'Line 7' } });
beforeAll(async () => {
  engineer = await harness.personWith(admin, 'edit_pipelines', 'run_pipelines', 'view', 'view_audit');
});

type Body = Record<string, unknown>;
const PIPELINES = '/projects/line-7/pipelines';
let made = 0;

interface Way {
  what: string;
  /** With the defaults of docs/spec/routes.md#settings, or stricter. */
  narrow: Body;
  wide: Body;
  /** The text of the 403. */
  says: string;
}

const route = (settings: Body = {}, more: Body = {}): Body => ({
  nodes: [{ id: 'in', kind: 'rest-api', settings: { mode: 'ingress', method: 'POST', urlPattern: '/a', ...settings } }],
  ...more,
});
const trigger = (kind: string, settings: Body, more: Body = {}): Body => ({
  nodes: [{ id: 'in', kind, settings }],
  ...more,
});

const TRIGGERS: [string, Body][] = [
  ['timer', { every: 60 }],
  ['message-in', { channel: 'orders' }],
  ['tag-change', { tags: ['a/b'] }],
];

const WAYS: Way[] = [
  { what: 'a public route', narrow: route(), wide: route({ authType: 'none' }), says: 'adds the public route POST /a' },
  { what: 'runAs', narrow: route(), wide: route({}, { runAs: 'pipeline' }), says: 'sets runAs to "pipeline"' },
  {
    what: 'runAs beside an approved grant',
    narrow: route({}, { grants: [] }),
    wide: route({}, { runAs: 'pipeline', grants: ['db:write'] }),
    says: 'adds the grant db:write',
  },
  { what: 'size', narrow: route(), wide: route({ maxPayloadSize: '2 MB' }), says: 'raises the max payload size' },
  {
    what: 'origins',
    narrow: route(),
    wide: route({ corsEnabled: true, allowedOrigins: ['https://hmi'] }),
    says: 'the origin https://hmi',
  },
  ...['Cookie', 'authorization', 'Proxy-Authorization'].map((name) => ({
    what: `the header ${name}`,
    narrow: route({ headerWhitelist: 'X-Trace' }),
    wide: route({ headerWhitelist: ['X-Trace', name] }),
    says: `hands the header ${name.toLowerCase()} to the pipeline`,
  })),
  ...SCOPES.map((scope) => ({
    what: `the grant ${scope}`,
    narrow: route(),
    wide: route({}, { grants: [scope] }),
    says: `adds the grant ${scope}`,
  })),
  ...TRIGGERS.map(([kind, settings]) => ({
    what: `a grant of a pipeline begun by ${kind} alone`,
    narrow: trigger(kind, settings),
    wide: trigger(kind, settings, { grants: ['tag:write'] }),
    says: 'adds the grant tag:write',
  })),
];

/**
 * Compared with the defaults these are not widenings: a new route may have them, but an approved one must not get them.
 */
const ONLY_AGAINST_APPROVED: Way[] = [
  ...SCOPES.map((scope) => ({
    what: `the required scope ${scope} dropped`,
    narrow: route({ requiredScopes: [scope] }),
    wide: route({ requiredScopes: [] }),
    says: `drops the required scope ${scope}`,
  })),
  { what: 'addresses', narrow: route({ allowedIps: '10.0.0.0/8' }), wide: route(), says: 'allows any address' },
  {
    what: 'rate',
    narrow: route({ rateLimit: 5 }),
    wide: route(),
    says: 'raises the rate limit from 5 a second to off',
  },
  {
    what: 'burst',
    narrow: route({ rateLimit: 5 }),
    wide: route({ rateLimit: 5, burstLimit: 10 }),
    says: 'raises the burst',
  },
];

class Pipeline {
  readonly id = `p${++made}`;
  readonly path = `${PIPELINES}/${this.id}`;

  async save(body: Body, by = engineer): Promise<number> {
    const exists = harness.projects.pipeline('line-7', this.id) !== null;
    const sent = { id: this.id, name: this.id, ...this.#ofItsOwn(body) };
    const answer = await by.send(exists ? 'PUT' : 'POST', exists ? this.path : PIPELINES, sent);
    expect(answer.status).toBe(exists ? 200 : 201);
    return Number(answer.body['revision']);
  }

  /** Approvals of a route outlive a pipeline: no two of them share the path. */
  #ofItsOwn(body: Body): Body {
    return JSON.parse(JSON.stringify(body).replaceAll('"/a"', `"/a/${this.id}"`));
  }

  start(by: Client, revision?: number): Promise<Answer> {
    return by.send('POST', `${this.path}/start`, revision === undefined ? {} : { revision });
  }

  async started(by: Client, revision?: number): Promise<void> {
    expect((await this.start(by, revision)).status).toBe(200);
  }

  async refused(says: string, revision?: number): Promise<void> {
    const before = harness.projects.pipeline('line-7', this.id);
    const changes = harness.gateway.changes.length;
    const answer = await this.start(engineer, revision);
    expect([answer.status, answer.body['code'], answer.body['detail']]).toEqual([
      403,
      'permission_missing',
      expect.stringContaining(says),
    ]);
    expect(harness.projects.pipeline('line-7', this.id)).toEqual(before);
    expect(harness.gateway.changes).toHaveLength(changes);
  }

  stop = (): Promise<Answer> => engineer.send('POST', `${this.path}/stop`);
  restore = (revision: number): Promise<Answer> => engineer.send('POST', `${this.path}/revisions/${revision}/restore`);
  approved = (): number | null => harness.projects.pipeline('line-7', this.id)?.approvedRevision ?? null;
}

describe.each(WAYS)('$what, in a new pipeline', ({ narrow, wide, says }) => {
  test('is not started by an Engineer, regardless of its author, and is by an Administrator', async () => {
    const pipeline = new Pipeline();
    await pipeline.save(wide, admin);
    await pipeline.refused(says);
    await pipeline.save(wide);
    await pipeline.refused(says);
    await pipeline.started(admin);
    expect(pipeline.approved()).toBe(2);
  });

  test('is not started by an Engineer after a narrower one that nobody else approved', async () => {
    const pipeline = new Pipeline();
    const first = await pipeline.save(narrow);
    await pipeline.started(engineer);
    expect(pipeline.approved()).toBeNull();
    const second = await pipeline.save(wide);
    await pipeline.refused(says);
    await pipeline.refused(says, second);
    await pipeline.started(engineer, first);
  });
});

describe.each([...WAYS, ...ONLY_AGAINST_APPROVED])(
  '$what, against an approved narrower one',
  ({ narrow, wide, says }) => {
    test('is not started by an Engineer: as a draft, by number, restored, after a stop or after their own narrow start', async () => {
      const pipeline = new Pipeline();
      const wideOne = await pipeline.save(wide);
      const narrowOne = await pipeline.save(narrow);
      await pipeline.started(admin);
      await pipeline.refused(says, wideOne);
      expect((await pipeline.restore(wideOne)).status).toBe(200);
      await pipeline.refused(says);
      expect((await pipeline.stop()).status).toBe(200);
      await pipeline.refused(says);
      await pipeline.started(engineer, narrowOne);
      await pipeline.refused(says);
      expect(pipeline.approved()).toBe(narrowOne);
    });
  },
);

describe.each([...WAYS, ...ONLY_AGAINST_APPROVED])('$what, once approved', ({ narrow, wide, says }) => {
  test('is started again by an Engineer: swapped, stopped and started, restored or saved again, until a narrower one is approved', async () => {
    const pipeline = new Pipeline();
    const narrowOne = await pipeline.save(narrow, admin);
    const wideOne = await pipeline.save(wide, admin);
    await pipeline.started(admin);
    await pipeline.started(engineer);
    await pipeline.stop();
    await pipeline.started(engineer, wideOne);
    // A stricter start by them does not change the approved state.
    await pipeline.started(engineer, narrowOne);
    await pipeline.started(engineer, wideOne);
    await pipeline.restore(wideOne);
    await pipeline.started(engineer);
    await pipeline.save({ ...wide, name: 'Another name' });
    await pipeline.started(engineer);
    expect(pipeline.approved()).toBe(wideOne);
    await pipeline.started(admin, narrowOne);
    await pipeline.refused(says);
    await pipeline.refused(says, wideOne);
  });
});

const TIGHT = route({ requiredScopes: ['db:write'], rateLimit: 5, urlPattern: '/tight' });
const ROUND: [string, Body][] = [
  ['the same route', { urlPattern: '/tight' }],
  ['every method', { urlPattern: '/tight', method: '*' }],
  ['a parameter in its place', { urlPattern: '/:any' }],
];
describe.each(ROUND)('an approved narrow route and %s at the defaults', (_what, settings) => {
  const says = 'drops the required scope db:write';

  test('in a pipeline of the same ID, created after the narrow one was deleted', async () => {
    const narrow = new Pipeline();
    await narrow.save(TIGHT);
    await narrow.started(admin);
    await narrow.stop();
    expect((await engineer.send('DELETE', narrow.path)).status).toBe(204);
    await narrow.save(route(settings));
    await narrow.refused(says);
    await narrow.started(admin);
    await narrow.started(engineer);
  });

  test('in another pipeline, in another project', async () => {
    const narrow = new Pipeline();
    await narrow.save(TIGHT);
    await narrow.started(admin);
    await narrow.stop();
    await admin.send('POST', '/projects', { id: 'other', name: 'Other' });
    const sent = { id: narrow.id, name: 'Other', ...route(settings) };
    expect((await engineer.send('POST', '/projects/other/pipelines', sent)).status).toBe(201);
    const path = `/projects/other/pipelines/${narrow.id}`;
    expect((await engineer.send('POST', `${path}/start`, {})).body['detail']).toContain(says);
    // An approval of an Administrator counts from then on.
    expect((await admin.send('POST', `${path}/start`, {})).status).toBe(200);
    expect((await engineer.send('POST', `${path}/start`, {})).status).toBe(200);
  });
});

test('several at once are each named', async () => {
  const pipeline = new Pipeline();
  await pipeline.save(route({ authType: 'none', maxPayloadSize: '2 MB' }, { grants: [...SCOPES], runAs: 'pipeline' }));
  const { body } = await pipeline.start(engineer);
  expect(body['errors']).toHaveLength(SCOPES.length + 3);
});

test('a permission that is lost while a start waits no longer counts', async () => {
  const pipeline = new Pipeline();
  await pipeline.save(route());
  const wide = await pipeline.save(route({}, { grants: ['db:write'] }));
  const helper = await harness.personWith(admin, 'access_settings', 'run_pipelines', 'view');
  const { items } = (await admin.send('GET', '/users')).body as { items: { id: string; name: string }[] };
  const { promise, resolve } = Promise.withResolvers<void>();
  const { change } = harness.gateway;
  harness.gateway.change = () => promise;
  const first = pipeline.start(engineer, 1);
  const begun = (act: string): boolean =>
    harness.audit.rows.some((row) => row.act === act && row.pipeline === pipeline.id);
  await vi.waitUntil(() => begun('pipeline.start'), PATIENT_WAIT);
  const second = pipeline.start(helper, wide);
  // Past the checks, waiting for the first one; this is certain once a later call was answered.
  await helper.send('GET', '/status');
  await helper.send('GET', '/status');
  await admin.send('PATCH', `/users/${items.at(-1)?.id}`, { roles: ['Operator'] });
  harness.gateway.change = change;
  resolve();
  expect((await first).status).toBe(200);
  expect((await second).body['code']).toBe('permission_missing');
  expect(harness.projects.pipeline('line-7', pipeline.id)).toMatchObject({ wantedRevision: 1, approvedRevision: null });
});
