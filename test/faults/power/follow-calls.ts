import { dirname, basename } from 'node:path';
import { type Base, type DataChange, type Inode, isSharedMemory, type Operation, ROOT_INODE } from './operations.ts';
import { bytesOf, type TracedCall, vectorBytes } from './parse-trace.ts';

/**
 * Turns system calls into operations on the files of one folder. It follows names, open files and their positions as
 * the kernel does; what it does not model (a second process, io_uring, a writable mapping of a file other than SQLite's
 * -shm) is an error, so that no recording is silently incomplete. Limit: absolute paths, as the product uses.
 */
interface OpenFile {
  inode: Inode;
  append: boolean;
  position: number;
}

/** The prefix of a workload's line when an operation is done; other lines of its output do not have it. */
export const MARK_START = 'DONE ';

/** Which argument is the file that such a call writes to. */
const WRITTEN_FD: Readonly<Record<string, number>> = { copy_file_range: 2, splice: 2, sendfile: 0, fallocate: 0 };

/** Calls that strace has to record for this. */
export const FOLLOWED_CALLS = [
  'open openat openat2 creat close dup dup2 dup3 lseek mmap execve io_uring_setup',
  'write writev pwrite64 pwritev pwritev2 ftruncate truncate fallocate copy_file_range sendfile splice',
  'fsync fdatasync sync syncfs',
  'rename renameat renameat2 link linkat unlink unlinkat symlink symlinkat mkdir mkdirat rmdir mknod mknodat',
].flatMap((names) => names.split(' '));

export class CallFollower {
  readonly operations: Operation[] = [];
  readonly madeFolders: Inode[] = [];
  readonly #root: string;
  readonly #folders = new Map<Inode, Map<string, Inode>>();
  readonly #sizes = new Map<Inode, number>();
  readonly #open = new Map<number, OpenFile>();
  readonly #shared = new Set<Inode>();
  /** Removed names, each with its last file and the trace's line of the removal. */
  readonly #gone = new Map<string, { inode: Inode; line: number }>();
  /** The trace's line at which each operation took effect. */
  readonly #lines: number[] = [];
  #newest: Inode;
  #programs = 0;

  constructor(root: string, base: Base) {
    this.#root = root;
    for (const [inode, names] of base.folders) {
      this.#folders.set(inode, new Map(names));
      for (const [name, to] of names) if (isSharedMemory(name)) this.#shared.add(to);
    }
    for (const [inode, bytes] of base.files) this.#sizes.set(inode, bytes.length);
    this.#newest = Math.max(...base.folders.keys(), ...base.files.keys());
  }

  /** Calls in the order in which they ended. File descriptors have the meaning that they had when the call began. */
  follow(calls: readonly TracedCall[]): void {
    const steps = calls.flatMap((call) => {
      const atBegin = call.name === 'close' || isMark(call);
      return [{ call, line: atBegin ? call.began : call.ended }];
    });
    for (const { call, line } of steps.toSorted((a, b) => a.line - b.line)) this.#step(call, line);
  }

  #step(call: TracedCall, line: number): void {
    if (Number.isNaN(call.result) && call.name !== 'execve') return;
    if (isMark(call)) return this.#mark(call, line);
    if (call.result < 0) return;
    switch (call.name) {
      case 'execve':
        this.#programs += 1;
        if (this.#programs > 1) throw new Error('the workload started another program: not modelled');
        return;
      case 'open':
      case 'creat':
      case 'openat':
      case 'openat2':
        return this.#opened(call, line);
      case 'close':
        this.#open.delete(number(call.args[0]));
        return;
      case 'dup':
      case 'dup2':
      case 'dup3':
        return this.#duplicated(call);
      case 'lseek':
        return this.#moved(call);
      case 'mmap':
        return this.#mapped(call);
      case 'write':
      case 'writev':
      case 'pwrite64':
      case 'pwritev':
      case 'pwritev2':
        return this.#written(call, line);
      case 'ftruncate':
        return this.#truncated(this.#open.get(number(call.args[0]))?.inode, number(call.args[1]), call, line);
      case 'truncate':
        return this.#truncated(this.#at(pathOf(call.args[0]))?.inode, number(call.args[1]), call, line);
      case 'fsync':
      case 'fdatasync':
        return this.#synced(call, line);
      case 'rename':
        return this.#renamed(pathOf(call.args[0]), pathOf(call.args[1]), call, line);
      case 'renameat':
      case 'renameat2':
        return this.#renamed(pathOf(call.args[1]), pathOf(call.args[3]), call, line);
      case 'link':
        return this.#linked(pathOf(call.args[0]), pathOf(call.args[1]), call, line);
      case 'linkat':
        return this.#linked(pathOf(call.args[1]), pathOf(call.args[3]), call, line);
      case 'unlink':
      case 'rmdir':
        return this.#unlinked(pathOf(call.args[0]), call, line);
      case 'unlinkat':
        return this.#unlinked(pathOf(call.args[1]), call, line);
      case 'mkdir':
        return this.#madeFolder(pathOf(call.args[0]), call, line);
      case 'mkdirat':
        return this.#madeFolder(pathOf(call.args[1]), call, line);
      default:
        return this.#expectOutside(call);
    }
  }

