import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Base, type DataChange, type Inode, isSharedMemory, type Operation, ROOT_INODE } from './operations.ts';

/** Reads a folder as it is now. */
export function readBase(root: string): Base {
  const files = new Map<Inode, Buffer>();
  const folders = new Map<Inode, Map<string, Inode>>();
  let newest = ROOT_INODE;
  const read = (path: string, inode: Inode) => {
    const names = new Map<string, Inode>();
    folders.set(inode, names);
    for (const name of readdirSync(path)) {
      newest += 1;
      names.set(name, newest);
      if (statSync(join(path, name)).isDirectory()) read(join(path, name), newest);
      else files.set(newest, readFileSync(join(path, name)));
    }
  };
  read(root, ROOT_INODE);
  return { files, folders };
}

/** The part of a data change that reached the disk: all of it, or pieces of this size at multiples of it. */
export type Part = 'whole' | { sectorBytes: number; kept: readonly boolean[] } | 'zeros';

/** The content of the disk: a set of operations, in order. */
export class DiskImage {
  readonly #files = new Map<Inode, Buffer>();
  readonly #folders = new Map<Inode, Map<string, Inode>>();
  /** The buffers of files that no other image shares: their bytes and room for more, all zero. */
  readonly #rooms = new Map<Inode, Buffer>();

  constructor(base: Base) {
    for (const [inode, bytes] of base.files) this.#files.set(inode, bytes);
    for (const [inode, names] of base.folders) this.#folders.set(inode, new Map(names));
  }

  copy(): DiskImage {
    this.#rooms.clear();
    return new DiskImage({ files: this.#files, folders: this.#folders });
  }

  apply(operation: Operation, part: Part = 'whole'): void {
    if (operation.kind === 'names') for (const change of operation.changes) this.#name(change);
    else if (operation.kind === 'data') this.#data(operation, part);
  }

  /** Its names as text, with the number of the file for each: what can be opened. */
  names(): { path: string; inode: Inode; isFolder: boolean }[] {
    const found: { path: string; inode: Inode; isFolder: boolean }[] = [];
    const walk = (folder: Inode, path: string) => {
      for (const [name, inode] of this.#folders.get(folder) ?? []) {
        const isFolder = this.#folders.has(inode);
        found.push({ path: join(path, name), inode, isFolder });
        if (isFolder) walk(inode, join(path, name));
      }
    };
    walk(ROOT_INODE, '');
    return found;
  }

  bytes(inode: Inode): Buffer {
    return this.#files.get(inode) ?? Buffer.alloc(0);
  }

  /** Writes the image to an empty folder. `noise` returns the content of a -shm file, or null for none. */
  materialise(root: string, noise: (bytes: number) => Buffer | null): void {
    rmSync(root, { recursive: true, force: true });
    mkdirSync(root, { mode: 0o700 });
    for (const { path, inode, isFolder } of this.names()) {
      if (isFolder) mkdirSync(join(root, path), { mode: 0o700 });
      else {
        const bytes = isSharedMemory(path) ? noise(this.bytes(inode).length) : this.bytes(inode);
        if (bytes !== null) writeFileSync(join(root, path), bytes, { mode: 0o600 });
      }
    }
  }

  #name({ folder, name, to }: { folder: Inode; name: string; to: Inode | null }): void {
    const names = this.#folders.get(folder);
    if (names === undefined) return;
    if (to === null) names.delete(name);
    else names.set(name, to);
  }

  #data({ inode, change }: DataChange, part: Part): void {
    const old = this.bytes(inode);
    if ('length' in change) return void this.#resize(inode, change.length);
    const { offset, bytes } = change;
    const kept = keptPieces(offset, bytes.length, part);
    const end = part === 'zeros' ? offset + bytes.length : (kept.at(-1)?.to ?? 0);
    const now = this.#resize(inode, Math.max(old.length, end));
    for (const { from, to } of kept) bytes.copy(now, from, from - offset, to - offset);
  }

  /** The writable bytes of the file: this image's own, with room to grow. */
  #resize(inode: Inode, length: number): Buffer {
    const old = this.bytes(inode);
    const room = this.#rooms.get(inode);
    if (room !== undefined && room.length >= length && length >= old.length) {
      this.#files.set(inode, room.subarray(0, length));
    } else {
      const fresh = Buffer.alloc(length * 2);
      old.copy(fresh, 0, 0, length);
      this.#rooms.set(inode, fresh);
      this.#files.set(inode, fresh.subarray(0, length));
    }
    return this.bytes(inode);
  }
}

function keptPieces(offset: number, bytes: number, part: Part): { from: number; to: number }[] {
  if (part === 'zeros') return [];
  if (part === 'whole') return [{ from: offset, to: offset + bytes }];
  return piecesOf(offset, bytes, part.sectorBytes).filter((_, piece) => part.kept[piece]);
}

/** The sectors that a write touches: pieces of at most one sector, none across a border. */
export function piecesOf(offset: number, bytes: number, sectorBytes: number): { from: number; to: number }[] {
  const pieces: { from: number; to: number }[] = [];
  for (let from = offset; from < offset + bytes;) {
    const to = Math.min(offset + bytes, (Math.floor(from / sectorBytes) + 1) * sectorBytes);
    pieces.push({ from, to });
    from = to;
  }
  return pieces;
}
