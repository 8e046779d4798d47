import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';

const USE = '"type":"use"';

/** Counts the uses of keys in a journal that grows fast: each byte is read once, and no row is parsed. */
export class UseCount {
  readonly #folder: string;
  readonly #read = new Map<string, number>();
  #uses = 0;

  constructor(dataDir: string) {
    this.#folder = join(dataDir, 'journal', 'gateway');
  }

  /** As of the last `read`. */
  get uses(): number {
    return this.#uses;
  }

  async read(): Promise<void> {
    const files = (await readdir(this.#folder)).filter((name) => name.endsWith('.jsonl'));
    for (const name of files) await this.#readOn(name);
  }

  async #readOn(name: string): Promise<void> {
    await using file = await open(join(this.#folder, name));
    const from = this.#read.get(name) ?? 0;
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - from), 0, size - from, from);
    const whole = buffer.subarray(0, bytesRead).lastIndexOf('\n') + 1;
    this.#read.set(name, from + whole);
    this.#uses += buffer.toString('latin1', 0, whole).split(USE).length - 1;
  }
}
