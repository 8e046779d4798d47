import { setImmediate } from 'node:timers/promises';
import {
  contentOf,
  countBytes,
  notAsExpected,
  Reader,
  readSections,
  type Section,
  SECTION,
  writeModule,
  Writer,
} from './wasm-module.ts';

/**
 * Adds to a WebAssembly module that each of its stores marks the page that it writes to, in a second memory that the
 * module exports as `store_marks`. The code of a guest has no instruction that reads or writes a byte of its choice
 * there, so a script that has broken out of its engine can neither clear a mark nor write to its memory without leaving
 * one. Growth of the memory leaves no marks.
 *
 * Throws for a module that is not built as expected: an instruction that is unknown here might be a store.
 */
export async function withStoreMarks(module: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const sections = readSections(module);
  const parameters = parametersOf(sections);
  const changed: Section[] = [];
  for (const { id, content } of sections) {
    if (id === SECTION.memory) changed.push({ id, content: withEntry(content, MARKS_LIMITS) });
    else if (id === SECTION.export) changed.push({ id, content: withEntry(content, MARKS_ENTRY) });
    else if (id === SECTION.code) changed.push({ id, content: await markedCode(content, parameters) });
    else changed.push({ id, content });
  }
  return writeModule(module, changed);
}

/** A page that is marked as a whole. */
export const MARK_SHIFT = 12;
/** A store may begin in the last bytes of a page and leave the mark of that page only. */
export const STORE_BYTES_MAX = 8;

const KIND_MEMORY = 2;
const MARKS_MEMORY = 1;
/** One page of WebAssembly, 64 KiB, has the marks of 256 MiB; the memory of a script has at most 64 MiB. */
const MARKS_LIMITS = [1, 1, 1];
const MARKS_NAME = Buffer.from('store_marks');
const MARKS_ENTRY = [MARKS_NAME.length, ...MARKS_NAME, KIND_MEMORY, MARKS_MEMORY];

/** A list with one entry more. */
function withEntry(content: Uint8Array, entry: readonly number[]): Uint8Array {
  const reader = new Reader(content);
  const count = reader.count();
  return Buffer.concat([Uint8Array.from(countBytes(count + 1)), content.subarray(reader.at), Uint8Array.from(entry)]);
}

/** The number of parameters of each function that the module defines. */
function parametersOf(sections: readonly Section[]): number[] {
  const types = new Reader(contentOf(sections, SECTION.type));
  const counts = types.list(() => {
    if (types.byte() !== 0x60) throw notAsExpected('a type that is no function');
    const parameters = types.list(() => types.byte()).length;
    types.list(() => types.byte());
    return parameters;
  });
  const functions = new Reader(contentOf(sections, SECTION.function));
  return functions.list(() => counts[functions.count()] ?? 0);
}

/** In steps: all of the engine takes about 100 ms. */
async function markedCode(content: Uint8Array, parameters: readonly number[]): Promise<Uint8Array> {
  const reader = new Reader(content);
  const writer = new Writer(content.length * GROWTH_MAX);
  const count = reader.count();
  writer.count(count);
  let paused = 0;
  for (let index = 0; index < count; index++) {
    const bytes = reader.count();
    writer.counted(() => {
      writeMarkedBody(writer, content.subarray(reader.at, reader.at + bytes), parameters[index] ?? 0);
    });
    reader.at += bytes;
    if (reader.at < paused + STEP_BYTES) continue;
    paused = reader.at;
    await setImmediate();
  }
  return writer.written();
}

const TYPE = { i32: 0x7f, i64: 0x7e, f32: 0x7d, f64: 0x7c } as const;
/** The locals that each body gets after its own: places for an address, a number of bytes and a value of each type. */
const ADDED = [TYPE.i32, TYPE.i32, TYPE.i32, TYPE.i64, TYPE.f32, TYPE.f64];
const ADDRESS = 0;
const BYTES = 1;
const PLACE: Readonly<Record<number, number>> = { [TYPE.i32]: 2, [TYPE.i64]: 3, [TYPE.f32]: 4, [TYPE.f64]: 5 };
/** By each instruction that stores, from 0x36, the type of its value; 0 for all others. */
const STORES = new Uint8Array(0x100);
STORES.set([TYPE.i32, TYPE.i64, TYPE.f32, TYPE.f64, TYPE.i32, TYPE.i32, TYPE.i64, TYPE.i64, TYPE.i64], 0x36);
/** Alignments below belong to the first memory. */
const FIRST_OF_OTHER_MEMORY = 0x40;
const OP = {
  localGet: 0x20,
  localSet: 0x21,
  localTee: 0x22,
  constant: 0x41,
  add: 0x6a,
  subtract: 0x6b,
  shift: 0x76,
  bulk: 0xfc,
} as const;
const BULK = { init: 8, drop: 9, copy: 10, fill: 11 } as const;
/** `i32.store8` to the memory with the marks. */
const STORE_MARK = [0x3a, FIRST_OF_OTHER_MEMORY, MARKS_MEMORY, 0];
/** The code with its marks is 1.3 times as long as before. */
const GROWTH_MAX = 4;
/** Bytes of code between two turns of the event loop. */
const STEP_BYTES = 32 * 1024;

