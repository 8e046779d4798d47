import fs from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { AuditRow, ChainName } from '#common/model/audit.ts';
import { chainFolder, eachLine, isRow, parseLine, partName, segmentName } from '#common/node/journal/format.ts';
import { sealedEnd } from '#common/node/journal/read.ts';
import { KindTable } from './kind-table.ts';
import { kindOf, ownPath, writtenThing } from './row-kind.ts';
import { segmentNumbers } from '#common/node/journal/recover.ts';
import { inTransaction } from '#common/node/transaction.ts';

export const CHAINS: readonly ChainName[] = ['gateway', 'host'];
/** Bytes that are read at once; increased up to the limit if a single batch is longer. */
const CHUNK_BYTES = 4 * 1024 ** 2;
const CHUNK_BYTES_MAX = 64 * 1024 ** 2;

interface SegmentState {
  segment: number;
  part: number;
  offset: number;
  done: number;
}

/** Thrown if the files no longer match the index (a replaced or shortened journal): it must be built again. */
export class IndexOutdated extends Error {}

/** Updates the index with the sealed batches in the files. Synchronous; runs in the thread of the index. */
export class Indexer {
  /** The number of indexed batches so far. */
  pieces = 0;
  readonly #folder: string;
  readonly #database: DatabaseSync;
  readonly #kinds: KindTable;
  readonly #insert: StatementSync;
  readonly #used: StatementSync;
  readonly #segments: StatementSync;
  readonly #saveSegment: StatementSync;

  constructor(folder: string, database: DatabaseSync) {
    this.#folder = folder;
    this.#database = database;
    this.#kinds = new KindTable(database);
    this.#insert = database.prepare('INSERT INTO rows VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
    this.#used = database.prepare(
      'INSERT INTO last_used VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET time = max(time, excluded.time)',
    );
    this.#segments = database.prepare('SELECT segment, part, offset, done FROM segments WHERE chain = ?');
    this.#saveSegment = database.prepare(
      'INSERT INTO segments VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (chain, segment) DO UPDATE SET part = excluded.part, ' +
        'offset = excluded.offset, done = excluded.done, id_from = ifnull(id_from, excluded.id_from), id_to = ifnull(excluded.id_to, id_to)',
    );
  }

  /** Everything that is sealed at the time of the call. */
  catchUp(): void {
    for (const chain of CHAINS) while (this.#step(chain));
  }

  /** One piece of each chain; true if there is more. For background work. */
  step(): boolean {
    return CHAINS.map((chain) => this.#step(chain)).some(Boolean);
  }

  #step(chain: ChainName): boolean {
    const folder = chainFolder(this.#folder, chain);
    const { whole, pruned } = segmentNumbers(folder);
    const known = new Map(
      (this.#segments.all(chain) as unknown as SegmentState[]).map((state) => [state.segment, state]),
    );
    this.#forgetPruned(chain, known, new Set(whole), new Set(pruned));
    for (const segment of pruned) {
      if (known.get(segment)?.part === 1) continue;
      this.#indexPart(chain, segment, join(folder, partName(segment)));
      return true;
    }
    const newest = whole.at(-1);
    for (const segment of whole) {
      const state = known.get(segment);
      if (state?.done === 1) continue;
      if (this.#indexWhole(chain, segment, state?.offset ?? 0, join(folder, segmentName(segment)), segment !== newest))
        return true;
    }
    return false;
  }

  /** Removes the rows of segments that are no longer whole; a part file is then indexed in their place. */
  #forgetPruned(chain: ChainName, known: Map<number, SegmentState>, whole: Set<number>, pruned: Set<number>): void {
    const gone = [...known.values()].filter(({ segment, part }) => !(part === 0 ? whole : pruned).has(segment));
    for (const { segment } of gone) {
      this.#change(() => {
        const range =
          'id BETWEEN (SELECT id_from FROM segments WHERE chain = ?1 AND segment = ?2) AND (SELECT id_to FROM segments WHERE chain = ?1 AND segment = ?2)';
        this.#database.prepare(`DELETE FROM rows WHERE ${range} AND chain = ?1 AND segment = ?2`).run(chain, segment);
        this.#database.prepare('DELETE FROM segments WHERE chain = ? AND segment = ?').run(chain, segment);
      });
      known.delete(segment);
    }
    if (gone.length > 0) this.#change(() => this.#kinds.dropUnused());
  }

  #indexPart(chain: ChainName, segment: number, path: string): void {
    const bytes = readIfThere(path);
    if (bytes === null) return;
    this.#index(chain, segment, 1, bytes, 0, bytes.length, true);
  }

  /** Indexes a piece of a segment; true if more may follow. */
  #indexWhole(chain: ChainName, segment: number, offset: number, path: string, closed: boolean): boolean {
    const size = fs.statSync(path, { throwIfNoEntry: false })?.size;
    if (size === undefined) return true;
    if (size < offset) throw new IndexOutdated(`${chain} segment ${segment} is shorter than before`);
    for (let length = CHUNK_BYTES; ; length *= 4) {
      const bytes = readPiece(path, offset, Math.min(length, size - offset));
      const end = sealedEnd(bytes);
      const all = offset + bytes.length >= size;
      if (end === 0 && !all && length < CHUNK_BYTES_MAX) continue;
      if (end === 0 && !closed) return false;
      const done = closed && (all || end === 0);
      this.#index(chain, segment, 0, bytes, offset, end, done);
      return done || !all;
    }
  }

  #index(
    chain: ChainName,
    segment: number,
    part: 0 | 1,
    bytes: Buffer,
    offset: number,
    end: number,
    done: boolean,
  ): void {
    this.pieces += 1;
    this.#change(() => {
      let first: number | bigint | null = null;
      let last: number | bigint | null = null;
      const used = new Map<string, string>();
      eachLine(bytes, 0, end, (from, to) => {
        if (!isRow(bytes, from)) return;
        const row = parseLine(bytes, from, to) as unknown as AuditRow | null;
        if (row === null) return;
        last = this.#insertRow(row, chain, segment, offset + from, to - from);
        first ??= last;
        if (row.type === 'use' && row.keyId !== undefined) used.set(row.keyId, row.time);
      });
      for (const [key, time] of used) this.#used.run(key, time);
      this.#saveSegment.run(chain, segment, part, offset + end, done ? 1 : 0, first, last);
    });
  }

  #insertRow(row: AuditRow, chain: ChainName, segment: number, offset: number, length: number): number | bigint {
    const { time, count = 1, requestId, clientRequestId, keyId, code } = row;
    const optional = [requestId, clientRequestId, ownPath(row), keyId, code, writtenThing(row)].map(
      (value) => value ?? null,
    );
    const place = [Date.parse(time) || 0, chain, segment, offset, length];
    return this.#insert.run(...place, this.#kinds.idOf(kindOf(row)), count, ...optional).lastInsertRowid;
  }

  #change(change: () => void): void {
    try {
      inTransaction(this.#database, change);
    } catch (error) {
      this.#kinds.forget();
      throw error;
    }
  }
}

function readIfThere(path: string): Buffer | null {
  try {
    return fs.readFileSync(path);
  } catch {
    return null;
  }
}

function readPiece(path: string, offset: number, length: number): Buffer {
  const buffer = Buffer.allocUnsafe(length);
  const fd = fs.openSync(path, 'r');
  try {
    return buffer.subarray(0, fs.readSync(fd, buffer, 0, length, offset));
  } finally {
    fs.closeSync(fd);
  }
}
