import type { CallInput, CallName, CallValue } from '#common/capabilities/calls.ts';
import { type Scope, scopeMask } from '#common/scopes.ts';
import type { Capabilities, PluginReach } from '#sdk';
import type { CallContext } from './contract.ts';
import type { CapabilityBroker } from './capability-broker.ts';
import { narrowed } from './principal.ts';

/** The broker as one node sees it: the caller is fixed, the call varies. */
export class CapabilityAccess implements Capabilities {
  readonly #door: CapabilityBroker;
  readonly #context: CallContext;

  constructor(door: CapabilityBroker, context: CallContext) {
    this.#door = door;
    this.#context = context;
  }

  call<N extends CallName>(name: N, args: CallInput<N>): Promise<CallValue<N>> {
    return this.#door.call(this.#context, name, args);
  }

  invoke(name: string, positional: readonly unknown[]): Promise<unknown> {
    return this.#door.invoke(this.#context, name, positional);
  }

  asPlugin(plugin: PluginReach): Capabilities {
    return new CapabilityAccess(this.#door, { ...this.#context, plugin });
  }

  limitedTo(scopes: readonly Scope[]): Capabilities {
    const principal = narrowed(this.#context.principal, scopeMask(scopes));
    return new CapabilityAccess(this.#door, { ...this.#context, principal });
  }
}
