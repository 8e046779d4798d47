import type { HeldFile } from '../host/held-file.ts';

export const SPARE_ROWS_FILE = 'held-rows';
export const SPARE_ROWS_PURPOSE = 'held-rows';
/** JSON of all rows: the capacity of a slot of the held file, without its header. */
export const SPARE_ROWS_BYTES_MAX = 60 * 1024;
/** Neither half uses the space of the other: users must be able both to log in and to delete something. */
export const SPARE_LOG_INS_BYTES_MAX = SPARE_ROWS_BYTES_MAX / 2;
const SPARE_ACTS_BYTES_MAX = SPARE_ROWS_BYTES_MAX - SPARE_LOG_INS_BYTES_MAX;

/**
 * Rows of users for which the journal has no space: `<data>/held-rows`, a held file, which needs no new space. With it
 * a user can log in on a full disk and delete something (docs/decisions/0022-rows-on-a-full-disk.md). The rows are
 * added to the chain before any other row once the disk has space, also after a restart.
 *
 * Limits: SPARE_ROWS_BYTES_MAX, about 200 rows: one half for log-ins, one for other actions of users. Log-ins of one
 * user from one address are one row with a count. Known weaknesses: the rows are not in the hash chain yet, so a
 * program that can write the folder can remove all of them, or put an earlier state back (a MAC protects each state of
 * the file). If the file is not cleared after the rows were written (power cut, lost file system), or the thread of the
 * chain ends while they are written, they are in the chain twice.
 */
export class SpareRows {
  readonly #file: HeldFile;
  #lines: readonly string[];
  #flushing = false;
  /** There was space again while rows were being appended. */
  #flushAgain = false;

  constructor(file: HeldFile) {
    this.#file = file;
    this.#lines = file.records.filter((line) => typeof line === 'string');
  }

  get count(): number {
    return this.#lines.length;
  }

  /** `line`: JSON with `time` and `type` first. On disk when it returns true; false: there is no space for it. */
  add(line: string): boolean {
    // Rows on their way to the chain are not changed.
    const at = this.#flushing ? -1 : this.#lines.findIndex((earlier) => areLogInsOfOne(earlier, line));
    const earlier = this.#lines[at];
    const lines = earlier === undefined ? [...this.#lines, line] : this.#lines.with(at, counted(earlier, line));
    if (!hasRoom(lines, isLogIn(line)) || !this.#file.write(lines)) return false;
    this.#lines = lines;
    return true;
  }

  /**
   * Appends the rows to the chain; those that cannot be appended stay. `append` resolves once it is certain whether the
   * row was written, with false if not.
   */
  async flush(append: (line: string) => Promise<boolean>): Promise<void> {
    this.#flushAgain = this.#flushing;
    if (this.#flushing || this.#lines.length === 0) return;
    this.#flushing = true;
    const appended = await Promise.all(this.#lines.map(append));
    this.#flushing = false;
    // Also when the file cannot be cleared: each further round would append the rows again.
    this.#lines = this.#lines.filter((_, at) => appended[at] !== true);
    this.#file.write(this.#lines);
    if (this.#flushAgain) await this.flush(append);
  }
}

interface LogInRow {
  readonly time: string;
  readonly act?: string;
  readonly user?: string;
  readonly ip?: string;
  readonly count?: number;
}

function rowOf(line: string): LogInRow {
  return JSON.parse(line) as LogInRow;
}

function isLogIn(line: string): boolean {
  return rowOf(line).act === 'session.login';
}

/** Whether the log-ins among the rows, or the others, are within their half. */
function hasRoom(lines: readonly string[], logIns: boolean): boolean {
  const some = lines.filter((line) => isLogIn(line) === logIns);
  return Buffer.byteLength(JSON.stringify(some)) <= (logIns ? SPARE_LOG_INS_BYTES_MAX : SPARE_ACTS_BYTES_MAX);
}

function areLogInsOfOne(earlier: string, line: string): boolean {
  const [one, other] = [rowOf(earlier), rowOf(line)];
  return isLogIn(earlier) && other.act === one.act && one.user === other.user && one.ip === other.ip;
}

function counted(earlier: string, line: string): string {
  const { count = 1, ...row } = rowOf(earlier);
  return JSON.stringify({ ...row, count: count + 1, detail: `last at ${rowOf(line).time}` });
}