  #push(operation: Operation, line: number): void {
    this.operations.push(operation);
    this.#lines.push(line);
  }

  #mark(call: TracedCall, line: number): void {
    const said = bytesOf(call.args[1]).toString().slice(MARK_START.length);
    this.#push({ kind: 'mark', value: JSON.parse(said), text: `the workload says ${said.trim()}` }, line);
  }

  #opened(call: TracedCall, line: number): void {
    const inFolder = call.name === 'openat' || call.name === 'openat2';
    const path = pathOf(call.args[inFolder ? 1 : 0]);
    const flags = call.name === 'creat' ? 'O_CREAT|O_TRUNC' : (call.args[inFolder ? 2 : 1] ?? '');
    const place = this.#place(path);
    if (place === null && path !== this.#root) return;
    if (flags.includes('O_TMPFILE')) throw new Error('O_TMPFILE: not modelled');
    let inode = place === null ? ROOT_INODE : this.#folders.get(place.folder)?.get(place.name);
    if (inode === undefined && place !== null) {
      inode = flags.includes('O_CREAT') ? this.#newFile(place, call, line) : this.#goneSince(call.began, path);
    } else if (flags.includes('O_TRUNC')) this.#truncated(inode, 0, call, line);
    this.#open.set(call.result, { inode: inode ?? ROOT_INODE, append: flags.includes('O_APPEND'), position: 0 });
  }

  /** Another thread removed the name after the file was found by it and before that was reported. */
  #goneSince(began: number, path: string): Inode {
    const gone = this.#gone.get(path);
    if (gone === undefined || gone.line < began) throw new Error(`${path} was opened and is not known`);
    return gone.inode;
  }

  #newFile(place: { folder: Inode; name: string }, call: TracedCall, line: number): Inode {
    const inode = ++this.#newest;
    this.#sizes.set(inode, 0);
    if (isSharedMemory(place.name)) this.#shared.add(inode);
    this.#name([{ ...place, to: inode }], call, line);
    return inode;
  }

  #duplicated(call: TracedCall): void {
    const file = this.#open.get(number(call.args[0]));
    if (file) this.#open.set(call.result, file);
    else this.#open.delete(call.result);
  }

  #moved(call: TracedCall): void {
    const file = this.#open.get(number(call.args[0]));
    if (file) file.position = call.result;
  }

  #mapped(call: TracedCall): void {
    const file = this.#open.get(number(call.args[4]));
    const writable = call.args[2]?.includes('PROT_WRITE') && call.args[3]?.includes('MAP_SHARED');
    if (file && writable && !this.#shared.has(file.inode))
      throw new Error('a file is mapped for writing: not modelled');
  }

  #written(call: TracedCall, line: number): void {
    const file = this.#open.get(number(call.args[0]));
    if (file === undefined || call.result === 0) return;
    const vector = call.name.includes('writev');
    const bytes = (vector ? vectorBytes(call.args[1]) : bytesOf(call.args[1])).subarray(0, call.result);
    const placed = call.name.startsWith('pwrite');
    const size = this.#sizes.get(file.inode) ?? 0;
    const offset = file.append ? size : placed ? number(call.args[3]) : file.position;
    if (!placed) file.position = offset + bytes.length;
    this.#sizes.set(file.inode, Math.max(size, offset + bytes.length));
    this.#data({ kind: 'data', inode: file.inode, change: { offset, bytes } }, call, line);
  }

  #truncated(inode: Inode | undefined, length: number, call: TracedCall, line: number): void {
    if (inode === undefined || this.#sizes.get(inode) === length) return;
    this.#sizes.set(inode, length);
    this.#data({ kind: 'data', inode, change: { length } }, call, line);
  }

  #data(change: DataChange, call: TracedCall, line: number): void {
    this.#push({ ...change, text: this.#textOf(call, change.inode) }, line);
  }

  #synced(call: TracedCall, line: number): void {
    const file = this.#open.get(number(call.args[0]));
    if (file === undefined) return;
    const upTo = this.#lines.filter((done) => done < call.began).length;
    this.#push({ kind: 'sync', inode: file.inode, upTo, text: this.#textOf(call, file.inode) }, line);
  }

  #renamed(from: string, to: string, call: TracedCall, line: number): void {
    const source = this.#at(from);
    const target = this.#place(to);
    if (source === null && target === null) return;
    if (source === null || target === null) throw new Error(`${from} → ${to} leaves the folder: not modelled`);
    // Two names of one file: nothing happens (POSIX rename).
    if (this.#at(to)?.inode === source.inode) return;
    const gone = { folder: source.folder, name: source.name, to: null };
    this.#name([gone, { ...target, to: source.inode }], call, line);
  }

  #linked(from: string, to: string, call: TracedCall, line: number): void {
    const source = this.#at(from);
    const target = this.#place(to);
    if (target === null) return;
    if (source === null) throw new Error(`a second name for ${from}: not modelled`);
    this.#name([{ ...target, to: source.inode }], call, line);
  }

  #unlinked(path: string, call: TracedCall, line: number): void {
    const place = this.#at(path);
    if (place === null) return;
    this.#gone.set(path, { inode: place.inode, line });
    this.#name([{ folder: place.folder, name: place.name, to: null }], call, line);
  }

  #madeFolder(path: string, call: TracedCall, line: number): void {
    const place = this.#place(path);
    if (place === null) return;
    const inode = ++this.#newest;
    this.#folders.set(inode, new Map());
    this.madeFolders.push(inode);
    this.#name([{ ...place, to: inode }], call, line);
  }

  #name(changes: { folder: Inode; name: string; to: Inode | null }[], call: TracedCall, line: number): void {
    for (const { folder, name, to } of changes) {
      const names = this.#folders.get(folder);
      if (to === null) names?.delete(name);
      else names?.set(name, to);
    }
    const text = `${call.name} ${changes.map(({ name, to }) => (to === null ? `${name} goes` : `${name} is #${to}`)).join(', ')}`;
    this.#push({ kind: 'names', changes, text }, line);
  }

  /** Calls that are recorded only to ensure that they do not touch the folder. */
  #expectOutside(call: TracedCall): void {
    const written = this.#open.has(number(call.args[WRITTEN_FD[call.name] ?? -1]));
    const named = call.args.some((arg) => arg.startsWith('"') && this.#place(bytesOf(arg).toString()) !== null);
    // libuv's ring for files polls; its other one, for epoll, does not.
    const ring = call.name === 'io_uring_setup' && call.args.some((arg) => arg.includes('IORING_SETUP_SQPOLL'));
    if (written || named || ring) throw new Error(`${call.name}(${call.args.join(', ')}): not modelled`);
  }

  /** Folder and name of a path below the root, or null for one elsewhere. */
  #place(path: string): { folder: Inode; name: string } | null {
    if (!path.startsWith(`${this.#root}/`)) return null;
    const folder = dirname(path) === this.#root ? ROOT_INODE : this.#at(dirname(path))?.inode;
    return folder === undefined ? null : { folder, name: basename(path) };
  }

  #at(path: string): { folder: Inode; name: string; inode: Inode } | null {
    const place = this.#place(path);
    const inode = place && this.#folders.get(place.folder)?.get(place.name);
    return place === null || inode === undefined || inode === null ? null : { ...place, inode };
  }

  #textOf(call: TracedCall, inode: Inode): string {
    const places = call.args.slice(1).map((arg) => (arg.startsWith('"') || arg.startsWith('[') ? '…' : arg));
    return `${call.name}(#${inode} ${this.#nameOf(inode)}${places.map((arg) => `, ${arg}`).join('')})`;
  }

  #nameOf(inode: Inode): string {
    if (inode === ROOT_INODE) return 'the folder';
    for (const names of this.#folders.values()) for (const [name, to] of names) if (to === inode) return name;
    return '(no name)';
  }
}

function isMark(call: TracedCall): boolean {
  if (call.name !== 'write' || call.args[0] !== '1') return false;
  return bytesOf(call.args[1]).toString('latin1', 0, MARK_START.length) === MARK_START;
}

function pathOf(arg: string | undefined): string {
  return bytesOf(arg).toString().replace(/\/+$/, '');
}

/** NaN for anything except a number, such as a string: no file is open under it. */
function number(arg: string | undefined): number {
  return Number.parseInt(arg ?? '', 10);
}
