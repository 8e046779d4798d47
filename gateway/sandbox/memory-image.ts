import { BUFFER_STEP_BYTES, IMAGE_BYTES_MAX } from './limits.ts';
import type { WrittenPages } from './written-pages.ts';

const PAGE_BYTES = 64 * 1024;
const BLOCK_BYTES = 4096;
const ZEROS = Buffer.alloc(PAGE_BYTES);

/**
 * Copies a memory from `from` up and returns the function that puts it back, which gives each run the same world.
 * It writes every byte of each page that was written to meanwhile: below `from` (the stack) and above the image are
 * zeros. So nothing of a run is there for the next, whatever the run did to the allocator's state or wrote where nothing
 * was allocated. A memory that has grown is written as a whole.
 */
export function takeImage(memory: WebAssembly.Memory, written: WrittenPages, from: number): () => void {
  const image = Uint8Array.from(new Uint8Array(memory.buffer, from, usedTop(memory) - from));
  const bytes = memory.buffer.byteLength;
  const contents: Contents = { from, image, tail: tailOf(memory).slice(), bytes };
  let view = new Uint8Array(memory.buffer);
  const putRange = (start: number, end: number): void => put(view, contents, start, end);
  written.take(bytes, () => undefined);
  written.add(0, from);
  return () => {
    if (view.buffer !== memory.buffer) view = new Uint8Array(memory.buffer);
    if (view.length > bytes) written.add(0, view.length);
    written.take(view.length, putRange);
  };
}

/** The end of the nonzero part, rounded up to a block; the allocator's mark in the last block is ignored. */
export function usedTop(memory: WebAssembly.Memory): number {
  const view = Buffer.from(memory.buffer);
  let top = view.length - BLOCK_BYTES;
  while (top > 0 && isZero(view, top - ZEROS.length, ZEROS.length)) top -= ZEROS.length;
  while (top > 0 && isZero(view, top - BLOCK_BYTES, BLOCK_BYTES)) top -= BLOCK_BYTES;
  return top;
}

/** Writes zeros from `top` on; the allocator's mark in the last block remains. */
export function clearAbove(memory: WebAssembly.Memory, top: number): void {
  const end = memory.buffer.byteLength - BLOCK_BYTES;
  if (top < end) new Uint8Array(memory.buffer).fill(0, top, end);
}

/** Copies the part in between to a buffer that can be transferred to another thread. */
export function copyOut(memory: WebAssembly.Memory, from: number, top: number, buffer: ArrayBuffer): void {
  const into = new Uint8Array(buffer);
  into.set(new Uint8Array(memory.buffer, from, top - from));
  into.set(tailOf(memory), top - from);
}

/** Puts it into this memory, made `bytes` large if it is smaller; all the rest are zeros. Throws RangeError. */
export function copyIn(memory: WebAssembly.Memory, written: WrittenPages, image: Placed): void {
  const lacking = image.bytes - memory.buffer.byteLength;
  if (lacking > 0) memory.grow(lacking / PAGE_BYTES);
  const { buffer, from, top, bytes } = image;
  const contents: Contents = {
    from,
    image: new Uint8Array(buffer, 0, top - from),
    tail: new Uint8Array(buffer, top - from, BLOCK_BYTES),
    bytes,
  };
  written.add(0, memory.buffer.byteLength);
  put(new Uint8Array(memory.buffer), contents, 0, memory.buffer.byteLength);
}

export interface Placed {
  readonly buffer: ArrayBuffer;
  readonly from: number;
  readonly top: number;
  /** Size of the whole memory: the allocator in it relies on that. */
  readonly bytes: number;
}

/**
 * The size of an image, rounded up by a step, so that the buffer of one wait fits the next. At most IMAGE_BYTES_MAX.
 */
export function bufferBytes(from: number, top: number): number {
  return Math.min(Math.ceil((top - from + BLOCK_BYTES) / BUFFER_STEP_BYTES) * BUFFER_STEP_BYTES, IMAGE_BYTES_MAX);
}

/** The content of a memory: zeros, the image from `from` up, zeros, and the tail up to `bytes`. */
interface Contents {
  readonly from: number;
  readonly image: Uint8Array;
  readonly tail: Uint8Array;
  readonly bytes: number;
}

/** Writes every byte from `start` to `end`. */
function put(view: Uint8Array, { from, image, tail, bytes }: Contents, start: number, end: number): void {
  const top = from + image.length;
  const tailAt = bytes - tail.length;
  if (start < from) view.fill(0, start, Math.min(from, end));
  putPart(view, image, from, start, end);
  if (end > top) view.fill(0, Math.max(top, start), Math.min(tailAt, end));
  putPart(view, tail, tailAt, start, end);
  if (end > bytes) view.fill(0, Math.max(bytes, start), end);
}

/** Writes those bytes of a part at `place` that are between `start` and `end`. */
function putPart(view: Uint8Array, part: Uint8Array, place: number, start: number, end: number): void {
  const first = Math.max(place, start);
  const last = Math.min(place + part.length, end);
  if (first < last) view.set(part.subarray(first - place, last - place), first);
}

function tailOf(memory: WebAssembly.Memory): Uint8Array<ArrayBuffer> {
  return new Uint8Array(memory.buffer, memory.buffer.byteLength - BLOCK_BYTES);
}

function isZero(view: Buffer, at: number, bytes: number): boolean {
  return view.compare(ZEROS, 0, bytes, at, at + bytes) === 0;
}
