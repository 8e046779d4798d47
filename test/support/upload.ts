import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';

/** Sends the piece repeatedly, `bytes` in total, as fast as it is accepted; stops early if the socket ends. */
export async function upload(socket: Socket, piece: Uint8Array, bytes: number): Promise<void> {
  for (let sent = 0; sent < bytes && !socket.destroyed; sent += piece.length)
    if (!socket.write(piece)) await drained(socket);
}

function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      socket.off('drain', done).off('close', done).off('error', done);
      resolve();
    };
    socket.on('drain', done).on('close', done).on('error', done);
  });
}

/** Bytes that a process has read so far, including sockets (proc_pid_io(5), rchar); null without /proc. */
export async function bytesRead(pid: number): Promise<number | null> {
  const text = await readFile(`/proc/${pid}/io`, 'utf8').catch(() => '');
  return text === '' ? null : Number(/^rchar: (\d+)$/m.exec(text)?.[1]);
}

/** Resident memory of a process in bytes; null without /proc. */
export async function heldBytes(pid: number): Promise<number | null> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return text === '' ? null : Number(/VmRSS:\s+(\d+)/.exec(text)?.[1]) * 1024;
}
