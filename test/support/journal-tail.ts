import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { AuditRow } from '#common/model/audit.ts';
import { rowOfLine } from './journal-rows.ts';

/**
 * Reads a growing journal: each `next` returns the rows since the previous one, so that a thousand calls cost no more
 * than one. Segments are only appended to; there must be no pruning.
 */
export class JournalTail {
  readonly #folder: string;
  readonly #read = new Map<string, number>();

  constructor(dataDir: string) {
    this.#folder = join(dataDir, 'journal', 'gateway');
  }

  async next(): Promise<AuditRow[]> {
    const files = (await readdir(this.#folder)).filter((name) => name.endsWith('.jsonl')).toSorted();
    const rows: AuditRow[] = [];
    for (const name of files) rows.push(...(await this.#nextOf(name)));
    return rows;
  }

  async #nextOf(name: string): Promise<AuditRow[]> {
    await using file = await open(join(this.#folder, name));
    const { size } = await file.stat();
    const from = this.#read.get(name) ?? 0;
    const bytes = Buffer.alloc(size - from);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, from);
    // A batch that is being written is read by the next call.
    const whole = bytes.subarray(0, bytesRead).lastIndexOf('\n') + 1;
    this.#read.set(name, from + whole);
    return bytes.toString('utf8', 0, whole).split('\n').flatMap(rowOfLine);
  }
}
