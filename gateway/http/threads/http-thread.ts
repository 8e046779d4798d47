import { PendingRequests } from '#common/node/pending-requests.ts';
import { WorkerThread } from '#common/node/worker-thread.ts';
import type { ErrorCode } from '#common/errors/catalogue.ts';
import type { RecordedCause } from '#common/errors/refusals.ts';
import type { RefusalWhy } from '#common/model/audit.ts';
import type { GatewayContext } from '../gateway-context.ts';
import type { ConnectionLimiter } from '../connection-limiter.ts';
import { recordRefusedSocket } from '../refusal.ts';
import type { TlsIdentity } from '#common/node/tls-context.ts';
import { TakenBodies } from './body-credit.ts';
import {
  type Answer,
  type Batch,
  CALLER,
  CORE,
  type FromThread,
  type Question,
  type ThreadInit,
  type ToThread,
} from './messages.ts';
import { MessageBatch } from './message-batch.ts';
import { RemoteConnection } from './remote-connection.ts';

export interface HttpThreadParts {
  readonly edge: GatewayContext;
  readonly guests: ConnectionLimiter;
  /** Null: plain HTTP. */
  readonly identity: TlsIdentity | null;
  /**
   * A running thread ended without being asked to. A thread that does not start reports that to the caller of `ask`.
   */
  onLost(cause: unknown): void;
}

/** One HTTP thread as the core sees it. */
export class HttpThread {
  readonly #parts: HttpThreadParts;
  readonly #thread: WorkerThread<ToThread, FromThread>;
  readonly #outbox: MessageBatch;
  readonly #connections = new Map<number, RemoteConnection>();
  readonly #questions = new PendingRequests<Answer>();
  readonly #taken = new TakenBodies();
  #ending = false;
  /** It has answered: everything that it needs is loaded. */
  #isUp = false;
  #hasExited = false;
  #cause: unknown = null;

  constructor(parts: HttpThreadParts) {
    this.#parts = parts;
    const init: ThreadInit = { identity: parts.identity };
    this.#thread = new WorkerThread(
      new URL('./thread.ts', import.meta.url),
      {
        name: 'http',
        workerData: init,
        // The thread gets no environment, arguments or input of the process.
        env: {},
        argv: [],
      },
      {
        onMessage: (message) => this.#received(message),
        onLost: (_reason, cause) => this.#exit(cause),
      },
    );
    const port = { postMessage: (parts: Batch, given: ArrayBuffer[]) => this.#thread.post(parts, given) };
    // At the end of the tick, so that the effects of a batch of requests or journal rows are sent together.
    this.#outbox = new MessageBatch(port, process.nextTick);
  }

  get connections(): Iterable<RemoteConnection> {
    return this.#connections.values();
  }

  /** Throws the thread's error, or that it has ended. */
  ask(question: Question): Promise<Answer> {
    this.#outbox.flush();
    if (this.#hasExited) return Promise.reject(this.#ended());
    const { id, promise } = this.#questions.add(undefined);
    this.#thread.post({ id, ...question });
    return promise;
  }

  /** Ends the thread and its sockets immediately. */
  async end(): Promise<void> {
    this.#ending = true;
    await this.#thread.terminate();
    this.#exit(null);
  }

  #received(message: FromThread): void {
    if ('answer' in message) return this.#answered(message);
    for (let at = 0; at < message.length;) at = this.#item(message, at);
    const taken = this.#taken.due();
    if (taken > 0) this.#outbox.put(CORE.bodiesTaken, taken);
  }

  #answered(message: Answer & { id: number }): void {
    this.#isUp = true;
    if (!('failed' in message)) return this.#questions.resolve(message.id, message);
    this.#questions.reject(message.id, Object.assign(new Error(message.failed.message), message.failed));
  }

  #exit(cause: unknown): void {
    if (this.#hasExited) return;
    this.#hasExited = true;
    this.#cause = cause;
    this.#questions.rejectAll(() => this.#ended());
    for (const [number, connection] of this.#connections) this.#closed(number, connection);
    if (!this.#ending && this.#isUp) this.#parts.onLost(this.#cause);
  }

  #ended(): Error {
    if (this.#isUp || this.#ending) return new Error('the HTTP thread has ended');
    const reason = this.#cause instanceof Error ? this.#cause.message : 'it ended at once';
    return new Error(`an HTTP thread does not come up: ${reason}`, { cause: this.#cause });
  }

  /** Returns the position of the next item. */
  #item(batch: Batch, at: number): number {
    const number = batch[at + 1] as number;
    const connection = this.#connections.get(number);
    switch (batch[at]) {
      case CALLER.request:
        return request(connection, batch, at);
      case CALLER.replied:
        connection?.replied(batch[at + 2] === 1);
        return at + 3;
      case CALLER.body:
        this.#body(connection, bytesOf(batch[at + 2] as string | Uint8Array));
        return at + 3;
      case CALLER.bodyEnd:
        connection?.bodyEnded(batch[at + 2] === 1);
        return at + 3;
      case CALLER.opened:
        this.#opened(number, batch[at + 2] as string);
        return at + 3;
      case CALLER.closed:
        if (connection) this.#closed(number, connection);
        return at + 2;
      case CALLER.gone:
        connection?.callerGone();
        return at + 2;
      case CALLER.ended:
        connection?.callerEnded();
        return at + 2;
      case CALLER.framingFailed:
        connection?.framingFailed(batch[at + 2] as ErrorCode, batch[at + 3] as RecordedCause);
        return at + 4;
      case CALLER.refused:
        connection?.refuse(batch[at + 2] as ErrorCode, batch[at + 3] as RecordedCause);
        return at + 4;
      case CALLER.holdsReply:
        connection?.replyHeld(batch[at + 2] as number);
        return at + 3;
      case CALLER.record:
        return this.#record(batch, at);
      default:
        throw new Error(`an HTTP thread said ${batch[at] as number}, which nobody here knows`);
    }
  }

  #opened(number: number, peer: string): void {
    const { edge, guests, identity } = this.#parts;
    const scheme = identity ? 'https' : 'http';
    const connection = new RemoteConnection(edge, this.#outbox, { number, peer, scheme });
    this.#connections.set(number, connection);
    const cap = guests.enter(connection, edge.trustedProxies);
    if (cap) connection.overCap(cap, guests.crowded(cap, connection));
  }

  #closed(number: number, connection: RemoteConnection): void {
    this.#connections.delete(number);
    this.#parts.guests.leave(connection);
    connection.callerGone();
  }

  #body(connection: RemoteConnection | undefined, chunk: Buffer): void {
    this.#taken.add(chunk.length);
    connection?.body(chunk);
  }

  #record(batch: Batch, at: number): number {
    const [peer, code, cause, compared] = batch.slice(at + 1, at + 5) as [
      string,
      ErrorCode,
      RecordedCause,
      RefusalWhy['compared'],
    ];
    recordRefusedSocket(this.#parts.edge, peer, code, cause, compared);
    return at + 5;
  }
}

const LINE_PARTS = 7;

function request(connection: RemoteConnection | undefined, batch: Batch, at: number): number {
  const from = at + LINE_PARTS;
  const end = from + (batch[from - 1] as number);
  const line = batch.slice(at + 3, at + 6) as [string, string, string];
  connection?.request(batch[at + 2] as number, line, batch.slice(from, end) as string[]);
  return end;
}

function bytesOf(chunk: string | Uint8Array): Buffer {
  if (typeof chunk === 'string') return Buffer.from(chunk, 'latin1');
  return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
}
