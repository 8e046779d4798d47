import type { Socket } from 'node:net';
import { nowMs } from './clock.ts';
import { reset } from './reset.ts';
import type { Witness } from './witness.ts';

/** Shared by all targets of a process: numbers arrivals and connections. */
export interface Counters {
  arrivals: number;
  connections: number;
}

/** The open connections of one target; the end of each is reported to the witness. */
export interface Connections {
  add(socket: Socket): void;
  /** The next arrival, on this connection. */
  arrived(socket: Socket): { readonly n: number; readonly connection: number };
  /** Resets it, whatever is in progress. */
  tear(socket: Socket): void;
  /** Resolves when the witness knows of each. */
  tearAll(): Promise<void>;
}

interface Known {
  readonly connection: number;
  last: number | null;
  torn: boolean;
}

export function trackConnections(witness: Witness, counters: Counters): Connections {
  const open = new Map<Socket, Known>();
  const tear = (socket: Socket) => {
    const known = open.get(socket);
    if (known) known.torn = true;
    reset(socket);
  };
  return {
    add(socket) {
      const known: Known = { connection: (counters.connections += 1), last: null, torn: false };
      open.set(socket, known);
      // `close` reports the outcome.
      socket.on('error', () => {});
      socket.on('close', () => {
        open.delete(socket);
        witness.write({ kind: 'closed', atMs: nowMs(), ...known });
      });
    },
    arrived(socket) {
      const known = open.get(socket);
      const n = (counters.arrivals += 1);
      if (known) known.last = n;
      return { n, connection: known?.connection ?? 0 };
    },
    tear,
    async tearAll() {
      const ends = [...open.keys()].map((socket) => new Promise((resolve) => socket.once('close', resolve)));
      for (const socket of open.keys()) tear(socket);
      await Promise.all(ends);
    },
  };
}
