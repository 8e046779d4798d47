/**
 * The only access to capabilities (docs/spec/capabilities.md#calls): each call of a native node, a script or a
 * third-party kind passes through the broker and is checked against the rights that its run has at that moment.
 *
 * Order of checks: the call is declared, the scope is held, the arguments are valid and within the limits of the key,
 * there is capacity. A call that writes is then recorded (write-log.ts). Then it is performed, and ends at its own time
 * limit or with its run. Nothing is started for a run that has ended. Limits: CALLS_MAX at once, CALLS_PER_PROJECT_MAX
 * per project, the time limit of the call. Security: fails closed. A call that is not declared, provided or granted is
 * refused; a revoked key has no scope.
 */
import {
  CALLS,
  type CallDeclaration,
  type CallInput,
  type CallName,
  type CallValue,
  isCallName,
} from '#common/capabilities/calls.ts';
import { CALL_THINGS, isLimitedCall } from '#common/capabilities/things.ts';
import type { ThingList } from '#common/model/key-limits.ts';
import type { z } from 'zod';
import { missingScopes, NO_SCOPES, type ScopeMask, scopeMask, scopeNames } from '#common/scopes.ts';
import { NodeError, ScopeMissingError } from '#sdk';
import type { CallContext, Capability, Perform } from './contract.ts';
import { expectUse } from './principal.ts';
import { CALL_WRITES, isWritingCall, type KnownThing, rehearsedResult, resultOf } from './writes/planned-write.ts';
import { noteWrites } from './writes/rehearsal.ts';
import type { WriteLog } from './write-log.ts';

export const CALLS_MAX = 2_000;
export const CALLS_PER_PROJECT_MAX = 1_000;

interface Passage {
  readonly declaration: CallDeclaration;
  readonly needs: ScopeMask;
  /** The list of limits that concerns the call, and the things that checked arguments name; null = it has no limits. */
  readonly limited: { readonly list: ThingList; readonly things: (args: never) => readonly string[] } | null;
  readonly perform: Perform<CallName>;
  /** Simulates the call. */
  readonly rehearse: Perform<CallName>;
  readonly known: (project: string, name: string) => KnownThing | null;
}

export class CapabilityBroker {
  readonly #passages = new Map<string, Passage>();
  readonly #perProject = new Map<string, number>();
  readonly #writes: WriteLog | null;
  #pending = 0;

  /** `writes`: null = writes are not recorded. */
  constructor(capabilities: readonly Capability<never>[], writes: WriteLog | null = null) {
    this.#writes = writes;
    for (const capability of capabilities) {
      const known: Passage['known'] = (project, name) => capability.known?.(project, name) ?? null;
      const simulated: Record<string, unknown> = capability.rehearsals ?? {};
      for (const [name, perform] of Object.entries(capability.calls)) {
        const rehearse = (simulated[name] ?? cannotRehearse) as Perform<CallName>;
        this.#add(name, { perform: perform as Perform<CallName>, rehearse, known });
      }
    }
  }

  #add(name: string, ways: Pick<Passage, 'perform' | 'rehearse' | 'known'>): void {
    if (!isCallName(name) || this.#passages.has(name)) throw new Error(`the call ${name} is unknown or given twice`);
    const declaration: CallDeclaration = CALLS[name];
    const needs = declaration.scope === null ? NO_SCOPES : scopeMask([declaration.scope]);
    const limited = isLimitedCall(name)
      ? { list: declaration.scope ?? ('targets' as const), things: CALL_THINGS[name] }
      : null;
    if (limited === null && needs !== NO_SCOPES) throw new Error(`the call ${name} cannot be limited`);
    this.#passages.set(name, { declaration, needs, limited, ...ways });
  }

