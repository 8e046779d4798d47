import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type LogLevel, NodeError, type Script, type ScriptRun } from '#sdk';
import type { Sandbox } from './contract.ts';
import {
  CODE_BYTES_MAX,
  DEADLINE_SECONDS_MAX,
  DEADLINE_SECONDS_MIN,
  QUEUE_LIMITS,
  type QueueLimits,
} from './limits.ts';
import { decodeResult, encodeInput, type MessageText } from './message-text.ts';
import { Pool } from './pool.ts';
import { ScriptQueue } from './script-queue.ts';

export interface SandboxOptions {
  /** Worker threads that stay once started; at least 2, so that an endless script leaves one. Default 2. */
  readonly workers?: number;
  readonly limits?: QueueLimits;
  log(level: LogLevel, message: string): void;
}

const WORKERS_DEFAULT = 2;

/** Scripts in QuickJS (behaviour 11). Nothing is loaded and no thread started before the first script is compiled. */
export async function createSandbox(options: SandboxOptions): Promise<Sandbox> {
  return new QuickJsSandbox(options);
}

class QuickJsSandbox implements Sandbox {
  readonly #options: SandboxOptions;
  #pool: Promise<Pool> | null = null;
  #scripts = 0;
  #closed = false;

  constructor(options: SandboxOptions) {
    this.#options = options;
  }

  async compile(code: string, options: { deadlineSeconds: number; name: string }): Promise<Script> {
    checkScript(code, options.deadlineSeconds);
    const pool = await this.#openPool();
    const source = { script: ++this.#scripts, code, deadlineMs: options.deadlineSeconds * 1000 };
    const queue = new ScriptQueue(source, options.name);
    try {
      await submit(pool, queue, null, null);
    } catch (error) {
      pool.remove(queue);
      throw asInvalid(error);
    }
    return new PooledScript(pool, queue);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await (await this.#pool)?.close();
  }

  #openPool(): Promise<Pool> {
    if (this.#closed) throw new NodeError('script_failed', 'the sandbox is closed');
    this.#pool ??= loadWasm().then((wasm) => new Pool(this.#poolOptions(wasm)));
    return this.#pool;
  }

  #poolOptions(wasm: WebAssembly.Module): ConstructorParameters<typeof Pool>[0] {
    const { workers = WORKERS_DEFAULT, limits = QUEUE_LIMITS, log } = this.#options;
    return { wasm, workers: Math.max(WORKERS_DEFAULT, workers), limits, log };
  }
}

class PooledScript implements Script {
  readonly #pool: Pool;
  readonly #queue: ScriptQueue;

  constructor(pool: Pool, queue: ScriptQueue) {
    this.#pool = pool;
    this.#queue = queue;
  }

  async call(input: unknown, { signal }: ScriptRun): Promise<unknown> {
    return decodeResult(await submit(this.#pool, this.#queue, encodeInput(input), signal));
  }

  close(): void {
    this.#pool.remove(this.#queue);
  }
}

/** A script whose top level had to be ended from outside is as invalid as one that was interrupted there. */
function asInvalid(error: unknown): unknown {
  if (!(error instanceof NodeError) || error.code !== 'script_deadline') return error;
  return new NodeError('script_invalid', error.message, { cause: error });
}

function submit(
  pool: Pool,
  script: ScriptQueue,
  input: MessageText | null,
  signal: AbortSignal | null,
): Promise<MessageText> {
  return new Promise((resolve, reject) => {
    pool.submit({ script, input, signal, resolve, reject, attempts: 0, settled: false });
  });
}

function checkScript(code: string, deadlineSeconds: number): void {
  if (Buffer.byteLength(code) > CODE_BYTES_MAX) {
    throw new NodeError(
      'script_invalid',
      `expected code of at most ${CODE_BYTES_MAX} bytes; it has ${Buffer.byteLength(code)}`,
    );
  }
  if (code.includes('\0')) throw new NodeError('script_invalid', 'expected code without a zero character');
  if (!(deadlineSeconds >= DEADLINE_SECONDS_MIN && deadlineSeconds <= DEADLINE_SECONDS_MAX)) {
    throw new NodeError(
      'script_invalid',
      `expected a deadline of ${DEADLINE_SECONDS_MIN} to ${DEADLINE_SECONDS_MAX} seconds; it is ${deadlineSeconds}`,
    );
  }
}

/** Compiled once; every worker shares the machine code. */
async function loadWasm(): Promise<WebAssembly.Module> {
  const file = fileURLToPath(import.meta.resolve('@jitl/quickjs-wasmfile-release-sync/wasm'));
  return WebAssembly.compile(await readFile(file));
}
