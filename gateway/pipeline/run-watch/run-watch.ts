import { rmSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { type BlockedNode, blockedNodeFile } from '#common/node/blocked-node.ts';
import { BLOCKED_MS, CELLS, LOOK_MS, type MarkMessage, TURNS_CELL, type WatchOptions } from './contract.ts';
import { NodeMark } from './node-mark.ts';

export interface RunWatch {
  mark(place: BlockedNode): NodeMark;
  close(): Promise<void>;
}

/**
 * Watches for nodes that block the gateway's event loop: a thread writes the node's name into the data folder, where
 * the host finds it once it has ended the gateway (main/host/quarantine.ts).
 *
 * Known weakness: a node that blocks the loop after an `await`, and not in its own call, is not identified.
 */
export function watchRuns(dataDir: string, blockedMs = BLOCKED_MS): RunWatch {
  const file = blockedNodeFile(dataDir);
  // An earlier process's file was read when that process ended.
  rmSync(file, { force: true });
  const memory = new SharedArrayBuffer(CELLS * Int32Array.BYTES_PER_ELEMENT);
  const cells = new Int32Array(memory);
  const worker = new Worker(new URL('./thread.ts', import.meta.url), {
    name: 'run-watch',
    workerData: { memory, file, blockedMs } satisfies WatchOptions,
    env: {},
    argv: [],
  });
  worker.unref();
  const tell = (message: MarkMessage): void => worker.postMessage(message);
  const turns = setInterval(() => Atomics.add(cells, TURNS_CELL, 1), LOOK_MS);
  turns.unref();
  let last = 0;
  return {
    mark(place) {
      const id = ++last;
      tell({ id, place });
      return new NodeMark(cells, id, () => tell({ id, place: null }));
    },
    async close() {
      clearInterval(turns);
      await worker.terminate();
    },
  };
}

/** Without a watching thread: for pipelines outside a gateway. */
export function unwatchedRuns(): RunWatch {
  const cells = new Int32Array(CELLS);
  return { mark: () => new NodeMark(cells, 1, () => undefined), close: () => Promise.resolve() };
}
