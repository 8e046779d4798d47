import { Socket } from 'node:net';
import { pinnedLookup } from './pinned-lookup.ts';
import type { Target } from './target-guard.ts';

/** A name that is never resolved: net.connect does not call `lookup` for an IP address. */
const CHECKED = 'checked.invalid';

/**
 * Connects to the checked addresses of a target in turn until one responds (RFC 8305). A name can have several:
 * `localhost` is ::1 and 127.0.0.1 on Debian, and a database often listens on only one of them.
 */
export function connectTarget(target: Target): Socket {
  return new TargetSocket(target).connect();
}

/** For drivers that call `connect` themselves: it connects to the target, whatever address they pass. */
export class TargetSocket extends Socket {
  readonly #target: Target;

  constructor(target: Target) {
    super();
    this.#target = target;
  }

  override connect(): this {
    const { addresses, port } = this.#target;
    const lookup = pinnedLookup(addresses);
    super.connect({ host: CHECKED, port, lookup, autoSelectFamily: true });
    return this.setNoDelay(true).setKeepAlive(true);
  }
}
