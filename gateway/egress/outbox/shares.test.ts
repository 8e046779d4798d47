import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, test } from 'vitest';
import type { EgressState } from '#common/model/egress.ts';
import type { FromOutbox } from './messages.ts';
import type { HttpResult } from '../http/contract.ts';
import { SENDS_PER_PROJECT_MAX } from './limits.ts';
import { answered, type TestWorld, UNREACHABLE, worlds } from './core.testing.ts';

/** No project and no target uses up the calls, the buffer or the ordering keys of the others. */
const { open, close } = worlds();
const held: ((result: HttpResult) => void)[] = [];
const opened: TestWorld[] = [];
afterEach(async () => {
  for (const at of opened.splice(0)) at.net.answer = () => answered(200);
  for (const end of held.splice(0)) end(answered(200));
  await close();
});

async function world(settings: Parameters<typeof open>[0] = {}): Promise<TestWorld> {
  const at = await open(settings);
  opened.push(at);
  return at;
}

const HEALTHY = 'http://10.0.0.1:80';
const hangingOrigin = (index: number) => `http://10.0.1.${index}:80`;
const forever = () => new Promise<HttpResult>((resolve) => held.push(resolve));
const KEYS = 10;

/** Each hanging target gets this many events, each with its own ordering key. */
async function hang(at: TestWorld, targets: number, project: (index: number) => string, events = KEYS) {
  for (let index = 0; index < targets; index++) {
    const line = at.line({ project: project(index), origin: hangingOrigin(index), timeoutMs: 3_600_000 });
    for (let key = 0; key < events; key++) await at.put({ line, orderingKey: `k${key}`, body: 'hangs' });
  }
}

function answersOnly(at: TestWorld, origin: string): void {
  at.net.answer = (call) => (call.origin === origin ? answered(200) : forever());
}

async function delivered(at: TestWorld, line: number, events: number): Promise<number> {
  for (let event = 0; event < events; event++) await at.put({ line, body: 'polite', orderingKey: `p${event}` });
  await at.pass(5_000);
  return at.net.texts.filter((text) => text === 'polite').length;
}

const lastNews = (at: TestWorld) =>
  at.told.flatMap((message: FromOutbox) => (message.kind === 'news' ? [message.news] : [])).at(-1);

describe('a healthy target gets its events', () => {
  test.each([8, 40])('while %i new targets of another project hang', async (targets) => {
    const at = await world();
    answersOnly(at, HEALTHY);
    await hang(at, targets, () => 'greedy');
    const line = at.line({ project: 'polite', origin: HEALTHY });
    expect(await delivered(at, line, 10)).toBe(10);
  });

  test('while 16 targets that responded before hang, even if it is new', async () => {
    const at = await world();
    await hang(at, 16, (index) => `greedy-${index % 2}`, 1);
    answersOnly(at, HEALTHY);
    await hang(at, 16, (index) => `greedy-${index % 2}`);
    const line = at.line({ project: 'polite', origin: HEALTHY });
    expect(await delivered(at, line, 10)).toBe(10);
  });

  test('while another project with targets that responded before uses its half of the sends', async () => {
    const at = await world();
    const polite = at.line({ project: 'polite', origin: HEALTHY });
    await hang(at, 30, () => 'greedy', 1);
    answersOnly(at, HEALTHY);
    const before = at.net.calls.length;
    await hang(at, 30, () => 'greedy');
    expect(at.net.calls.length - before).toBe(SENDS_PER_PROJECT_MAX);
    expect(await delivered(at, polite, 10)).toBe(10);
  });
});

test('a healthy target of a project that uses all of its places is called once the others have failed', async () => {
  const at = await world();
  at.line({ project: 'polite', origin: HEALTHY });
  const own = 'http://10.0.2.1:80';
  const line = at.line({ project: 'greedy', origin: own });
  await at.put({ line, body: 'first' });
  await hang(at, 8, () => 'greedy', 1);
  answersOnly(at, own);
  await hang(at, 8, () => 'greedy', 60);
  await at.put({ line, body: 'own' });
  expect(at.net.texts).not.toContain('own');
  // The targets of the others no longer respond.
  at.net.answer = (call) => (call.origin === own ? answered(200) : UNREACHABLE);
  for (const end of held.splice(0)) end(UNREACHABLE);
  await at.pass(5_000);
  expect(at.net.texts).toContain('own');
});

