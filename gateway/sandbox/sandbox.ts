import type { ScriptRuns } from '#common/control/messages.ts';
import { type LogLevel, NodeError, type Script, type ScriptRun } from '#sdk';
import type { CompileOptions, IsolatedModule, IsolatedOptions, IsolatedRun, Sandbox } from './contract.ts';
import { loadEngineWasm } from './engine-wasm.ts';
import { HeldImages } from './held-images.ts';
import {
  CODE_BYTES_MAX,
  DEADLINE_SECONDS_MAX,
  DEADLINE_SECONDS_MIN,
  PLUGIN_CODE_BYTES_MAX,
  QUEUE_LIMITS,
  type QueueLimits,
} from './limits.ts';
import { decodeResult, encodeInput, type MessageText } from './message-text.ts';
import { NativeRuns } from './native/native-runs.ts';
import { LEFT } from './native/native-script.ts';
import { Pool } from './pool.ts';
import { prelude } from './prelude.ts';
import { type Call, ScriptQueue } from './script-queue.ts';

export interface SandboxOptions {
  /** Permanent worker threads once started; at least 2, so that an endless script leaves one free. Default 2. */
  readonly workers?: number;
  readonly limits?: QueueLimits;
  /** Whether scripts run natively where they can. Default false. */
  readonly native?: boolean;
  log(level: LogLevel, message: string): void;
}

const WORKERS_DEFAULT = 2;

/**
 * Scripts in QuickJS (docs/spec/sandbox.md#isolation). Nothing is loaded and no thread is started before the first
 * script is compiled.
 */
export async function createSandbox(options: SandboxOptions): Promise<Sandbox> {
  return new QuickJsSandbox(options);
}

class QuickJsSandbox implements Sandbox {
  readonly #options: SandboxOptions;
  readonly #isolated = new Set<Pool>();
  readonly #limits: QueueLimits;
  readonly #held: HeldImages;
  #wasm: Promise<WebAssembly.Module> | null = null;
  #pool: Promise<Pool> | null = null;
  #scripts = 0;
  #closed = false;
  #native: boolean;
  readonly runs: ScriptRuns = { native: 0, sandbox: 0 };

  constructor(options: SandboxOptions) {
    this.#options = options;
    this.#native = options.native ?? false;
    this.#limits = options.limits ?? QUEUE_LIMITS;
    this.#held = new HeldImages(this.#limits);
  }

  async compile(code: string, options: CompileOptions): Promise<Script> {
    checkScript(code, CODE_BYTES_MAX, options.deadlineSeconds);
    const pool = await this.#openPool();
    const queue = await this.#bringUp(pool, code, options);
    return new PooledScript(pool, queue, new NativeRuns(code), () => this.#native, this.runs);
  }

  async compileIsolated(code: string, options: IsolatedOptions): Promise<IsolatedModule> {
    checkScript(code, PLUGIN_CODE_BYTES_MAX, options.deadlineSeconds);
    const pool = this.#makePool(await this.#openWasm(), options.kinds);
    this.#isolated.add(pool);
    const close = (): Promise<void> => {
      this.#isolated.delete(pool);
      return pool.close();
    };
    try {
      const first = await this.#bringUp(pool, code, options);
      return new IsolatedScript(pool, first, () => this.#queueOf(code, options), close);
    } catch (error) {
      await close();
      throw error;
    }
  }

  useNative(native: boolean): void {
    this.#native = native;
  }

  async close(): Promise<void> {
    this.#closed = true;
    const shared = await this.#pool;
    const pools = shared === null ? [...this.#isolated] : [...this.#isolated, shared];
    await Promise.all(pools.map((pool) => pool.close()));
  }

  #queueOf(code: string, { deadlineSeconds, name, project }: CompileOptions): ScriptQueue {
    return new ScriptQueue({ script: ++this.#scripts, code, deadlineMs: deadlineSeconds * 1000 }, name, project);
  }

  async #bringUp(pool: Pool, code: string, options: CompileOptions): Promise<ScriptQueue> {
    const queue = this.#queueOf(code, options);
    try {
      await submit(pool, { script: queue, input: null, signal: null, capabilities: null });
    } catch (error) {
      pool.remove(queue);
      throw asInvalid(error);
    }
    return queue;
  }

  async #openPool(): Promise<Pool> {
    const wasm = await this.#openWasm();
    this.#pool ??= Promise.resolve(this.#makePool(wasm, null));
    return this.#pool;
  }

  async #openWasm(): Promise<WebAssembly.Module> {
    this.#refuseClosed();
    this.#wasm ??= loadEngineWasm();
    const wasm = await this.#wasm;
    this.#refuseClosed();
    return wasm;
  }

  #refuseClosed(): void {
    if (this.#closed) throw new NodeError('script_failed', 'the sandbox is closed');
  }

  /** `kinds` of the plugin that it belongs to; null: for all scripts. */
  #makePool(wasm: WebAssembly.Module, kinds: readonly string[] | null): Pool {
    const isolated = kinds !== null;
    const { workers = WORKERS_DEFAULT, log } = this.#options;
    return new Pool({
      code: { wasm, prelude: prelude(kinds) },
      workers: isolated ? 1 : Math.max(WORKERS_DEFAULT, workers),
      isolated,
      limits: this.#limits,
      held: this.#held,
      log,
    });
  }
}

