import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Mood } from './acts.ts';
import { nowMs } from './clock.ts';
import { type Counters, trackConnections } from './connections.ts';
import { listenAgain, listenSomewhere } from './listen.ts';
import { perform, type Stage } from './perform.ts';
import type { Plan, Schedule } from './schedule.ts';
import { bodyHash, readMark, type Witness } from './witness.ts';

/**
 * One misbehaving HTTP target: a port on 127.0.0.1.
 *
 * States (moods): `calm`, in which single requests meet faults, and the others in acts.ts, which alternate according to
 * the schedule until `behave()`. While it `refuses`, nothing listens on the port, which is then taken again. Limits:
 * those of the kernel and of node:http; it serves one gateway. Known weakness: while nothing listens, another program
 * may take the port; the mood then lasts until it is given back, at most a minute.
 */
export interface FaultTarget {
  readonly port: number;
  /** No more faults; delayed responses are still sent. */
  behave(): Promise<void>;
  close(): Promise<void>;
}

export interface FaultTargetOptions {
  readonly name: string;
  readonly witness: Witness;
  readonly schedule: Schedule;
  /** The schedule once it behaves. */
  readonly good: Schedule;
  readonly counters: Counters;
  /** Without moods, only single requests meet faults. */
  readonly moods: boolean;
}

export async function openFaultTarget(options: FaultTargetOptions): Promise<FaultTarget> {
  const target = new Target(options);
  const port = await target.open();
  return { port, behave: () => target.behave(), close: () => target.close() };
}

class Target {
  readonly #options: FaultTargetOptions;
  readonly #connections;
  readonly #ending = new AbortController();
  #schedule: Schedule;
  #mood: Mood = 'calm';
  #server: Server;
  #port = 0;
  #living: Promise<void> = Promise.resolve();

  constructor(options: FaultTargetOptions) {
    this.#options = options;
    this.#connections = trackConnections(options.witness, options.counters);
    this.#schedule = options.schedule;
    this.#server = this.#makeServer();
  }

  async open(): Promise<number> {
    this.#port = await listenSomewhere(this.#server);
    if (this.#options.moods) this.#living = this.#live().catch(ignoreAbort);
    return this.#port;
  }

  async behave(): Promise<void> {
    this.#ending.abort();
    await this.#living;
    this.#schedule = this.#options.good;
    this.#setMood('calm');
  }

  async close(): Promise<void> {
    await this.behave();
    await this.#shut();
  }

  async #live(): Promise<void> {
    for (;;) {
      const { calmMs, mood, moodMs } = this.#schedule.next();
      await this.#rest(calmMs);
      this.#setMood(mood);
      if (mood === 'refuses') await this.#refuse(moodMs);
      else await this.#rest(moodMs);
      this.#setMood('calm');
    }
  }

  async #refuse(ms: number): Promise<void> {
    await this.#shut();
    await this.#rest(ms).catch(ignoreAbort);
    this.#server = this.#makeServer();
    await listenAgain(this.#server, this.#port);
  }

  async #rest(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#ending.signal });
  }

  async #shut(): Promise<void> {
    const closed = once(this.#server, 'close');
    // Before `close`, which would end idle connections gracefully.
    const torn = this.#connections.tearAll();
    this.#server.close();
    await Promise.all([closed, torn]);
  }

  #setMood(mood: Mood): void {
    this.#mood = mood;
    this.#options.witness.write({ kind: 'mood', target: this.#options.name, atMs: nowMs(), mood });
  }

  #makeServer(): Server {
    const server = createServer((request, response) => this.#receive(request, response));
    server.on('connection', (socket) => this.#connected(socket));
    server.on('clientError', (_error, socket) => socket.destroy());
    return server;
  }

  #connected(socket: Socket): void {
    this.#connections.add(socket);
    if (!this.#schedule.resetsUnread(this.#mood)) return;
    this.#options.witness.write({ kind: 'reset-unread', target: this.#options.name, atMs: nowMs() });
    this.#connections.tear(socket);
  }

  #receive(request: IncomingMessage, response: ServerResponse): void {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    // An incomplete request was not received: there is nothing to record.
    request.on('error', () => {});
    request.on('end', () => this.#received(request, response, Buffer.concat(chunks)));
  }

  #received(request: IncomingMessage, response: ServerResponse, body: Buffer): void {
    const event = readMark(body);
    const plan = this.#schedule.plan(this.#mood, event?.poison ?? false);
    const { n, connection } = this.#connections.arrived(request.socket);
    const id = request.headers['idempotency-key'];
    this.#options.witness.write({
      kind: 'arrival',
      n,
      atMs: nowMs(),
      target: this.#options.name,
      connection,
      id: typeof id === 'string' ? id : null,
      path: request.url ?? '',
      event,
      body: bodyHash(body),
      act: plan.act,
    });
    const text = JSON.stringify({ took: event === null ? null : `${event.key}/${event.seq}` });
    this.#respond(n, plan, { socket: request.socket, response, text });
  }

  #respond(n: number, { act, delayMs }: Plan, stage: Stage): void {
    if (delayMs === 0) return perform(act, stage);
    setTimeout(() => {
      const gone = stage.socket.destroyed || !stage.socket.readable;
      this.#options.witness.write({ kind: 'late-answer', n, atMs: nowMs(), gone });
      if (!gone) perform(act, stage);
    }, delayMs);
  }
}

function ignoreAbort(error: unknown): void {
  if (!(error instanceof Error && error.name === 'AbortError')) throw error;
}
