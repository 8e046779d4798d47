import { join } from 'node:path';
import type { EgressTargetAct } from '#common/control/messages.ts';
import type { EgressEventDetail, EgressEventState, EgressState, EgressTarget } from '#common/model/egress.ts';
import { tempDir } from '#test/temp-dir.ts';
import type { HttpCall, HttpClient, HttpResult } from '../http/contract.ts';
import type { Clock } from './clock.ts';
import type { OutboxLine, OutboxOutcome, OutboxSettings } from './contract.ts';
import { OutboxCore } from './core.ts';
import type { FromOutbox } from './messages.ts';

/** The core of the outbox with a real file, and with a clock and network controlled by the test. */
export interface TestWorld extends AsyncDisposable {
  readonly file: string;
  readonly clock: TestClock;
  readonly net: TestNet;
  readonly told: FromOutbox[];
  /** Closes the core and opens it again, as after a restart. `between`: changes its file. */
  reopen(between?: () => void): Promise<void>;
  line(more?: Partial<OutboxLine>): number;
  /** Returns the ID of the event. */
  put(event?: TestEvent): Promise<string>;
  outcome(id: string): OutboxOutcome | undefined;
  ask<T>(call: string, args: object): Promise<T>;
  /** Waits for pending commits and responses. */
  rest(): Promise<void>;
  /** Advances the time and fires timers in order. */
  pass(ms: number): Promise<void>;
  core(): OutboxCore;
}

export interface TestEvent {
  line?: number;
  body?: string | null;
  path?: string;
  orderingKey?: string | null;
  waitMs?: number;
}

export const TEST_ORIGIN = 'http://127.0.0.1:9';

export function testSettings(more: Partial<OutboxSettings> = {}): OutboxSettings {
  return {
    bytesMax: 1024 ** 3,
    eventsMax: 1_000_000,
    diskReserveBytes: 0,
    drainRate: 100_000,
    allowedInternalTargets: [],
    proxy: null,
    proxyTargets: [],
    ...more,
  };
}

export class TestClock implements Clock {
  #nowMs = 1_000_000;
  #wallMs = Date.UTC(2026, 9, 13, 14, 0, 0);
  readonly #timers = new Set<{ atMs: number; run: () => void }>();

  nowMs(): number {
    return this.#nowMs;
  }

  wallMs(): number {
    return this.#wallMs;
  }

  sharedMs(): number {
    return this.#nowMs;
  }

