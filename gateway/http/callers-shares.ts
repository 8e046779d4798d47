import { getHeapStatistics } from 'node:v8';
import { sourceNetwork } from '#common/cidr.ts';
import { type Bound, type Holder, Shares } from '../net/shares.ts';
import { BODIES_BYTES_MAX, PARSED_BYTES_MAX, PARSED_HEAP_SHARE, REQUESTS_IN_FLIGHT_MAX, RUNS_MAX } from './limits.ts';

/** The caps that callers share, by the names that are reported to the host. */
export const CALLER_CAPS = ['requests', 'runs', 'bodies', 'parsed'] as const;
export type CallerCap = (typeof CALLER_CAPS)[number];

/** `requests` and `runs` are counted, `bodies` (as they come) and `parsed` (what they become in memory) are bytes. */
export type CallerShares = Readonly<Record<CallerCap, Shares>>;

/** `refused` is called with each refusal. `by`: the refused holder or, when the whole cap is taken, its largest one. */
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

/** Callers without a key share by network, because a caller can have any number of addresses. */
export function unkeyedHolder(ip: string, project: string): Holder {
  const id = sourceNetwork(ip);
  return { id, name: id, project };
}

/** Below, bodies do not explain a heap that is full. */
const HOLDS_MUCH_BYTES_MIN = 8 * 1024 * 1024;

/**
 * Who likely fills the heap: the holder of most memory for bodies or, where bodies are small, of most runs. Null = nobody
 * has a run.
 */
export function likelyHeapHolder({ parsed, runs }: CallerShares): Holder | null {
  const { largest } = parsed;
  return largest !== null && parsed.held(largest) >= HOLDS_MUCH_BYTES_MIN ? largest : runs.largest;
}
