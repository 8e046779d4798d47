import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { mkdtemp, rm } from 'node:fs/promises';
import { type CrashState, crashStates, HOWS, type How, Pending } from './crash-states.ts';
import { DiskImage } from './disk-image.ts';
import type { Recording } from './operations.ts';
import { type Random, seededRandom } from './random.ts';

/** Opens a folder like the product after a power cut; throws if an operation that was marked as done is missing. */
export type Check = (folder: string, marks: readonly unknown[]) => Promise<void>;

export interface ReplayOptions {
  /** Above this number, states are sampled; those around flushes and marks come first. */
  statesMax: number;
  seed: number;
  /** Marks from before the recording began. */
  marksBefore?: readonly unknown[];
}

export interface Figures {
  seed: number;
  writes: number;
  nameChanges: number;
  flushes: number;
  marks: number;
  /** Points in time: before the first operation, and after each. */
  prefixes: number;
  states: number;
  opened: number;
  openedBy: Record<How, number>;
  seconds: number;
  faults: string[];
}

const FAULTS_MAX = 10;

/** Opens every possible state of the disk after a power cut. */
export async function replay(recording: Recording, check: Check, options: ReplayOptions): Promise<Figures> {
  const started = performance.now();
  const random = seededRandom(options.seed);
  // Generated twice from the same seed: storing them would need too much memory.
  const states = () => crashStates(recording, seededRandom(options.seed));
  const { count, chosen } = chosenStates(recording, states(), options.statesMax, random);
  const figures = emptyFigures(recording, count, options.seed);
  await using room = await memoryDir();
  const root = join(room.path, 'data');
  for (const { state, image, marks } of images(recording, states(), chosen)) {
    image.materialise(root, (bytes) => (figures.opened % 2 === 0 ? null : random.bytes(bytes)));
    figures.opened += 1;
    figures.openedBy[state.how] += 1;
    const fault = await check(root, [...(options.marksBefore ?? []), ...marks]).then(
      () => null,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    if (fault !== null) figures.faults.push(`${describeState(recording, state)}: ${fault.replaceAll(root, 'data')}`);
    if (figures.faults.length >= FAULTS_MAX) break;
  }
  figures.seconds = Math.round((performance.now() - started) / 100) / 10;
  return figures;
}

/**
 * A few torn or reordered states, as folders: the initial states of a start after a power cut. Each is removed after
 * its turn.
 */
export async function* crashedFolders(recording: Recording, count: number, seed: number) {
  const random = seededRandom(seed);
  const states = () => crashStates(recording, seededRandom(seed));
  const odd = [...states()].flatMap(({ how }, number) => (ODD.has(how) ? [number] : []));
  const chosen = new Set(shuffled(odd, random).slice(0, count));
  for (const { state, image, marks } of images(recording, states(), chosen)) {
    await using dir = await memoryDir();
    const folder = join(dir.path, 'data');
    image.materialise(folder, (bytes) => random.bytes(bytes));
    yield { folder, marks, text: describeState(recording, state) };
  }
}

const ODD: ReadonlySet<How> = new Set(['grown', 'torn', 'reordered'] as const);

/** The recording as if nothing had ever been flushed, in which the rig must find faults. */
export function withoutFlushes({ base, operations }: Recording): Recording {
  return {
    base,
    operations: operations.map((operation) => (operation.kind === 'sync' ? { ...operation, upTo: 0 } : operation)),
  };
}

/** Memory is a disk that loses nothing and needs no time. */
async function memoryDir(): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'sluice-power-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

/** One line for display. */
export function describeFigures(name: string, figures: Figures): string {
  const { writes, nameChanges, flushes, marks, prefixes, states, opened, openedBy, seed, seconds } = figures;
  const by = HOWS.filter((how) => openedBy[how] > 0).map((how) => `${openedBy[how]} ${how}`);
  return (
    `power loss, ${name}: ${writes} writes, ${nameChanges} changes of names, ${flushes} flushes, ${marks} acknowledged; ` +
    `${prefixes} points of a power cut, ${states} different states, ${opened} opened (${by.join(', ')}) ` +
    `in ${seconds} s, seed ${seed}: ${figures.faults.length} faults`
  );
}

function emptyFigures({ operations }: Recording, states: number, seed: number): Figures {
  const count = (kind: string) => operations.filter((operation) => operation.kind === kind).length;
  return {
    seed,
    writes: count('data'),
    nameChanges: count('names'),
    flushes: count('sync'),
    marks: count('mark'),
    prefixes: operations.length + 1,
    states,
    opened: 0,
    openedBy: { dropped: 0, kept: 0, 'names-only': 0, 'data-only': 0, grown: 0, torn: 0, subset: 0, reordered: 0 },
    seconds: 0,
    faults: [],
  };
}

/** The numbers of the states to open: all, or first those around flushes and marks, then random others. */
function chosenStates({ operations }: Recording, states: Iterable<CrashState>, statesMax: number, random: Random) {
  const isNear = (prefix: number) =>
    [operations[prefix - 1], operations[prefix]].some((one) => one?.kind === 'sync' || one?.kind === 'mark');
  const near: number[] = [];
  const others: number[] = [];
  let count = 0;
  for (const { prefix } of states) (isNear(prefix) ? near : others).push(count++);
  // A third is reserved for the cuts in between.
  const nearMax = Math.max(statesMax - others.length, Math.ceil((statesMax * 2) / 3));
  const first = shuffled(near, random).slice(0, nearMax);
  return { count, chosen: new Set([...first, ...shuffled(others, random).slice(0, statesMax - first.length)]) };
}

function shuffled(numbers: readonly number[], random: Random): number[] {
  const keyed = numbers.map((number) => ({ number, key: random.below(2 ** 32) }));
  return keyed.toSorted((one, other) => one.key - other.key).map(({ number }) => number);
}

/** The image of each state; flushed operations are applied once for all of them. */
function* images({ base, operations }: Recording, states: Iterable<CrashState>, chosen: ReadonlySet<number>) {
  const flushed = new DiskImage(base);
  const pending = new Pending();
  const marks: unknown[] = [];
  let done = 0;
  let number = 0;
  for (const state of states) {
    if (!chosen.has(number++)) continue;
    for (; done < state.prefix; done++) {
      const operation = operations[done];
      if (operation === undefined) continue;
      if (operation.kind === 'mark') marks.push(operation.value);
      for (const index of pending.follow(operation, done)) apply(flushed, operations, index);
    }
    const image = flushed.copy();
    for (const [index, part] of [...state.kept].toSorted(([a], [b]) => a - b)) apply(image, operations, index, part);
    yield { state, image, marks: [...marks] };
  }
}

function apply(
  image: DiskImage,
  operations: Recording['operations'],
  index: number,
  part?: Parameters<DiskImage['apply']>[1],
) {
  const operation = operations[index];
  if (operation !== undefined) image.apply(operation, part);
}

/** Explains why a state is as it is. */
function describeState({ operations }: Recording, { prefix, how, kept }: CrashState): string {
  const pending = new Pending();
  for (const [index, operation] of operations.slice(0, prefix).entries()) pending.follow(operation, index);
  const unflushed = pending.operations.map((index) => `${kept.has(index) ? '+' : '-'}${operations[index]?.text}`);
  return `after operation ${prefix} (${operations[prefix - 1]?.text ?? 'none'}), ${how} [${unflushed.slice(-12).join('; ')}]`;
}
