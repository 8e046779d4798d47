import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { errorCode, replaceFile } from '#common/node/atomic-file.ts';
import type { Logger } from '#common/node/log.ts';
import { createSerialQueue } from '#common/serial-queue.ts';

/**
 * State of the window between starts: one small JSON file in the data folder. It must never prevent a start: a damaged,
 * oversized or invalid file is ignored with a log line, and written again.
 */
export const STATE_FILE = 'state.json';
const STATE_BYTES_MAX = 4_096;
/** No screen is this large; larger values were not written by Sluice. */
const PIXELS_MAX = 100_000;

const pixels = z.int().min(-PIXELS_MAX).max(PIXELS_MAX);
const size = z.int().min(1).max(PIXELS_MAX);
const stateSchema = z.strictObject({
  bounds: z.strictObject({ x: pixels, y: pixels, width: size, height: size }).nullable(),
  maximised: z.boolean(),
  kiosk: z.boolean(),
  /** A user was informed that closing the window does not end Sluice. */
  toldStillServing: z.boolean(),
});

export type DesktopState = z.infer<typeof stateSchema>;

export const FIRST_STATE: DesktopState = { bounds: null, maximised: false, kiosk: false, toldStillServing: false };

export async function readDesktopState(file: string, log: Pick<Logger, 'warn'>): Promise<DesktopState> {
  try {
    const bytes = await readFile(file);
    if (bytes.length > STATE_BYTES_MAX) throw new Error(`it has ${bytes.length} bytes; expected at most 4,096`);
    return stateSchema.parse(JSON.parse(bytes.toString('utf8')));
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') log.warn('the state of the window is not usable and is reset', { error });
    return FIRST_STATE;
  }
}

export interface StateKeeper {
  readonly current: DesktopState;
  /** Resolves when it is on disk; rejects if it cannot be written. The last call wins. */
  change(part: Partial<DesktopState>): Promise<void>;
}

/** One writer, one write at a time. */
export function createStateKeeper(file: string, first: DesktopState): StateKeeper {
  let current = first;
  const writes = createSerialQueue();
  return {
    get current() {
      return current;
    },
    change(part) {
      current = { ...current, ...part };
      return writes.take(() => replaceFile(file, Buffer.from(`${JSON.stringify(current)}\n`)));
    },
  };
}
