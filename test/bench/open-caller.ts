import { connect, type Socket } from 'node:net';

/**
 * Calls one route on a schedule, regardless of response times, in a separate process: on free kept connections,
 * otherwise on new ones, at most CONNECTIONS_MAX; one call in FRESH_EVERY opens and closes its own connection. A call's
 * time begins when it is due. If all connections are in use, the call is not made and counted separately: it is a limit
 * of the caller, not of the gateway. `{ connections }` instead of `{ rate }`: each of this many sends the next call as
 * soon as it has a response. Measures on each message of its parent and answers with an OpenResult; ends with its
 * parent. With `settleSeconds`, times are of calls that were due after that; all are counted. Arguments: port, the
 * request's bytes in base64.
 */
export type OpenOrder =
  | { readonly seconds: number; readonly rate: number; readonly settleSeconds?: number }
  | { readonly seconds: number; readonly connections: number };

export interface OpenResult {
  readonly seconds: number;
  /** Calls that were due. */
  readonly offered: number;
  /** Those of them that found all connections in use. */
  readonly unsent: number;
  readonly served: number;
  /** Latencies of calls on connections that were already in use before. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** The first calls on connections, which have to be accepted first: how many were served, and their latencies. */
  readonly newcomers: number;
  readonly newcomersP50Ms: number;
  readonly newcomersMaxMs: number;
  /** 503 responses with `overloaded`, and those of them with a Retry-After. */
  readonly overloaded: number;
  readonly withRetryAfter: number;
  readonly overloadedP99Ms: number;
  readonly overloadedMaxMs: number;
  /** Everything else: other responses, resets, no response within CALL_MS_MAX. */
  readonly others: Readonly<Record<string, number>>;
  readonly opened: number;
  /** How late calls were sent: the delay of the caller itself. */
  readonly lateP99Ms: number;
}

/** More than the gateway has in flight, and below its caps: 4,000 in all, 256 of one address. */
const CONNECTIONS_MAX = 1_200;
const SOURCES = Array.from({ length: 16 }, (_, index) => `127.0.4.${index + 1}`);
const FRESH_EVERY = 50;
const TICK_MS = 1;
const CALL_MS_MAX = 10_000;
const READ_BYTES = 64 * 1024;

const [port = '', encoded = ''] = process.argv.slice(2);
const request = Buffer.from(encoded, 'base64');
const lastRequest = Buffer.from(request.toString('latin1').replace('\r\n', '\r\nConnection: close\r\n'), 'latin1');
/** Shared by all connections: data is processed before the next read. */
const readBuffer = Buffer.allocUnsafe(READ_BYTES);

interface Run {
  readonly closedLoop: boolean;
  readonly timedFromMs: number;
  over: boolean;
  offered: number;
  unsent: number;
  served: number;
  opened: number;
  withRetryAfter: number;
  readonly servedMs: number[];
  readonly newcomersMs: number[];
  readonly overloadedMs: number[];
  readonly lateMs: number[];
  readonly others: Map<string, number>;
}

/** One connection; free between its calls. */
class Line {
  readonly socket: Socket;
  readonly #fresh: boolean;
  readonly #run: Run;
  #dueMs: number;
  #busy = true;
  #text = '';
  #calls = 0;

