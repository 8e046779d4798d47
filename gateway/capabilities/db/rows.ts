import type { QueryResult } from '#common/model/named-query.ts';
import { RESULT_BYTES_MAX } from './limits.ts';

/**
 * Collects the rows of one result until the limits are reached. A second result set (a procedure may have several) is
 * ignored. Duplicate column names get a number (`id`, `id_2`); a column without a name is `column_1`.
 */
export class RowCollector {
  readonly rowsMax: number;
  readonly #rows: Record<string, unknown>[] = [];
  #names: readonly string[] | null = null;
  #sets = 0;
  #bytes = 0;
  #truncated = false;

  constructor(rowsMax: number) {
    this.rowsMax = rowsMax;
  }

  /** True once no more rows are kept. */
  get full(): boolean {
    return this.#truncated;
  }

  columns(names: readonly string[]): void {
    this.#sets += 1;
    this.#names ??= distinctNames(names);
  }

  /** `bytes`: size of the row as it was received. */
  add(values: readonly unknown[], bytes: number): void {
    if (this.#truncated || this.#sets !== 1 || this.#names === null) return;
    this.#bytes += bytes;
    if (this.#rows.length >= this.rowsMax || this.#bytes > RESULT_BYTES_MAX) {
      this.#truncated = true;
      return;
    }
    // Own properties under any name: a column may be named __proto__.
    this.#rows.push(Object.fromEntries(this.#names.map((name, index) => [name, values[index]])));
  }

  result(changed: number): QueryResult {
    const rowCount = this.#names === null ? changed : this.#rows.length;
    return { rows: this.#rows, rowCount, truncated: this.#truncated };
  }
}

export function distinctNames(names: readonly string[]): string[] {
  const taken = new Set(names);
  const seen = new Set<string>();
  return names.map((given, index) => {
    const name = given === '' ? `column_${index + 1}` : given;
    if (!seen.has(name)) {
      seen.add(name);
      return name;
    }
    let number = 2;
    while (taken.has(`${name}_${number}`) || seen.has(`${name}_${number}`)) number += 1;
    seen.add(`${name}_${number}`);
    return `${name}_${number}`;
  });
}

/** Approximate size of a value, for engines that do not report it. */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (value instanceof Uint8Array) return value.byteLength;
  return typeof value === 'object' && value !== null ? JSON.stringify(value).length : 8;
}

/** An integer as a number if JSON can represent it exactly, otherwise as text. */
export function integerValue(value: bigint): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}
