import { isSensitiveName, MASKED, maskText } from './mask.ts';

const DEPTH_MAX = 16;
const ENTRIES_MAX = 200;
const CHARS_MAX = 4_096;
const PAYLOAD_CHARS_MAX = 64 * 1024;
const RECORD_CHARS_MAX = 1024 * 1024;
const LIST_CHARS_MAX = 4 * 1024 * 1024;
const BYTES_SHOWN = 48;

/** Remaining characters for all records of one response. */
export interface ShowBudget {
  charsLeft: number;
}

export const listBudget = (): ShowBudget => ({ charsLeft: LIST_CHARS_MAX });

/**
 * Converts message values to JSON that may be shown: sensitive headers and API keys are masked, bytes become `{ bytes:
 * <length>, base64: <the first ones> }`, and long texts, lists and nested values are cut with a note.
 */
export class Renderer {
  readonly #secrets: readonly string[];
  readonly #list: ShowBudget;
  #recordLeft = RECORD_CHARS_MAX;
  #charsLeft = 0;

  constructor(secrets: readonly string[], budget: ShowBudget) {
    this.#secrets = secrets;
    this.#list = budget;
  }

  render(value: unknown): unknown {
    const may = Math.min(PAYLOAD_CHARS_MAX, this.#recordLeft, this.#list.charsLeft);
    this.#charsLeft = may;
    const shown = this.#value(value, 0);
    this.#recordLeft -= may - this.#charsLeft;
    this.#list.charsLeft -= may - this.#charsLeft;
    return shown;
  }

  text(text: string): string {
    return maskText(text, this.#secrets);
  }

  #value(value: unknown, depth: number): unknown {
    if (this.#charsLeft <= 0) return '…';
    this.#charsLeft -= 8;
    if (typeof value === 'string') return this.#string(value);
    if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
    if (typeof value !== 'object' || value === null) return isJsonLeaf(value) ? value : `(${typeof value})`;
    if (value instanceof Uint8Array) return showBytes(value);
    if (depth >= DEPTH_MAX) return '…';
    return Array.isArray(value) ? this.#items(value, depth) : this.#object(value, depth);
  }

  /** Clipped before it is masked, with a margin: masking must not cost more than the shown text. */
  #string(value: string): string {
    const cut = value.length > CHARS_MAX;
    const shown = this.text(cut ? value.slice(0, 2 * CHARS_MAX) : value).slice(0, CHARS_MAX);
    this.#charsLeft -= shown.length;
    return cut ? `${shown}… (${value.length} characters)` : shown;
  }

  #items(list: readonly unknown[], depth: number): unknown[] {
    const shown = list.slice(0, ENTRIES_MAX).map((entry) => this.#value(entry, depth + 1));
    if (list.length > ENTRIES_MAX) shown.push(`… ${list.length - ENTRIES_MAX} more`);
    return shown;
  }

  #object(value: object, depth: number): Record<string, unknown> {
    const entries = Object.entries(value);
    const shown: [string, unknown][] = entries
      .slice(0, ENTRIES_MAX)
      .map(([name, entry]) => [
        this.#string(name),
        isSensitiveName(name) && entry !== null ? MASKED : this.#value(entry, depth + 1),
      ]);
    if (entries.length > ENTRIES_MAX) shown.push(['…', `${entries.length - ENTRIES_MAX} more`]);
    return Object.fromEntries(shown);
  }
}

function isJsonLeaf(value: unknown): boolean {
  return value === null || typeof value === 'number' || typeof value === 'boolean' || value === undefined;
}

function showBytes(bytes: Uint8Array): { bytes: number; base64: string } {
  return { bytes: bytes.byteLength, base64: Buffer.from(bytes.subarray(0, BYTES_SHOWN)).toString('base64') };
}
