import type { Part } from './disk-image.ts';
import type { Inode, Operation, Recording } from './operations.ts';
import type { Random } from './random.ts';

/**
 * The possible content of the disk after a power cut (docs/decisions/0009-power-loss-model.md). A cut can occur after
 * any number of operations. Data of a completed flush is present; of the rest, each piece may be present or not.
 */
export interface CrashState {
  /** The cut comes after this many operations. */
  readonly prefix: number;
  readonly how: How;
  /** Operations that no flush covers but that reached the disk nevertheless, each with the part that did. */
  readonly kept: ReadonlyMap<number, Part>;
}

export const HOWS = ['dropped', 'kept', 'names-only', 'data-only', 'grown', 'torn', 'subset', 'reordered'] as const;
export type How = (typeof HOWS)[number];

/** Up to this many unflushed operations, every subset of them is a state; above, seeded samples. */
const EVERY_SUBSET_OF = 4;
const SAMPLES = 6;
/** Above this number, points of a power cut are sampled, one state each. */
const MANY = 16;
const SECTORS_BYTES = [512, 4096];

/** Yields, prefix by prefix, the states that differ from all before, with the operations that reached the disk. */
export function* crashStates({ operations }: Recording, random: Random): Generator<CrashState> {
  const seen = new Set<string>();
  const pending = new Pending();
  let marks = 0;
  for (let prefix = 0; prefix <= operations.length; prefix++) {
    const last = operations[prefix - 1];
    if (last !== undefined) pending.follow(last, prefix - 1);
    if (last?.kind === 'mark') marks += 1;
    for (const { how, kept } of choices(operations, pending.operations, random)) {
      const key = `${marks} ${keyOf(operations, prefix, pending.operations, kept)}`;
      if (seen.has(key)) continue;
      seen.add(key);
      yield { prefix, how, kept };
    }
  }
}

/** The operations that no flush covers yet. */
export class Pending {
  /** Numbers, ascending. */
  operations: readonly number[] = [];
  readonly #changes = new Map<number, ReadonlySet<Inode>>();

  /** Returns the numbers of those that this one made durable. */
  follow(operation: Operation, index: number): number[] {
    if (operation.kind === 'data') return this.#add(index, [operation.inode]);
    if (operation.kind === 'names')
      return this.#add(
        index,
        operation.changes.map(({ folder }) => folder),
      );
    return operation.kind === 'sync' ? this.#flush(operation.inode, operation.upTo) : [];
  }

  #add(index: number, inodes: Inode[]): number[] {
    this.#changes.set(index, new Set(inodes));
    this.operations = [...this.operations, index];
    return [];
  }

  #flush(inode: Inode, upTo: number): number[] {
    const done: number[] = [];
    for (const [index, inodes] of this.#changes) {
      if (index >= upTo || !inodes.has(inode)) continue;
      // A rename from one folder into another is durable when both are.
      const left = new Set([...inodes].filter((other) => other !== inode));
      if (left.size > 0) this.#changes.set(index, left);
      else {
        this.#changes.delete(index);
        done.push(index);
      }
    }
    if (done.length > 0) this.operations = [...this.#changes.keys()];
    return done;
  }
}

interface Choice {
  how: How;
  kept: Map<number, Part>;
}

function* choices(all: readonly Operation[], pending: readonly number[], random: Random): Generator<Choice> {
  const whole = (numbers: readonly number[]) => new Map<number, Part>(numbers.map((index) => [index, 'whole']));
  const names = pending.filter((index) => all[index]?.kind === 'names');
  const data = pending.filter((index) => all[index]?.kind === 'data');
  yield { how: 'dropped', kept: whole([]) };
  yield { how: 'kept', kept: whole(pending) };
  yield { how: 'names-only', kept: whole(names) };
  yield { how: 'data-only', kept: whole(data) };
  yield { how: 'grown', kept: new Map<number, Part>(pending.map((index) => [index, grown(all[index])])) };
  yield* torn(all, pending, data, random);
  if (pending.length <= EVERY_SUBSET_OF) return yield* everySubset(pending);
  const samples = pending.length > MANY ? 1 : SAMPLES;
  for (let sample = 0; sample < samples; sample++) yield { how: 'reordered', kept: reordered(all, pending, random) };
}