function writeMarkedBody(writer: Writer, body: Uint8Array, parameters: number): void {
  const reader = new Reader(body);
  const groups = reader.count();
  const first = reader.at;
  let locals = parameters;
  for (let left = groups; left > 0; left--) {
    locals += reader.count();
    reader.byte();
  }
  writer.count(groups + ADDED.length);
  writer.copy(body, first, reader.at);
  for (const type of ADDED) writer.put(1, type);
  const marks = new Marks(writer, locals);
  while (reader.at < body.length) {
    const at = reader.at;
    readInstruction(reader, marks);
    writer.copy(body, at, reader.at);
  }
}

/** Reads one instruction. Before one that stores, writes what marks its pages and leaves the same values on the stack. */
function readInstruction(reader: Reader, marks: Marks): void {
  const code = reader.byte();
  const type = STORES[code];
  if (type !== 0) {
    if (reader.count() >= FIRST_OF_OTHER_MEMORY) throw notAsExpected('a store to another memory');
    marks.ofStore(reader.count(), type ?? 0);
  } else if (code === OP.bulk) readBulk(reader, marks);
  else skipImmediates(reader, code);
}

/** An instruction with the prefix 0xfc: numbers below `BULK` convert numbers, numbers above it work on tables. */
function readBulk(reader: Reader, marks: Marks): void {
  const kind = reader.count();
  if (kind < BULK.init) return;
  if (kind > BULK.fill) throw notAsExpected(`the instruction 0xfc ${kind}`);
  reader.skipNumber();
  if (kind === BULK.init || kind === BULK.copy) reader.skipNumber();
  if (kind !== BULK.drop) marks.ofRange();
}

class Marks {
  readonly #writer: Writer;
  /** The number of the first added local. */
  readonly #locals: number;

  constructor(writer: Writer, locals: number) {
    this.#writer = writer;
    this.#locals = locals;
  }

  ofStore(offset: number, type: number): void {
    const value = PLACE[type] ?? 0;
    this.#local(OP.localSet, value);
    this.#local(OP.localTee, ADDRESS);
    this.#local(OP.localGet, ADDRESS);
    if (offset > 0) this.#constantAdded(offset);
    this.#writer.put(OP.constant, MARK_SHIFT, OP.shift, OP.constant, 1, ...STORE_MARK);
    this.#local(OP.localGet, value);
  }

  /** Fills the marks from the first page on, as many as the range touches. */
  ofRange(): void {
    const value = PLACE[TYPE.i32] ?? 0;
    for (const local of [BYTES, value, ADDRESS]) this.#local(OP.localSet, local);
    this.#pageOfAddress();
    this.#writer.put(OP.constant, 1);
    this.#local(OP.localGet, ADDRESS);
    this.#local(OP.localGet, BYTES);
    this.#writer.put(OP.add);
    this.#constantAdded(2 ** MARK_SHIFT - 1);
    this.#writer.put(OP.constant, MARK_SHIFT, OP.shift);
    this.#pageOfAddress();
    this.#writer.put(OP.subtract, OP.bulk, BULK.fill, MARKS_MEMORY);
    for (const local of [ADDRESS, value, BYTES]) this.#local(OP.localGet, local);
  }

  #pageOfAddress(): void {
    this.#local(OP.localGet, ADDRESS);
    this.#writer.put(OP.constant, MARK_SHIFT, OP.shift);
  }

  #local(instruction: number, local: number): void {
    this.#writer.put(instruction);
    this.#writer.count(this.#locals + local);
  }

  #constantAdded(value: number): void {
    this.#writer.put(OP.constant);
    this.#writer.signed(value);
    this.#writer.put(OP.add);
  }
}

/** The operands of each instruction that stores nothing; other instructions are not known here. */
const FOLLOWS = new Uint8Array(0x100);
const [NOTHING, NUMBER, TWO_NUMBERS, NUMBERS, FOUR_BYTES, EIGHT_BYTES] = [1, 2, 3, 4, 5, 6];
// Unreachable, nop, else, end, return, drop, select; comparisons, arithmetic, conversions.
for (const code of [0x00, 0x01, 0x05, 0x0b, 0x0f, 0x1a, 0x1b]) FOLLOWS[code] = NOTHING;
FOLLOWS.fill(NOTHING, 0x45, 0xc5);
// Block, loop, if, br, br_if, call, memory.size, memory.grow, i32.const, i64.const; locals, globals, tables.
for (const code of [0x02, 0x03, 0x04, 0x0c, 0x0d, 0x10, 0x3f, 0x40, 0x41, 0x42]) FOLLOWS[code] = NUMBER;
FOLLOWS.fill(NUMBER, 0x20, 0x27);
// Call_indirect and loads; br_table; f32.const, f64.const.
FOLLOWS[0x11] = TWO_NUMBERS;
FOLLOWS.fill(TWO_NUMBERS, 0x28, 0x36);
FOLLOWS[0x0e] = NUMBERS;
FOLLOWS[0x43] = FOUR_BYTES;
FOLLOWS[0x44] = EIGHT_BYTES;

function skipImmediates(reader: Reader, code: number): void {
  switch (FOLLOWS[code]) {
    case NOTHING:
      return;
    case NUMBER:
      return reader.skipNumber();
    case TWO_NUMBERS:
      reader.skipNumber();
      return reader.skipNumber();
    case NUMBERS:
      for (let left = reader.count() + 1; left > 0; left--) reader.skipNumber();
      return;
    case FOUR_BYTES:
      reader.at += 4;
      return;
    case EIGHT_BYTES:
      reader.at += 8;
      return;
    default:
      throw notAsExpected(`the instruction 0x${code.toString(16)}`);
  }
}