test('an alarm names the targets that use all places, once others have waited for some seconds', async () => {
  const at = await world();
  await hang(at, 2, () => 'greedy', 1);
  answersOnly(at, HEALTHY);
  await hang(at, 14, (index) => `greedy-${index % 3}`, 1);
  await hang(at, 110, (index) => `greedy-${index % 3}`, 1);
  await at.pass(3_000);
  expect(lastNews(at)?.sendsHeldBy).toEqual([]);
  await at.pass(5_000);
  expect(lastNews(at)?.sendsHeldBy).toContain(hangingOrigin(0));
  at.net.answer = () => answered(200);
  for (const end of held.splice(0)) end(answered(200));
  await at.pass(3_000);
  expect(lastNews(at)?.sendsHeldBy).toEqual([]);
});

describe('the buffer', () => {
  const BODY = 'x'.repeat(10_000);
  const full = (at: TestWorld, id: string) => {
    const outcome = at.outcome(id);
    return outcome?.kind === 'full' ? outcome.text : null;
  };
  const fill = async (at: TestWorld, line: number): Promise<{ stored: number; text: string }> => {
    for (let stored = 0; ; stored++) {
      const text = full(at, await at.put({ line, body: BODY }));
      if (text !== null) return { stored, text };
    }
  };
  const DEAD = 'http://10.0.9.9:80';

  test('keeps half for other projects that store calls; the error names the share, and an alarm names who filled it', async () => {
    const at = await world({ bytesMax: 1_000_000 });
    answersOnly(at, HEALTHY);
    const greedy = at.line({ project: 'greedy', origin: DEAD });
    const polite = at.line({ project: 'polite', origin: HEALTHY });
    const { stored, text } = await fill(at, greedy);
    expect(stored).toBe(46);
    expect(text).toMatch(/^the project "greedy" holds \d+ of 500000 bytes of the outbox, its share while other/);
    for (let event = 0; event < 20; event++) expect(full(at, await at.put({ line: polite, body: BODY }))).toBe(null);
    await at.pass(2_000);
    expect(lastNews(at)?.shareFull).toEqual([{ project: 'greedy', target: DEAD }]);
    expect(at.net.calls.filter(({ origin }) => origin === HEALTHY)).toHaveLength(20);
  });

  test("keeps a quarter of a project's share for its other targets", async () => {
    const at = await world({ bytesMax: 1_000_000 });
    answersOnly(at, HEALTHY);
    const dead = at.line({ origin: DEAD });
    const alive = at.line({ origin: HEALTHY });
    const { stored, text } = await fill(at, dead);
    expect(stored).toBe(70);
    expect(text).toContain(`${DEAD} holds`);
    expect(full(at, await at.put({ line: alive, body: BODY }))).toBe(null);
  });

  test('is fully available to the only project with one target', async () => {
    const at = await world({ bytesMax: 1_000_000 });
    answersOnly(at, HEALTHY);
    const { stored, text } = await fill(at, at.line({ origin: DEAD }));
    expect(stored).toBe(93);
    expect(text).toMatch(/^the outbox is full/);
  });

  test('knows after a restart who holds how much, and releases discarded events', async () => {
    const at = await world({ eventsMax: 20 });
    at.net.answer = () => answered(404);
    const greedy = at.line({ project: 'greedy', origin: DEAD });
    at.line({ project: 'polite', origin: HEALTHY });
    const ids: string[] = [];
    for (let event = 0; event < 3; event++) ids.push(await at.put({ line: greedy }));
    for (let event = 0; event < 7; event++) await at.put({ line: greedy });
    await at.reopen();
    expect(full(at, await at.put({ line: greedy }))).toContain('10 of 10 events');
    await at.ask('egress-event-act', { event: ids[0] ?? '', act: 'discard' });
    expect(full(at, await at.put({ line: greedy }))).toBe(null);
    expect(full(at, await at.put({ line: greedy }))).toContain('10 of 10 events');
  });

  test('opens a file from before the shares, with its index', async () => {
    const at = await world({ eventsMax: 20 });
    const line = at.line({ project: 'greedy' });
    at.net.answer = () => forever();
    await at.put({ line });
    held.splice(0).forEach((end) => end(answered(503)));
    await at.reopen(() => {
      const db = new DatabaseSync(at.file);
      db.exec('DROP INDEX events_share; CREATE INDEX events_state ON events (state, target, seq, bytes)');
      db.close();
    });
    const db = new DatabaseSync(at.file);
    const names = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'index' AND name LIKE 'events_s%'").all();
    db.close();
    expect(names.map(({ name }) => name)).toEqual(['events_share']);
    expect((await at.ask<EgressState>('egress-state', {})).buffer.events).toBe(1);
  });
});
