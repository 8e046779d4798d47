import type { QueueLimits } from './limits.ts';
import type { Call, ScriptQueue } from './script-queue.ts';

/** The calls that no worker has yet, first come first served within a script; scripts take turns. */
export class WaitingCalls {
  readonly #limits: QueueLimits;
  /** Scripts with waiting calls; the first is next. */
  #turns: ScriptQueue[] = [];
  #count = 0;
  #chars = 0;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  get count(): number {
    return this.#count;
  }

  /** How many scripts have calls waiting. */
  get scripts(): number {
    return this.#turns.length;
  }

  /** The script whose turn it is. To be asked while `scripts` is above 0. */
  get next(): ScriptQueue {
    const [script] = this.#turns;
    if (script === undefined) throw new Error('no script has calls waiting');
    return script;
  }

  full(call: Call): boolean {
    return (
      call.script.waiting.length >= this.#limits.callsPerScript ||
      this.#count >= this.#limits.calls ||
      this.#chars + sizeOf(call) > this.#limits.chars
    );
  }

  add(call: Call): void {
    this.#enter(call);
    call.script.waiting.push(call);
  }

  /** Before those that came later. It was accepted once, so no limit refuses it now. */
  putBack(call: Call): void {
    this.#enter(call);
    call.script.waiting.unshift(call);
  }

  /** Passes the turn on; takes the oldest call of the script whose turn it was if `take`. */
  turn(take: boolean): Call | undefined {
    const script = this.next;
    this.#turns.shift();
    const call = take ? script.waiting.shift() : undefined;
    if (call !== undefined) this.#leave(call);
    if (script.waiting.length > 0) this.#turns.push(script);
    return call;
  }

  removeScript(script: ScriptQueue): Call[] {
    this.#turns = this.#turns.filter((entry) => entry !== script);
    const calls = script.waiting.splice(0);
    for (const call of calls) this.#leave(call);
    return calls;
  }

  removeAll(): Call[] {
    return this.#turns.flatMap((script) => this.removeScript(script));
  }

  /** Takes out the calls whose run was cancelled. */
  cancelled(): Call[] {
    const calls = this.#turns.flatMap((script) => script.waiting.filter((call) => call.signal?.aborted === true));
    for (const call of calls) {
      call.script.waiting.splice(call.script.waiting.indexOf(call), 1);
      this.#leave(call);
    }
    this.#turns = this.#turns.filter((script) => script.waiting.length > 0);
    return calls;
  }

  #enter(call: Call): void {
    if (call.script.waiting.length === 0) this.#turns.push(call.script);
    this.#count += 1;
    this.#chars += sizeOf(call);
  }

  #leave(call: Call): void {
    this.#count -= 1;
    this.#chars -= sizeOf(call);
  }
}

function sizeOf(call: Call): number {
  return call.input?.text.length ?? 0;
}
