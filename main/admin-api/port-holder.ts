import { readdir, readFile, readlink } from 'node:fs/promises';

/**
 * The program that listens on a port: known only on Linux, and only for programs that this user can inspect.
 *
 * Limits: `PROCESSES_MAX` processes and a search of `SEARCH_MS_MAX`.
 */
export interface PortHolder {
  program: string;
  pid: number;
}

const PROCESSES_MAX = 4_096;
const SEARCH_MS_MAX = 1_000;
const LISTENING = '0A';

/** Null: unknown. */
export async function portHolder(port: number): Promise<PortHolder | null> {
  if (process.platform !== 'linux') return null;
  const tables = await Promise.all(['/proc/net/tcp', '/proc/net/tcp6'].map((file) => textOf(file)));
  const sockets = new Set(tables.flatMap((table) => socketsOn(table, port)));
  if (sockets.size === 0) return null;
  const until = performance.now() + SEARCH_MS_MAX;
  const pids = (await namesIn('/proc')).filter((name) => /^\d+$/.test(name)).slice(0, PROCESSES_MAX);
  for (const pid of pids) {
    if (performance.now() > until) return null;
    if (!(await holds(pid, sockets))) continue;
    const program = (await textOf(`/proc/${pid}/comm`)).trim();
    return program === '' ? null : { program, pid: Number(pid) };
  }
  return null;
}

/** Inodes of the sockets that listen on the port; a row is `sl local remote state tx:rx tr:when retr uid timeout inode`. */
export function socketsOn(table: string, port: number): string[] {
  const wanted = port.toString(16).toUpperCase().padStart(4, '0');
  return table.split('\n').flatMap((line) => {
    const [, local, , state, , , , , , inode] = line.trim().split(/\s+/);
    return local?.split(':')[1] === wanted && state === LISTENING && inode !== undefined ? [inode] : [];
  });
}

async function holds(pid: string, sockets: ReadonlySet<string>): Promise<boolean> {
  for (const fd of await namesIn(`/proc/${pid}/fd`)) {
    const target = await readlink(`/proc/${pid}/fd/${fd}`).catch(() => '');
    const inode = /^socket:\[(\d+)\]$/.exec(target)?.[1];
    if (inode !== undefined && sockets.has(inode)) return true;
  }
  return false;
}

/** Entries that another user's process hides, or that have ended, are ignored. */
const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);
const textOf = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '');