function grown(operation: Operation | undefined): Part {
  return operation?.kind === 'data' ? 'zeros' : 'whole';
}

/**
 * The last write in its first sectors, in its last ones, and in a seeded selection of them; everything else is kept.
 */
function* torn(
  all: readonly Operation[],
  pending: readonly number[],
  data: readonly number[],
  random: Random,
): Generator<Choice> {
  const last = data.findLast((index) => sectors(all[index], 512) > 0);
  if (last === undefined) return;
  for (const sectorBytes of SECTORS_BYTES) {
    const count = sectors(all[last], sectorBytes);
    if (count < 2) continue;
    const cut = 1 + random.below(count - 1);
    const tears = [(at: number) => at < cut, (at: number) => at >= cut, () => random.below(2) === 0];
    for (const tear of tears) {
      const kept = new Map<number, Part>(pending.map((index) => [index, 'whole']));
      kept.set(last, { sectorBytes, kept: Array.from({ length: count }, (_, at) => tear(at)) });
      yield { how: 'torn', kept };
    }
  }
}

/** How many sectors a write touches; 0 for other operations. */
function sectors(operation: Operation | undefined, sectorBytes: number): number {
  if (operation?.kind !== 'data' || !('bytes' in operation.change)) return 0;
  const { offset, bytes } = operation.change;
  return Math.floor((offset + bytes.length - 1) / sectorBytes) - Math.floor(offset / sectorBytes) + 1;
}

function* everySubset(pending: readonly number[]): Generator<Choice> {
  for (let bits = 0; bits < 2 ** pending.length; bits++) {
    const chosen = pending.filter((_, at) => (bits >> at) % 2 === 1);
    yield { how: 'subset', kept: new Map(chosen.map((index) => [index, 'whole'])) };
  }
}

/** Each operation individually: applied, not applied, or for a write a part of its sectors. */
function reordered(all: readonly Operation[], pending: readonly number[], random: Random): Map<number, Part> {
  const kept = new Map<number, Part>();
  for (const index of pending) {
    const fate = random.below(4);
    const count = sectors(all[index], 512);
    if (fate === 0 && count > 1) {
      kept.set(index, { sectorBytes: 512, kept: Array.from({ length: count }, () => random.below(2) === 0) });
    } else if (fate >= 2) kept.set(index, 'whole');
  }
  return kept;
}

/** The operations that reached the disk: up to which one, and which of those before it did not, or only in part. */
function keyOf(
  all: readonly Operation[],
  prefix: number,
  pending: readonly number[],
  kept: ReadonlyMap<number, Part>,
): string {
  const missing = new Set(pending.filter((index) => !kept.has(index)));
  let newest = prefix - 1;
  while (newest >= 0 && (missing.has(newest) || !changes(all[newest]))) newest -= 1;
  const odd = pending.filter((index) => index <= newest && kept.get(index) !== 'whole');
  return `${newest} ${digest(odd, kept)}`;
}

/** In place of the list itself, whose comparison takes too long: two checksums of 32 bits. */
function digest(odd: readonly number[], kept: ReadonlyMap<number, Part>): string {
  let [one, other] = [0x811c9dc5, odd.length];
  const add = (value: number) => {
    one = Math.imul(one ^ value, 0x01000193);
    other = Math.imul(other + value, 0x9e3779b1) ^ (other >>> 15);
  };
  for (const index of odd) {
    const part = kept.get(index);
    add(index);
    if (part === undefined || typeof part === 'string') add(part === undefined ? 1 : 2);
    else for (const piece of part.kept) add(part.sectorBytes + Number(piece));
  }
  return `${one} ${other}`;
}

function changes(operation: Operation | undefined): boolean {
  return operation?.kind === 'data' || operation?.kind === 'names';
}
