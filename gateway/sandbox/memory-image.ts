import { BUFFER_STEP_BYTES, IMAGE_BYTES_MAX } from './limits.ts';

const PAGE_BYTES = 64 * 1024;
const BLOCK_BYTES = 4096;
const ZEROS = Buffer.alloc(PAGE_BYTES);

/**
 * Copies a memory from `from` up and returns the function that puts it back, which gives each run the same world.
 * It writes every byte: below `from` (the stack) and above the image are zeros. So nothing of a run is there for the
 * next, whatever the run did to the allocator's state or wrote where nothing was allocated.
 */
export function takeImage(memory: WebAssembly.Memory, from: number): () => void {
  const image = Uint8Array.from(new Uint8Array(memory.buffer, from, usedTop(memory) - from));
  const bytes = memory.buffer.byteLength;
  const tail = tailOf(memory).slice();
  let view = new Uint8Array(memory.buffer);
  return () => {
    if (view.buffer !== memory.buffer) view = new Uint8Array(memory.buffer);
    put(view, from, image, tail, bytes);
  };
}

/** The end of all that is not zero, to the block; the allocator's mark in the memory's last block is left out. */
export function usedTop(memory: WebAssembly.Memory): number {
  const view = Buffer.from(memory.buffer);
  let top = view.length - BLOCK_BYTES;
  while (top > 0 && isZero(view, top - ZEROS.length, ZEROS.length)) top -= ZEROS.length;
  while (top > 0 && isZero(view, top - BLOCK_BYTES, BLOCK_BYTES)) top -= BLOCK_BYTES;
  return top;
}

/** Writes zeros from `top` up; the allocator's mark in the memory's last block stays. */
export function clearAbove(memory: WebAssembly.Memory, top: number): void {
  const end = memory.buffer.byteLength - BLOCK_BYTES;
  if (top < end) new Uint8Array(memory.buffer).fill(0, top, end);
}

/** Copies what is between to a buffer that can be moved to another thread. */
export function copyOut(memory: WebAssembly.Memory, from: number, top: number, buffer: ArrayBuffer): void {
  const into = new Uint8Array(buffer);
  into.set(new Uint8Array(memory.buffer, from, top - from));
  into.set(tailOf(memory), top - from);
}

/** Puts it into this memory, made `bytes` large if it is smaller; all the rest are zeros. Throws RangeError. */
export function copyIn(memory: WebAssembly.Memory, image: Placed): void {
  const lacking = image.bytes - memory.buffer.byteLength;
  if (lacking > 0) memory.grow(lacking / PAGE_BYTES);
  const { buffer, from, top, bytes } = image;
  const tail = new Uint8Array(buffer, top - from, BLOCK_BYTES);
  put(new Uint8Array(memory.buffer), from, new Uint8Array(buffer, 0, top - from), tail, bytes);
}

export interface Placed {
  readonly buffer: ArrayBuffer;
  readonly from: number;
  readonly top: number;
  /** Of the whole memory: its allocator takes it for its own. */
  readonly bytes: number;
}

/** The size of an image, rounded up by a step: the buffer of one wait fits the next. At most IMAGE_BYTES_MAX. */
export function bufferBytes(from: number, top: number): number {
  return Math.min(Math.ceil((top - from + BLOCK_BYTES) / BUFFER_STEP_BYTES) * BUFFER_STEP_BYTES, IMAGE_BYTES_MAX);
}

function put(view: Uint8Array, from: number, image: Uint8Array, tail: Uint8Array, bytes: number): void {
  view.fill(0, 0, from);
  view.set(image, from);
  view.fill(0, from + image.length, bytes - tail.length);
  view.set(tail, bytes - tail.length);
  view.fill(0, bytes);
}

function tailOf(memory: WebAssembly.Memory): Uint8Array<ArrayBuffer> {
  return new Uint8Array(memory.buffer, memory.buffer.byteLength - BLOCK_BYTES);
}

function isZero(view: Buffer, at: number, bytes: number): boolean {
  return view.compare(ZEROS, 0, bytes, at, at + bytes) === 0;
}
