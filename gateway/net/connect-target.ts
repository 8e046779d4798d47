import { connect, type Socket } from 'node:net';
import { pinnedLookup } from './pinned-lookup.ts';
import type { Target } from './target-guard.ts';

/** A name that no look-up is made for: net.connect takes an address in figures without asking `lookup`. */
const CHECKED = 'checked.invalid';

/**
 * Dials the checked addresses of a target in turn until one answers (RFC 8305). A name has several: `localhost` is ::1
 * and 127.0.0.1 on Debian, and a database often listens on one of them alone.
 */
export function connectTarget({ addresses, port }: Target): Socket {
  const lookup = pinnedLookup(addresses);
  return connect({ host: CHECKED, port, lookup, autoSelectFamily: true, noDelay: true, keepAlive: true });
}