class PooledScript implements Script {
  readonly #pool: Pool;
  readonly #queue: ScriptQueue;
  readonly #native: NativeRuns;
  readonly #isNative: () => boolean;
  readonly #runs: ScriptRuns;

  constructor(pool: Pool, queue: ScriptQueue, native: NativeRuns, isNative: () => boolean, runs: ScriptRuns) {
    this.#pool = pool;
    this.#queue = queue;
    this.#native = native;
    this.#isNative = isNative;
    this.#runs = runs;
  }

  async call(input: unknown, { signal, capabilities }: ScriptRun): Promise<unknown> {
    if (signal.aborted) throw new NodeError('script_cancelled', 'the run was cancelled');
    if (this.#isNative() && !this.#queue.closed) {
      const result = this.#native.run(input);
      if (result !== LEFT) {
        this.#runs.native += 1;
        return result;
      }
    }
    this.#runs.sandbox += 1;
    const call = { script: this.#queue, input: encodeInput(input), signal, capabilities };
    return decodeResult(await submit(this.#pool, call));
  }

  close(): void {
    this.#pool.remove(this.#queue);
  }
}

/** For each project a separate script in the pool, and thus a separate instance. */
class IsolatedScript implements IsolatedModule {
  readonly #pool: Pool;
  readonly #projects = new Map<string, ScriptQueue>();
  /** Started to check the code; used for the first project. */
  #first: ScriptQueue | null;
  readonly #newQueue: () => ScriptQueue;
  readonly #close: () => Promise<void>;

  constructor(pool: Pool, first: ScriptQueue, newQueue: () => ScriptQueue, close: () => Promise<void>) {
    this.#pool = pool;
    this.#first = first;
    this.#newQueue = newQueue;
    this.#close = close;
  }

  async call(kind: string, args: readonly unknown[], run: IsolatedRun): Promise<unknown> {
    const { signal, capabilities, deadlineSeconds, project } = run;
    const call = { script: this.#queueOf(project), input: encodeInput([kind, args]), signal, capabilities };
    return decodeResult(await submit(this.#pool, call, deadlineSeconds * 1000));
  }

  leave(project: string): void {
    const queue = this.#projects.get(project);
    if (queue === undefined) return;
    this.#projects.delete(project);
    this.#pool.remove(queue);
  }

  close(): Promise<void> {
    return this.#close();
  }

  #queueOf(project: string): ScriptQueue {
    let queue = this.#projects.get(project);
    if (queue === undefined) {
      queue = this.#first ?? this.#newQueue();
      queue.project = project;
      this.#first = null;
      this.#projects.set(project, queue);
    }
    return queue;
  }
}

/** A script whose top level had to be ended from outside is as invalid as one that was interrupted there. */
function asInvalid(error: unknown): unknown {
  if (!(error instanceof NodeError) || error.code !== 'script_deadline') return error;
  return new NodeError('script_invalid', error.message, { cause: error });
}

type NewCall = Pick<Call, 'script' | 'input' | 'signal' | 'capabilities'>;

function submit(pool: Pool, call: NewCall, deadlineMs = call.script.source.deadlineMs): Promise<MessageText> {
  return new Promise((resolve, reject) => {
    pool.submit({
      ...call,
      deadlineMs,
      resolve,
      reject,
      attempts: 0,
      settled: false,
      usedMs: 0,
      calls: null,
      image: null,
      release: null,
    });
  });
}

function checkScript(code: string, bytesMax: number, deadlineSeconds: number): void {
  if (Buffer.byteLength(code) > bytesMax) {
    throw new NodeError(
      'script_invalid',
      `expected code of at most ${bytesMax} bytes; it has ${Buffer.byteLength(code)}`,
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