  after(ms: number, run: () => void): () => void {
    const timer = { atMs: this.#nowMs + Math.max(0, ms), run };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  async pass(ms: number, rest: () => Promise<void>): Promise<void> {
    const endMs = this.#nowMs + ms;
    await rest();
    for (;;) {
      const next = [...this.#timers].filter(({ atMs }) => atMs <= endMs).toSorted((a, b) => a.atMs - b.atMs)[0];
      if (next === undefined) break;
      this.#timers.delete(next);
      this.#set(Math.max(this.#nowMs, next.atMs));
      next.run();
      await rest();
    }
    this.#set(endMs);
  }

  /** The system clock is set, by a user or a time server. */
  setWall(ms: number): void {
    this.#wallMs = ms;
  }

  #set(nowMs: number): void {
    this.#wallMs += nowMs - this.#nowMs;
    this.#nowMs = nowMs;
  }
}

/** The calls that the outbox sent, and their responses: 200 unless the test sets others. */
export class TestNet implements HttpClient {
  readonly calls: (HttpCall & { text: string; atMs: number })[] = [];
  answer: (call: HttpCall & { text: string }) => Promise<HttpResult> | HttpResult = () => answered(200);
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async call(call: HttpCall): Promise<HttpResult> {
    const text = call.body === null ? '' : Buffer.from(call.body).toString('utf8');
    const seen = { ...call, text, atMs: this.#clock.nowMs() };
    this.calls.push(seen);
    return this.answer(seen);
  }

  configure(): void {}
  close(): void {}

  get texts(): string[] {
    return this.calls.map(({ text }) => text);
  }

  keys(text: string): string[] {
    return this.calls.filter((call) => call.text === text).map(({ headers }) => headers['Idempotency-Key'] ?? '');
  }
}

export function answered(status: number, headers: Record<string, string> = {}, body = ''): HttpResult {
  return { kind: 'answered', status, headers, body: Buffer.from(body), durationMs: 5, repeated: false };
}

export const UNREACHABLE: HttpResult = {
  kind: 'unreachable',
  text: 'nobody listens there (ECONNREFUSED)',
  durationMs: 1,
  repeated: false,
};

export async function openWorld(settings: Partial<OutboxSettings> = {}): Promise<TestWorld> {
  const folder = await tempDir('outbox-');
  const file = join(folder.path, 'outbox.sqlite');
  const clock = new TestClock();
  const net = new TestNet(clock);
  const told: FromOutbox[] = [];
  const tickets = new Map<string, number>();
  const lines: [number, OutboxLine][] = [];
  const open = () => {
    const opened = new OutboxCore({
      file,
      key: Buffer.alloc(32, 7),
      settings: testSettings(settings),
      tell: (message) => told.push(message),
      clock,
      client: net,
      random: () => 0.5,
    });
    opened.begin();
    return opened;
  };
  let core = open();
  let count = 0;
  const rest = async (turns = 12) => {
    for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
  };
  const world: TestWorld = {
    file,
    clock,
    net,
    told,
    core: () => core,
    async reopen(between = () => undefined) {
      await core.close();
      between();
      core = open();
      for (const [handle, line] of lines) core.handle({ kind: 'line', handle, line });
      await rest();
    },
    line(more = {}) {
      const line = {
        project: 'p',
        pipeline: 'orders',
        node: 'push',
        test: false,
        origin: TEST_ORIGIN,
        method: 'POST',
        headers: { Authorization: 'Bearer old' },
        timeoutMs: 5_000,
        tls: null,
        ...more,
      };
      lines.push([++count, line]);
      core.handle({ kind: 'line', handle: count, line });
      return count;
    },
    async put({ line = 1, body = '{}', path = '/in', orderingKey = null, waitMs = 5_000 } = {}) {
      const ticket = ++count;
      const id = `event-${ticket}`;
      tickets.set(id, ticket);
      const sent = { path, contentType: 'application/json', body: body === null ? null : Buffer.from(body) };
      const event = {
        ...sent,
        orderingKey,
        traceparent: null,
        ticket,
        id,
        line,
        acceptedAt: clock.wallMs(),
        putAtMs: clock.sharedMs(),
        waitMs,
      };
      core.handle({ kind: 'put', events: [event] });
      await rest();
      return id;
    },
    outcome(id) {
      const ticket = tickets.get(id);
      return told.flatMap((message) =>
        message.kind === 'outcome' && message.ticket === ticket ? [message.outcome] : [],
      )[0];
    },
    async ask<T>(call: string, args: object): Promise<T> {
      const id = ++count;
      core.handle({ kind: 'call', id, call: call as 'egress-state', args });
      for (;;) {
        await rest();
        const reply = told.find((message) => message.kind === 'reply' && message.id === id);
        if (reply?.kind !== 'reply') continue;
        if (reply.error) throw new Error(`${reply.error.code}: ${reply.error.detail}`);
        return reply.value as T;
      }
    },
    rest: () => rest(),
    pass: (ms) => clock.pass(ms, () => rest(2)),
    async [Symbol.asyncDispose]() {
      await core.close();
      await folder.remove();
    },
  };
  return world;
}

/** Frequent queries of tests: the first target, and the events. */
export async function target(at: TestWorld): Promise<EgressTarget> {
  const { targets } = await at.ask<EgressState>('egress-state', {});
  if (targets[0] === undefined) throw new Error('there is no target');
  return targets[0];
}

export function act(at: TestWorld, what: EgressTargetAct): Promise<EgressTarget> {
  return at.ask('egress-target-act', { target: 't1', act: what, by: 'J. Keller' });
}

export async function list(at: TestWorld, state: EgressEventState): Promise<EgressEventDetail[]> {
  const args = { state, target: null, cursor: null, limit: 100, payloads: true };
  return (await at.ask<{ items: EgressEventDetail[] }>('egress-events', args)).items;
}

/** Opens test environments and, after each test, closes them. */
export function worlds(): { open: typeof openWorld; close(): Promise<void>; abandon(): void } {
  const opened: TestWorld[] = [];
  return {
    async open(settings) {
      const world = await openWorld(settings);
      opened.push(world);
      return world;
    },
    async close() {
      for (const world of opened.splice(0)) await world[Symbol.asyncDispose]();
    },
    /** The test has closed its cores itself. */
    abandon: () => void opened.splice(0),
  };
}

export const eventAct = (at: TestWorld, event: string, what: 'retry' | 'discard') =>
  at.ask('egress-event-act', { event, act: what });