  constructor(run: Run, dueMs: number, fresh: boolean) {
    this.#run = run;
    this.#dueMs = dueMs;
    this.#fresh = fresh;
    run.opened += 1;
    this.socket = connect({
      host: '127.0.0.1',
      port: Number(port),
      localAddress: SOURCES[run.opened % SOURCES.length],
      noDelay: true,
      onread: { buffer: readBuffer, callback: (bytes, buffer) => this.#read(buffer, bytes) },
    });
    this.socket.on('error', (error: NodeJS.ErrnoException) => this.#gone(error.code ?? error.message));
    this.socket.on('close', () => this.#gone('closed unanswered'));
    this.#send();
  }

  call(dueMs: number): void {
    this.#dueMs = dueMs;
    this.#busy = true;
    this.#text = '';
    this.#send();
  }

  late(nowMs: number): void {
    if (this.#busy && nowMs - this.#dueMs > CALL_MS_MAX) this.#end(`no answer within ${CALL_MS_MAX / 1000} s`);
  }

  #send(): void {
    this.#calls += 1;
    this.#run.lateMs.push(performance.now() - this.#dueMs);
    this.socket.write(this.#fresh ? lastRequest : request);
  }

  #read(buffer: Uint8Array, bytes: number): boolean {
    this.#text += Buffer.from(buffer.buffer, buffer.byteOffset, bytes).toString('latin1');
    const headEnd = this.#text.indexOf('\r\n\r\n');
    if (headEnd < 0) return true;
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(this.#text)?.[1] ?? 0);
    if (this.#text.length >= headEnd + 4 + length) this.#answered(this.#text);
    return true;
  }

  #answered(text: string): void {
    if (!this.#busy) return;
    this.#busy = false;
    const ms = performance.now() - this.#dueMs;
    const run = this.#run;
    if (text.startsWith('200', 9)) this.#served(ms);
    else if (text.includes('"code":"overloaded"')) {
      run.overloadedMs.push(ms);
      if (/\r\nretry-after: \d/i.test(text)) run.withRetryAfter += 1;
    } else count(run, `status ${text.slice(9, 12)}`);
    if (/\r\nconnection: close\r\n/i.test(text)) this.#leave();
    else if (run.closedLoop && !run.over) return this.call(performance.now());
    else free.push(this);
    if (run.closedLoop && !run.over && this.socket.destroyed) lines.add(new Line(run, performance.now(), false));
  }

  #served(ms: number): void {
    const run = this.#run;
    run.served += 1;
    if (this.#dueMs >= run.timedFromMs) (this.#calls > 1 ? run.servedMs : run.newcomersMs).push(ms);
  }

  /**
   * A kept connection that the gateway closed as idle at that moment does not count: the call is repeated on a new one.
   */
  #gone(why: string): void {
    const again = this.#busy && this.#calls > 1 && this.#text === '';
    if (again) {
      this.#busy = false;
      lines.add(new Line(this.#run, this.#dueMs, false));
    } else if (this.#busy) this.#end(why);
    this.#leave();
  }

  #end(why: string): void {
    this.#busy = false;
    count(this.#run, why);
    this.#leave();
  }

  #leave(): void {
    lines.delete(this);
    this.socket.destroy();
  }

  get busy(): boolean {
    return this.#busy;
  }
}

const lines = new Set<Line>();
let free: Line[] = [];

function count(run: Run, what: string): void {
  run.others.set(what, (run.others.get(what) ?? 0) + 1);
}

function arrive(run: Run, dueMs: number): void {
  run.offered += 1;
  const fresh = run.offered % FRESH_EVERY === 0;
  for (let line = fresh ? undefined : free.pop(); line !== undefined; line = free.pop())
    if (!line.socket.destroyed && line.socket.writable) return line.call(dueMs);
  if (lines.size < CONNECTIONS_MAX) lines.add(new Line(run, dueMs, fresh));
  else run.unsent += 1;
}

async function measure(order: OpenOrder): Promise<OpenResult> {
  const closedLoop = 'connections' in order;
  const startedMs = performance.now();
  const run: Run = {
    closedLoop,
    timedFromMs: startedMs + (closedLoop ? 0 : (order.settleSeconds ?? 0) * 1000),
    over: false,
    offered: 0,
    unsent: 0,
    served: 0,
    opened: 0,
    withRetryAfter: 0,
    servedMs: [],
    newcomersMs: [],
    overloadedMs: [],
    lateMs: [],
    others: new Map(),
  };
  const sweep = setInterval(() => {
    const nowMs = performance.now();
    for (const line of lines) line.late(nowMs);
  }, 500);
  if (closedLoop)
    for (let index = 0; index < order.connections; index++) lines.add(new Line(run, performance.now(), false));
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const elapsed = Math.min(order.seconds, (performance.now() - startedMs) / 1000);
      if (!closedLoop)
        while (run.offered < elapsed * order.rate) arrive(run, startedMs + (run.offered / order.rate) * 1000);
      if (elapsed < order.seconds) return;
      clearInterval(timer);
      resolve();
    }, TICK_MS);
  });
  run.over = true;
  const seconds = (performance.now() - startedMs) / 1000;
  const servedInTime = run.served;
  await allAnswered();
  clearInterval(sweep);
  for (const line of lines) line.socket.destroy();
  lines.clear();
  free = [];
  return resultOf(run, seconds, closedLoop ? servedInTime : run.served);
}

async function allAnswered(): Promise<void> {
  while ([...lines].some(({ busy }) => busy)) await new Promise((resolve) => setTimeout(resolve, 10));
}

function resultOf(run: Run, seconds: number, served: number): OpenResult {
  const times = run.servedMs.toSorted((a, b) => a - b);
  const newcomers = run.newcomersMs.toSorted((a, b) => a - b);
  const overloaded = run.overloadedMs.toSorted((a, b) => a - b);
  return {
    seconds,
    offered: run.offered,
    unsent: run.unsent,
    served,
    p50Ms: at(times, 0.5),
    p99Ms: at(times, 0.99),
    maxMs: at(times, 1),
    newcomers: newcomers.length,
    newcomersP50Ms: at(newcomers, 0.5),
    newcomersMaxMs: at(newcomers, 1),
    overloaded: run.overloadedMs.length,
    withRetryAfter: run.withRetryAfter,
    overloadedP99Ms: at(overloaded, 0.99),
    overloadedMaxMs: at(overloaded, 1),
    others: Object.fromEntries(run.others),
    opened: run.opened,
    lateP99Ms: at(
      run.lateMs.toSorted((a, b) => a - b),
      0.99,
    ),
  };
}

const at = (times: readonly number[], share: number): number =>
  times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;

process.on('message', (order: OpenOrder) => {
  void measure(order).then((result) => process.send?.(result));
});
process.on('disconnect', () => process.exit(0));
process.send?.('ready');
