import { NodeError } from '#sdk';
import { LONG_MS } from './limits.ts';
import type { MessageText } from './message-text.ts';
import type { ScriptSource } from './thread-messages.ts';

/** One call from the moment it is accepted until its promise settles. */
export interface Call {
  readonly script: ScriptQueue;
  /** Null: bring the script up only. */
  readonly input: MessageText | null;
  readonly signal: AbortSignal | null;
  readonly resolve: (result: MessageText) => void;
  readonly reject: (error: Error) => void;
  /** Times that it was lost with its worker before it began. */
  attempts: number;
  settled: boolean;
}

const MEAN_WEIGHT = 0.2;
const MEAN_MS_FIRST = 1;

/** A script as the pool knows it: its source, the calls that wait for a worker, and how long its runs take. */
export class ScriptQueue {
  readonly source: ScriptSource;
  /** For the log. */
  readonly name: string;
  readonly waiting: Call[] = [];
  /** Calls that a worker has. */
  posted = 0;
  closed = false;
  meanMs = MEAN_MS_FIRST;

  constructor(source: ScriptSource, name: string) {
    this.source = source;
    this.name = name;
  }

  /** Long-running as far as is known: its calls run alone, on workers that quick scripts do not wait for. */
  get slow(): boolean {
    return this.meanMs >= LONG_MS;
  }

  ran(ms: number): void {
    this.meanMs += (ms - this.meanMs) * MEAN_WEIGHT;
  }

  /** Seen to run for `ms` already: told at once, so that no second call of it gets in a quick script's way. */
  runsLong(ms: number): void {
    this.meanMs = Math.max(this.meanMs, ms);
  }
}

export function fail(call: Call, code: string, message: string): void {
  if (call.settled) return;
  call.settled = true;
  call.reject(new NodeError(code, message));
}