  /**
   * Throws NodeError: `scope_missing`, `limit_missing`, `call_unknown`, `call_invalid`, `calls_full`, `call_timeout`, or
   * a code of the call itself.
   */
  async call<N extends CallName>(context: CallContext, name: N, args: CallInput<N>): Promise<CallValue<N>> {
    const passage = this.#passages.get(name);
    if (passage === undefined || (passage.declaration.pluginsOnly === true && context.plugin === undefined))
      throw new NodeError('call_unknown', `there is no call "${name.slice(0, 60)}"`);
    refuseWithoutScope(context, passage);
    const checked = readArgs(name, passage.declaration, args);
    refuseOutsideLimit(context, passage, checked);
    // The declaration by that name is where both types come from.
    return (await this.#perform(passage, context, name, checked)) as CallValue<N>;
  }

  /** A call from a script: by an arbitrary name and arguments in the declared order. */
  async invoke(context: CallContext, name: string, positional: readonly unknown[]): Promise<unknown> {
    if (!isCallName(name)) throw new NodeError('call_unknown', `there is no call "${name.slice(0, 60)}"`);
    const names = Object.keys(CALLS[name].args.shape);
    if (positional.length > names.length)
      throw new NodeError(
        'call_invalid',
        `${name}: expected at most ${names.length} arguments; there are ${positional.length}`,
      );
    const entries = names.map((key, index) => [key, positional[index]] as const);
    const args: Record<string, unknown> = Object.fromEntries(entries.filter(([, value]) => value !== undefined));
    return this.call(context, name, args);
  }

  async #perform(passage: Passage, context: CallContext, name: string, args: unknown): Promise<unknown> {
    const leftMs = context.remainingMs();
    // A run that ended normally aborts nothing, but a script call that was not awaited may still make calls.
    if (context.signal.aborted || leftMs <= 0) throw cancelledCall(name);
    this.#enter(context.project, name);
    const limitMs = Math.min(passage.declaration.secondsMax * 1000, leftMs);
    const ended = new AbortController();
    const over = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      over.reject(new NodeError('call_timeout', `${name} did not end within ${Math.round(limitMs)} ms`));
      ended.abort();
    }, limitMs);
    const cancelled = (): void => {
      over.reject(cancelledCall(name));
      ended.abort();
    };
    context.signal.addEventListener('abort', cancelled, { once: true });
    try {
      const performed = this.#performed(passage, context, name, args, ended.signal);
      // A call that was abandoned at its limit may still fail; its error is ignored.
      performed.catch(() => undefined);
      return await Promise.race([performed, over.promise]);
    } finally {
      clearTimeout(timer);
      context.signal.removeEventListener('abort', cancelled);
      over.promise.catch(() => undefined);
      this.#leave(context.project);
    }
  }

  async #performed(
    { perform, rehearse, known }: Passage,
    context: CallContext,
    name: string,
    args: unknown,
    signal: AbortSignal,
  ): Promise<unknown> {
    if (!isWritingCall(name)) return perform(args as never, context, signal);
    const lookUp = (thing: string): KnownThing | null => known(context.project, thing);
    const planned = CALL_WRITES[name](args as never, lookUp);
    const rehearsal = context.rehearsal();
    const way = rehearsal === null ? perform : rehearse;
    const work = {
      perform: () => way(args as never, context, signal),
      resultOf: (value: unknown) => (rehearsal === null ? resultOf(name, value) : rehearsedResult(name, value)),
      lookUp,
    };
    const done = this.#writes === null ? work.perform() : this.#writes.around(planned, context, signal, work);
    const value = await done;
    if (rehearsal !== null && work.resultOf(value).result === 'rehearsed') noteWrites(rehearsal, planned, context);
    return value;
  }

  #enter(project: string, name: string): void {
    const inProject = this.#perProject.get(project) ?? 0;
    if (this.#pending >= CALLS_MAX || inProject >= CALLS_PER_PROJECT_MAX)
      throw new NodeError('calls_full', `${name}: too many calls are under way already`);
    this.#pending += 1;
    this.#perProject.set(project, inProject + 1);
  }

  #leave(project: string): void {
    this.#pending -= 1;
    const left = (this.#perProject.get(project) ?? 1) - 1;
    if (left === 0) this.#perProject.delete(project);
    else this.#perProject.set(project, left);
  }
}

function cancelledCall(name: string): NodeError {
  return new NodeError('call_cancelled', `${name} was cancelled with its run`);
}

function cannotRehearse(): never {
  throw new NodeError('call_invalid', 'this call cannot be rehearsed');
}

function refuseWithoutScope({ principal }: CallContext, { needs }: Passage): void {
  const held = principal.revoked ? NO_SCOPES : principal.scopes;
  const missing = missingScopes(needs, held);
  if (missing !== NO_SCOPES) throw new ScopeMissingError(scopeNames(missing));
}

/** Refuses the whole call if one thing is outside: a call that reaches many things is never performed in part. */
function refuseOutsideLimit({ principal }: CallContext, { limited }: Passage, args: unknown): void {
  if (limited === null || (principal.limits === null && principal.things === null)) return;
  expectUse(principal, limited.list, limited.things(args as never));
}

function readArgs(name: string, declaration: CallDeclaration, args: unknown): unknown {
  const read = declaration.args.safeParse(args);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const path = issue?.path.join('.') ?? '';
  throw new NodeError('call_invalid', `${name}: ${path === '' ? '' : `${path}: `}${fault(issue)}`);
}

function fault(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code === 'unrecognized_keys') return `unknown argument ${issue.keys.slice(0, 5).join(', ')}`;
  // For a missing argument that accepts any JSON type, Zod reports only its generic message.
  if (issue?.code === 'invalid_type' && issue.message.startsWith('Invalid input')) return 'expected a value';
  return issue?.message ?? 'the arguments are not valid';
}
