import { unlink } from 'node:fs/promises';
import { NodeError } from '#sdk';
import type { FolderHandle } from './folder-handle.ts';
import { entriesOf, isOwn, namesIn } from './entries.ts';

/**
 * Usage of a workspace: bytes of files, and entries (files and folders). Counted once from the disk, then updated with
 * each change, and counted again when the workspace seems full, because users and other programs change the folder too.
 */
export const QUOTA_BYTES = 1024 * 1024 * 1024;
export const ENTRIES_MAX = 100_000;
const RECOUNT_MS = 60_000;
/** Folders created by users can be deeper than paths allow; the count stops here. */
const COUNTED_DEPTH_MAX = 64;

interface Held {
  bytes: number;
  entries: number;
}

export class Usage {
  readonly #quotaBytes: number;
  #held: Held | null = null;
  #countedMs = 0;

  constructor(quotaBytes: number) {
    this.#quotaBytes = quotaBytes;
  }

  get counted(): boolean {
    return this.#held !== null;
  }

  /**
   * Counts from the disk and removes the remains of writes that a crash interrupted. No writes may run at the same
   * time.
   */
  async count(root: FolderHandle | null): Promise<void> {
    const held = { bytes: 0, entries: 0 };
    if (root !== null) await measure(root, held, 0);
    this.#held = held;
    this.#countedMs = performance.now();
  }

  /** Throws NodeError `files_full` if this much more does not fit, after another count if the last one is old. */
  async allow(bytes: number, entries: number, root: FolderHandle): Promise<void> {
    if (this.#fault(bytes, entries) === null) return;
    if (performance.now() - this.#countedMs > RECOUNT_MS) await this.count(root);
    const fault = this.#fault(bytes, entries);
    if (fault !== null) throw new NodeError('files_full', fault);
  }

  add(bytes: number, entries: number): void {
    if (this.#held === null) return;
    this.#held.bytes += bytes;
    this.#held.entries += entries;
  }

  #fault(bytes: number, entries: number): string | null {
    const { bytes: heldBytes, entries: heldEntries } = this.#held ?? { bytes: 0, entries: 0 };
    if (bytes > 0 && heldBytes + bytes > this.#quotaBytes)
      return `the workspace holds ${this.#quotaBytes} bytes at most; remove some files`;
    if (entries > 0 && heldEntries + entries > ENTRIES_MAX)
      return `the workspace has ${ENTRIES_MAX} files and folders at most; remove some`;
    return null;
  }
}

async function measure(folder: FolderHandle, held: Held, depth: number): Promise<void> {
  // Beyond twice the limit the exact number is irrelevant: it is full.
  const names = await namesIn(folder, 2 * ENTRIES_MAX).catch((error: unknown) => {
    if (!(error instanceof NodeError)) throw error;
    held.entries += 2 * ENTRIES_MAX;
    return [];
  });
  for (const { name, stats } of await entriesOf(folder, names)) {
    if (held.entries > 2 * ENTRIES_MAX) return;
    if (isOwn(name) && stats.isFile()) {
      await unlink(folder.at(name));
      continue;
    }
    held.entries += 1;
    if (stats.isFile()) held.bytes += Number(stats.size);
    if (stats.isDirectory() && depth < COUNTED_DEPTH_MAX) await measureBelow(folder, name, held, depth);
  }
}

async function measureBelow(folder: FolderHandle, name: string, held: Held, depth: number): Promise<void> {
  const below = await folder.enter(name);
  if (below === null) return;
  try {
    await measure(below, held, depth + 1);
  } finally {
    await below.close();
  }
}
