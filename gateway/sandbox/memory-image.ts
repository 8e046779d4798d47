import { BUFFER_STEP_BYTES, IMAGE_BYTES_MAX } from './limits.ts';

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
 * Where the allocator keeps the end of its heap (`sbrk`): the one word of the static data that points at or closely
 * behind the used top of a fresh instance and has grown by the time when the returned function is called, with more in
 * the heap. Looking for the top itself reads 16 MiB, which costs more than a whole call. Null when it is not certain:
 * then the top is looked for each time.
 */
export function watchBreak(memory: WebAssembly.Memory, gap: Gap): () => number | null {
  const bytes = memory.buffer.byteLength;
  const top = usedBytes(memory);
  const before = new Uint32Array(memory.buffer.slice(0, gap.from));
  return () => {
    const now = new Uint32Array(memory.buffer, 0, before.length);
    const isBreak = (value: number, index: number): boolean =>
      value >= top && value <= top + ZEROS.length && (now[index] ?? 0) > value && (now[index] ?? 0) <= bytes;
    const first = before.findIndex(isBreak);
    return first === -1 || before.findLastIndex(isBreak) !== first ? null : first;
  };
}

/** The end of all that is in use. */
export function heapTop(memory: WebAssembly.Memory, gap: Gap, breakWord: number | null): number {
  const bytes = memory.buffer.byteLength;
  const told = breakWord === null ? 0 : (new Uint32Array(memory.buffer)[breakWord] ?? 0);
  return told > gap.to && told <= bytes ? told : usedTop(Buffer.from(memory.buffer));
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

/** Copies the used parts to a buffer that other threads can read, one behind the other. */
export function copyOut(memory: WebAssembly.Memory, gap: Gap, top: number, buffer: SharedArrayBuffer): void {
  const into = new Uint8Array(buffer);
  into.set(new Uint8Array(memory.buffer, 0, gap.from), 0);
  into.set(new Uint8Array(memory.buffer, gap.to, top - gap.to), gap.from);
}

export function copyIn(memory: WebAssembly.Memory, gap: Gap, top: number, buffer: SharedArrayBuffer): void {
  const view = new Uint8Array(memory.buffer);
  view.set(new Uint8Array(buffer, 0, gap.from), 0);
  view.set(new Uint8Array(buffer, gap.from, top - gap.to), gap.to);
}

/** What the used parts need, rounded up by a step: the buffer of one wait fits the next. At most IMAGE_BYTES_MAX. */
export function bufferBytes(gap: Gap, top: number): number {
  return Math.min(Math.ceil((gap.from + top - gap.to) / BUFFER_STEP_BYTES) * BUFFER_STEP_BYTES, IMAGE_BYTES_MAX);
}

/** The used top to the byte. */
function usedBytes(memory: WebAssembly.Memory): number {
  const view = Buffer.from(memory.buffer);
  let top = usedTop(view);
  while (top > 0 && view[top - 1] === 0) top -= 1;
  return top;
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
