import { performance } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';

/**
 * Releases unused memory to the system while the calling thread is idle.
 *
 * V8 collects when it needs room. A thread that starts and then waits never does, and keeps memory that only its start
 * needed: half of the young generation, sources, code that ran once. Measured (docs/decisions/0011): 30 MB of a
 * service's 150. So once a thread has been quiet for QUIET_LOOKS checks, and holds GROWN_BYTES more than after its last
 * collection, it runs one full collection. A call that arrives at that moment waits: 80 ms after a start, 150 after a
 * load, on a slow machine twice as long. Under load this never happens.
 *
 * After the first collection, the threshold is higher, because a collection without running requests discards optimised
 * machine code: the requests of the next second or two take 2 to 3 times as much CPU (100 to 160 µs instead of 40 to
 * 60). A line that calls in bursts would pay this for every burst. Therefore the thread then waits for LONG_QUIET_LOOKS
 * quiet checks, unless it holds MUCH_BYTES more than after its last collection.
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
  /** Bytes of its objects and their buffers. */
  heldBytes(): number;
  collect(): void;
}

/** Returns a function that stops it. */
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
 * Present if Node was started with `--expose-gc`, as by the launcher of the package and by the supervisor. (Enabling it
 * later would change V8's flags and invalidate the compile cache.)
 */
function collectThoroughly(): void {
  globalThis.gc?.({ type: 'major', flavor: 'last-resort' });
}
