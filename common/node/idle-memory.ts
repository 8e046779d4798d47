import { performance } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';

/**
 * Gives memory that is not used back to the system while the calling thread has nothing to do.
 *
 * V8 collects when it needs room. A thread that started and then waits never does, and keeps what only its start needed:
 * half of the room for new objects, sources, code that ran once. Measured (docs/decisions/0011): 30 MB of a service's
 * 150. So once a thread has been quiet for QUIET_LOOKS looks, and holds GROWN_BYTES more than its last collection left,
 * it collects once, thoroughly, in which a call that comes just then waits: 80 ms behind a start, 150 behind a load, on a
 * slow machine twice that. Under load it never does.
 *
 * After the first collection, the threshold is higher, because a collection without running requests discards optimised
 * machine code: the requests of the next second or two take 2 to 3 times as much CPU (100 to 160 µs instead of 40 to 60).
 * A line that calls in bursts would pay that for every burst. Therefore the thread then waits for LONG_QUIET_LOOKS quiet
 * looks, unless it holds MUCH_BYTES more than after its last collection.
 *
 * Limits: one timer per thread, which keeps no process alive; a quiet thread holds MUCH_BYTES too much for at most five
 * minutes.
 */
const LOOK_MS = 5_000;
const QUIET_LOOKS = 2;
const LONG_QUIET_LOOKS = 60;
/** Share of a thread's time. Heartbeats and occasional calls take far less; 50 calls a second take more. */
const QUIET_SHARE = 0.01;
const GROWN_BYTES = 4 * 1024 ** 2;
const MUCH_BYTES = 128 * 1024 ** 2;

interface Thread {
  /** Share of the time since the last call in which the thread was busy, 0 to 1. */
  busy(): number;
  /** Size of its objects and their buffers. */
  heldBytes(): number;
  collect(): void;
}

/** Gives what ends it. */
export function releaseIdleMemory(lookMs = LOOK_MS, thread: Thread = thisThread()): () => void {
  let quietLooks = 0;
  /** Heap size after its last collection. */
  let left: number | null = null;
  thread.busy();
  const timer = setInterval(() => {
    quietLooks = thread.busy() < QUIET_SHARE ? quietLooks + 1 : 0;
    if (quietLooks < QUIET_LOOKS) return;
    const grown = thread.heldBytes() - (left ?? 0);
    const readily = left === null || grown >= MUCH_BYTES;
    if (grown < GROWN_BYTES || !(readily || quietLooks >= LONG_QUIET_LOOKS)) return;
    thread.collect();
    left = thread.heldBytes();
    quietLooks = 0;
  }, lookMs);
  timer.unref();
  return () => clearInterval(timer);
}

function thisThread(): Thread {
  let before = performance.eventLoopUtilization();
  return {
    busy() {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, before);
      before = now;
      return utilization;
    },
    heldBytes() {
      const { total_heap_size: heap, external_memory: buffers } = getHeapStatistics();
      return heap + buffers;
    },
    collect: collectThoroughly,
  };
}

/**
 * There when Node was started with `--expose-gc`, as the package's starter and the supervisor do. (Turned on later, it
 * would change V8's flags, and with them every compiled file that is kept for the next start.)
 */
function collectThoroughly(): void {
  globalThis.gc?.({ type: 'major', flavor: 'last-resort' });
}
