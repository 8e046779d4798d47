import type { HeldFile } from '../host/held-file.ts';

export const SPARE_ROWS_FILE = 'held-rows';
export const SPARE_ROWS_PURPOSE = 'held-rows';
/** JSON of all rows: what a slot of the held file has room for, without its header. */
export const SPARE_ROWS_BYTES_MAX = 60 * 1024;
/** The rest is for what a user does after the log-in. */
export const SPARE_LOG_INS_BYTES_MAX = SPARE_ROWS_BYTES_MAX / 2;

/**
 * Rows of users that the journal has no room for: `<data>/held-rows`, a held file, which needs no new space. With it a
 * user can log in on a full disk and delete something (docs/decisions/0022-rows-on-a-full-disk.md). The rows go into
 * the chain before any other row once the disk has room, also after a restart.
 *
 * Limits: SPARE_ROWS_BYTES_MAX, about 200 rows; log-ins SPARE_LOG_INS_BYTES_MAX. Log-ins of one user from one address
 * are one row with a count.
 * Known weaknesses: the rows are not in the hash chain yet, so a program that can write the folder can remove all of
 * them (a MAC protects each state of the file). After a power cut between the writing of the rows and the clearing of the file they
 * are in the chain twice.
 */
export class SpareRows {
  readonly #file: HeldFile;
  #lines: readonly string[];
  #flushing = false;

  constructor(file: HeldFile) {
    this.#file = file;
    this.#lines = file.records.filter((line) => typeof line === 'string');
  }

  get count(): number {
    return this.#lines.length;
  }

  /** `line`: JSON with `time` and `type` first. On the disk when it returns true; false: there is no room for it. */
  add(line: string): boolean {
    // Rows on their way into the chain stay as they are.
    const at = this.#flushing ? -1 : this.#lines.findIndex((earlier) => areLogInsOfOne(earlier, line));
    const earlier = this.#lines[at];
    const lines = earlier === undefined ? [...this.#lines, line] : this.#lines.with(at, counted(earlier, line));
    if (Buffer.byteLength(JSON.stringify(lines)) > roomFor(line)) return false;
    return this.#write(lines);
  }

  /** Appends the rows to the chain; those that cannot be appended stay. `append` resolves with false then. */
  async flush(append: (line: string) => Promise<boolean>): Promise<void> {
    if (this.#flushing || this.#lines.length === 0) return;
    this.#flushing = true;
    const appended = await Promise.all(this.#lines.map(append));
    this.#flushing = false;
    this.#write(this.#lines.filter((_, at) => appended[at] !== true));
  }

  #write(lines: readonly string[]): boolean {
    if (!this.#file.write(lines)) return false;
    this.#lines = lines;
    return true;
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

function roomFor(line: string): number {
  return rowOf(line).act === 'session.login' ? SPARE_LOG_INS_BYTES_MAX : SPARE_ROWS_BYTES_MAX;
}

function areLogInsOfOne(earlier: string, line: string): boolean {
  const [one, other] = [rowOf(earlier), rowOf(line)];
  return one.act === 'session.login' && other.act === one.act && one.user === other.user && one.ip === other.ip;
}

function counted(earlier: string, line: string): string {
  const { count = 1, ...row } = rowOf(earlier);
  return JSON.stringify({ ...row, count: count + 1, detail: `last at ${rowOf(line).time}` });
}
