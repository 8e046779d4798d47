/** An operation of a process on the files of one folder, or a message that it sent between two of them. */
export type Operation = (NameChange | DataChange | Sync | Mark) & {
  /** The original call, for display. */
  readonly text: string;
};

/** One step of the file system: a new name, a removed one, or both (a rename), never half of it. */
export interface NameChange {
  readonly kind: 'names';
  readonly changes: readonly { folder: Inode; name: string; to: Inode | null }[];
}

export interface DataChange {
  readonly kind: 'data';
  readonly inode: Inode;
  readonly change: { offset: number; bytes: Buffer } | { length: number };
}

/** The operations before `upTo` on this file or folder are on disk. */
export interface Sync {
  readonly kind: 'sync';
  readonly inode: Inode;
  readonly upTo: number;
}

/** The process reported that an operation is done. */
export interface Mark {
  readonly kind: 'mark';
  readonly value: unknown;
}

/** A number for a file or folder, whatever its names are; the recorded folder itself is 0. */
export type Inode = number;
export const ROOT_INODE: Inode = 0;

/** The initial folder, completely on disk. Folders that are created later exist without a name. */
export interface Base {
  readonly files: ReadonlyMap<Inode, Buffer>;
  /** Names in each folder. */
  readonly folders: ReadonlyMap<Inode, ReadonlyMap<string, Inode>>;
}

export interface Recording {
  readonly base: Base;
  readonly operations: readonly Operation[];
}

/** SQLite's index of its WAL: shared memory that is created again at the next opening, never flushed. */
export const isSharedMemory = (name: string): boolean => name.endsWith('-shm');
