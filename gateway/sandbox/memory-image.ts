const BLOCK_BYTES = 4096;
const ZEROS = Buffer.alloc(64 * 1024);

/** The stretch of a fresh instance's memory that its C stack has not used yet. What lies there is dead between calls. */
export interface Gap {
  readonly from: number;
  readonly to: number;
}

/**
 * The longest run of zero blocks below the used top. To be asked before any script has run: only then is that
 * certainly the stack (5 MiB), and not a script's own empty array.
 */
export function findGap(memory: WebAssembly.Memory): Gap {
  const view = Buffer.from(memory.buffer);
  const top = usedTop(view);
  let longest: Gap = { from: 0, to: 0 };
  let from = 0;
  for (let at = 0; at < top; at += BLOCK_BYTES) {
    if (!isZero(view, at, BLOCK_BYTES)) from = at + BLOCK_BYTES;
    else if (at + BLOCK_BYTES - from > longest.to - longest.from) longest = { from, to: at + BLOCK_BYTES };
  }
  return longest;
}

/**
 * Copies a memory's used parts and returns the function that puts them back, which gives each run the same world.
 * What lies above the used top is not cleared: the allocator's own state, which is restored, calls it free.
 */
export function takeImage(memory: WebAssembly.Memory, gap: Gap): () => void {
  const view = Buffer.from(memory.buffer);
  const low = Uint8Array.from(view.subarray(0, gap.from));
  const high = Uint8Array.from(view.subarray(gap.to, usedTop(view)));
  return () => {
    view.set(low, 0);
    view.set(high, gap.to);
  };
}

function usedTop(view: Buffer): number {
  let top = view.length;
  while (top > 0 && isZero(view, top - ZEROS.length, ZEROS.length)) top -= ZEROS.length;
  while (top > 0 && isZero(view, top - BLOCK_BYTES, BLOCK_BYTES)) top -= BLOCK_BYTES;
  return top;
}

function isZero(view: Buffer, at: number, bytes: number): boolean {
  return view.compare(ZEROS, 0, bytes, at, at + bytes) === 0;
}
