import { HALF } from '../net/shares.ts';
import type { QueueLimits } from './limits.ts';
import type { Call, ScriptQueue } from './script-queue.ts';

/**
 * The calls that no worker has yet, in order of arrival within a script; scripts take turns, starting with the project
 * that has the fewest calls in the workers. One project may have at most half of the waiting calls.
 */
export class WaitingCalls {
  readonly #limits: QueueLimits;
  /** Scripts with waiting calls, in the order of their turns. */
  #turns: ScriptQueue[] = [];
  readonly #ofProjects = new Map<string, Waiting>();
  #count = 0;
  #chars = 0;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  get count(): number {
    return this.#count;
  }

  /**
   * The next script, of those that `mayRun`: it belongs to the project with the fewest calls in the workers, and its
   * last turn is longest ago. `posted`: the number of calls of a project there.
   */
  next(mayRun: (script: ScriptQueue) => boolean, posted: (project: string | null) => number): ScriptQueue | null {
    let found: ScriptQueue | null = null;
    let fewest = Infinity;
    for (const script of this.#turns) {
      if (!mayRun(script)) continue;
      const count = posted(script.project);
      if (count >= fewest) continue;
      found = script;
      fewest = count;
      if (count === 0) break;
    }
    return found;
  }

  full(call: Call): boolean {
    const { callsPerScript, calls, chars } = this.#limits;
    if (call.script.waiting.length >= callsPerScript) return true;
    if (this.#count >= calls || this.#chars + sizeOf(call) > chars) return true;
    const own = this.#ofProjects.get(call.script.project ?? '');
    if (own === undefined || call.script.project === null) return false;
    return own.count >= calls * HALF || own.chars + sizeOf(call) > chars * HALF;
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

  /** The oldest call of the script, whose next turn comes after the others'. */
  take(script: ScriptQueue): Call | undefined {
    const call = script.waiting.shift();
    this.#turns.splice(this.#turns.indexOf(script), 1);
    if (script.waiting.length > 0) this.#turns.push(script);
    if (call !== undefined) this.#leave(call);
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

  /** Removes the calls whose run was cancelled. */
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
    this.#note(call, 1);
  }

  #leave(call: Call): void {
    this.#note(call, -1);
  }

  #note(call: Call, sign: 1 | -1): void {
    const project = call.script.project ?? '';
    const own = this.#ofProjects.get(project) ?? { count: 0, chars: 0 };
    this.#count += sign;
    this.#chars += sign * sizeOf(call);
    own.count += sign;
    own.chars += sign * sizeOf(call);
    if (own.count > 0) this.#ofProjects.set(project, own);
    else this.#ofProjects.delete(project);
  }
}

interface Waiting {
  count: number;
  chars: number;
}

function sizeOf(call: Call): number {
  return call.input?.text.length ?? 0;
}
