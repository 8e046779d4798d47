import { createHash } from 'node:crypto';
import fs from 'node:fs';
import type { FileHandle } from 'node:fs/promises';

const FLUSH_CHARS = 65_536;

/** A part file (prune.ts) while it is written. It is not created without rows. */
export class PartFile {
  readonly #path: string;
  readonly #digest = createHash('sha256');
  #file: FileHandle | null = null;
  #pending: string;
  #rows = 0;

  constructor(path: string, headerLine: string) {
    this.#path = path;
    this.#pending = `${headerLine}\n`;
  }

  async add(line: string): Promise<void> {
    this.#rows += 1;
    this.#pending += `${line}\n`;
    if (this.#pending.length > FLUSH_CHARS) await this.#flush();
  }

  /** Resolves with the SHA-256 (hex) of the synced file, or null. */
  async finish(): Promise<string | null> {
    if (this.#rows === 0) return null;
    await this.#flush();
    await this.#file?.sync();
    await this.#close();
    return this.#digest.digest('hex');
  }

  /** It would occupy space on a disk that may be full. */
  async abandon(): Promise<void> {
    await this.#close().catch(() => {});
    await fs.promises.rm(this.#path, { force: true }).catch(() => {});
  }

  async #flush(): Promise<void> {
    this.#file ??= await fs.promises.open(this.#path, 'w', 0o600);
    const bytes = Buffer.from(this.#pending);
    this.#pending = '';
    this.#digest.update(bytes);
    // A nearly full disk writes a part of the data and reports that.
    for (let done = 0; done < bytes.length;) done += await written(this.#file, bytes.subarray(done));
  }

  async #close(): Promise<void> {
    const file = this.#file;
    this.#file = null;
    await file?.close();
  }
}

async function written(file: FileHandle, bytes: Buffer): Promise<number> {
  const { bytesWritten } = await file.write(bytes);
  if (bytesWritten <= 0) throw new Error('the disk accepted no bytes');
  return bytesWritten;
}
