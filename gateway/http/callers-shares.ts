import { getHeapStatistics } from 'node:v8';
import { sourceNetwork } from '#common/cidr.ts';
import { type Bound, type Holder, Shares } from '../net/shares.ts';
import { BODIES_BYTES_MAX, PARSED_BYTES_MAX, PARSED_HEAP_SHARE, REQUESTS_IN_FLIGHT_MAX, RUNS_MAX } from './limits.ts';

/** Limits that callers share, by the names that are reported to the host. */
export const CALLER_CAPS = ['requests', 'runs', 'bodies', 'parsed'] as const;
export type CallerCap = (typeof CALLER_CAPS)[number];

/** `requests` and `runs` are counts. `bodies` (as received) and `parsed` (once decoded) are bytes of memory. */
export type CallerShares = Readonly<Record<CallerCap, Shares>>;

/**
 * `refused` is called with each refusal. `by` is the refused holder or, if the whole limit is used up, its largest
 * holder.
 */
export function callerShares(refused: (cap: CallerCap, by: Holder, bound: Bound) => void = () => {}): CallerShares {
  const make = (name: CallerCap, cap: number): Shares => {
    const shares: Shares = new Shares(cap, (holder: Holder, bound: Bound) =>
      refused(name, bound === 'cap' ? (shares.largest ?? holder) : holder, bound),
    );
    return shares;
  };
  return {
    requests: make('requests', REQUESTS_IN_FLIGHT_MAX),
    runs: make('runs', RUNS_MAX),
    bodies: make('bodies', BODIES_BYTES_MAX),
    parsed: make('parsed', Math.min(PARSED_BYTES_MAX, getHeapStatistics().heap_size_limit * PARSED_HEAP_SHARE)),
  };
}

/** Callers without a key share by network, because one caller can use any number of addresses. */
export function unkeyedHolder(ip: string, project: string): Holder {
  const id = sourceNetwork(ip);
  return { id, name: id, project };
}

/** Below this, bodies are not the cause of a full heap. */
const HOLDS_MUCH_BYTES_MIN = 8 * 1024 * 1024;

/**
 * The likely cause of a full heap: the holder of most memory for bodies or, if bodies are small, of most runs. Null if
 * there are no runs.
 */
export function likelyHeapHolder({ parsed, runs }: CallerShares): Holder | null {
  const { largest } = parsed;
  return largest !== null && parsed.held(largest) >= HOLDS_MUCH_BYTES_MIN ? largest : runs.largest;
}
