import { refusalOf, type RunRefusal } from '#common/errors/node-codes.ts';
import { LimitMissingError, type LogLevel, NodeError, ScopeMissingError } from '#sdk';
import type { QueueLimits } from './limits.ts';
import type { MessageText } from './message-text.ts';
import { CallBytes } from './call-bytes.ts';
import type { HeldImages } from './held-images.ts';
import { RunCalls } from './run-calls.ts';
import { type Call, fail, failWith, type ScriptQueue, succeed } from './script-queue.ts';
import { freeBuffer } from './spare-buffers.ts';
import { SuspendedRuns } from './suspended-runs.ts';
import type { Calls, FailureCode, Image } from './thread-messages.ts';

export interface CallingRunsOptions {
  readonly limits: QueueLimits;
  readonly held: HeldImages;
  /** Returns a waiting run to the queue. */
  resume(call: Call): void;
  log(level: LogLevel, message: string): void;
}

/** Runs that make capability calls: their calls are started here, and the runs wait here. */
export class CallingRuns {
  readonly #options: CallingRunsOptions;
  readonly #suspended: SuspendedRuns;
  readonly #callBytes: CallBytes;

  constructor(options: CallingRunsOptions) {
    this.#options = options;
    this.#suspended = new SuspendedRuns(options.held);
    this.#callBytes = new CallBytes(options.limits);
  }

  /** A worker's result of a run that has made calls. */
  result(call: Call, code: FailureCode | '' | 'suspended', result: MessageText, made: Calls): void {
    const calls = (call.calls ??= this.#callsOf(call));
    try {
      calls.begin(made.requests);
    } catch (error) {
      if (!(error instanceof NodeError)) throw error;
      this.drop(made.image);
      return failWith(call, error);
    }
    if (code === 'suspended') return this.#suspend(call, calls, made);
    if (code === '') return void this.#finish(call, calls, result, made.unheard);
    const cause = made.cause === null ? null : calls.failure(made.cause);
    if (cause !== null && isPassedOn(cause)) return failWith(call, cause);
    fail(call, code, result.text);
  }

  /** The memory of a guest that will not continue. */
  drop(image: Image | null): void {
    if (image !== null) freeBuffer(image.buffer);
  }

  failScript(script: ScriptQueue): void {
    this.#suspended.failScript(script);
  }

  failAll(): void {
    this.#suspended.failAll();
  }

  #callsOf(call: Call): RunCalls {
    return new RunCalls({
      capabilities: call.capabilities,
      bytes: this.#callBytes,
      project: call.script.project,
      answered: () => this.#answered(call),
      faulty: (name, cause) => {
        const detail = cause instanceof Error ? cause.message : String(cause);
        this.#options.log('error', `sandbox: the capability call ${name} failed: ${detail.slice(0, 200)}`);
      },
    });
  }

  #suspend(call: Call, calls: RunCalls, { image }: Calls): void {
    if (calls.pending === 0 && !calls.hasAnswers) {
      this.drop(image);
      return fail(call, 'script_stalled', 'it waits for a promise that nothing can settle');
    }
    call.image = image;
    call.input = null;
    const full = this.#suspended.full(call);
    this.#suspended.add(call);
    if (full) return fail(call, 'script_overloaded', 'too many scripts wait for capability calls');
    if (call.signal?.aborted === true) return fail(call, 'script_cancelled', 'the run was cancelled');
    if (calls.hasAnswers) this.#answered(call);
  }

  #answered(call: Call): void {
    if (call.image !== null && this.#suspended.wake(call)) this.#options.resume(call);
  }

  /** The run has its result; calls that it did not await are completed first, and if one fails, the run fails. */
  async #finish(call: Call, calls: RunCalls, result: MessageText, unheard: readonly number[]): Promise<void> {
    if (unheard.length > 0 && this.#suspended.full(call))
      return fail(call, 'script_overloaded', 'too many scripts wait for capability calls');
    this.#suspended.add(call);
    const failure = await calls.failureAmong(unheard);
    if (failure === null) return succeed(call, result);
    failWith(call, isPassedOn(failure) ? failure : new NodeError('script_failed', failure.message));
  }
}

const PASSED_ON: readonly RunRefusal[] = ['storage_unavailable', 'value_stale', 'interlock', 'write_stopped'];

/**
 * Failed calls whose code becomes that of the script: missing rights, the nesting depth of scripts, a full disk, an old
 * value, a refused write.
 */
function isPassedOn(failure: NodeError): boolean {
  return (
    failure instanceof ScopeMissingError ||
    failure instanceof LimitMissingError ||
    failure.code === 'script_depth' ||
    PASSED_ON.includes(refusalOf(failure.code))
  );
}
