import { CALLS, type CallName } from '#common/capabilities/calls.ts';
import { type Scope, scopeMask } from '#common/scopes.ts';
import type { Capabilities, Script } from '#sdk';
import { callContext } from '../capabilities/call-context.testing.ts';
import { CapabilityAccess } from '../capabilities/access.ts';
import type { CallContext, Capability } from '../capabilities/contract.ts';
import { CapabilityBroker } from '../capabilities/capability-broker.ts';

/** Shared by the sandbox tests of capability calls: the real capability broker with stubbed capabilities. */
export interface Seen {
  readonly name: CallName;
  readonly args: Record<string, unknown>;
  readonly context: CallContext;
  readonly signal: AbortSignal;
}

export type Perform = (seen: Seen) => unknown;

/** A broker that passes every call to `perform`. */
export function stubDoor(perform: Perform): CapabilityBroker {
  const calls = Object.fromEntries(
    (Object.keys(CALLS) as CallName[]).map((name) => [
      name,
      (args: Record<string, unknown>, context: CallContext, signal: AbortSignal) =>
        perform({ name, args, context, signal }),
    ]),
  );
  const stub = { calls, close: () => Promise.resolve() } as unknown as Capability<never>;
  return new CapabilityBroker([stub]);
}

export interface Held {
  readonly capabilities: Capabilities;
  readonly principal: { scopes: number; revoked: boolean; limits: null; rehearsal: boolean; things: null };
  readonly lines: string[];
}

export function holding(door: CapabilityBroker, scopes: readonly Scope[], more: Partial<CallContext> = {}): Held {
  const principal = { scopes: scopeMask(scopes), revoked: false, limits: null, rehearsal: false, things: null };
  const lines: string[] = [];
  const context: CallContext = callContext({
    principal,
    remainingMs: () => 60_000,
    log: (level, message) => void lines.push(`${level} ${message}`),
    ...more,
  });
  return { capabilities: new CapabilityAccess(door, context), principal, lines };
}

const NEVER = new AbortController().signal;

export function callWith(script: Script, held: Held, input: unknown = null, signal = NEVER): Promise<unknown> {
  return script.call(input, { signal, capabilities: held.capabilities });
}
