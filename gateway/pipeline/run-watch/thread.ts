import { rmSync, writeFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import type { BlockedNode } from '#common/node/blocked-node.ts';
import { LOOK_MS, type MarkMessage, NODE_CELL, TURNS_CELL, type WatchOptions } from './contract.ts';

/** The thread that keeps checking while the event loop is blocked (run-watch.ts). */
const { memory, file, blockedMs } = workerData as WatchOptions;
const cells = new Int32Array(memory);
const places = new Map<number, BlockedNode>();
let turnsSeen = 0;
let turnedMs = performance.now();
let lookedMs = turnedMs;
let written = false;

parentPort?.on('message', ({ id, place }: MarkMessage) => {
  if (place === null) places.delete(id);
  else places.set(id, place);
});

setInterval(look, LOOK_MS);

function look(): void {
  const nowMs = performance.now();
  const turns = Atomics.load(cells, TURNS_CELL);
  // If the thread itself was delayed on a stalled machine, it knows nothing about that time.
  const heldUp = nowMs - lookedMs > 2 * LOOK_MS;
  lookedMs = nowMs;
  if (turns !== turnsSeen || heldUp) {
    turnsSeen = turns;
    turnedMs = nowMs;
    if (turns !== 0 && written) forget();
    return;
  }
  if (!written && nowMs - turnedMs >= blockedMs) name(places.get(Atomics.load(cells, NODE_CELL)));
}

function name(place: BlockedNode | undefined): void {
  if (place === undefined) return;
  written = true;
  try {
    writeFileSync(file, JSON.stringify(place), { mode: 0o600 });
  } catch {
    // The disk is full: the gateway is ended without a name.
  }
}

/** The loop is running again: the node must not be blamed if the gateway ends later. */
function forget(): void {
  written = false;
  try {
    rmSync(file, { force: true });
  } catch {
    // The next gateway removes it.
  }
}
