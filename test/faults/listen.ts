import { once } from 'node:events';
import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { nowMs } from './clock.ts';

const REOPEN_MS_MAX = 60_000;
const REOPEN_EVERY_MS = 20;
/** Below the ephemeral ports of Linux: an outgoing connection could otherwise occupy the port. */
const PORTS = [20_000, 30_000] as const;
const PORT_TRIES = 100;

/** Any free port of 127.0.0.1 that can be closed and opened again. */
export async function listenSomewhere(server: Server): Promise<number> {
  const [low, high] = PORTS;
  for (let tries = 1; ; tries++) {
    const port = low + Math.floor(Math.random() * (high - low));
    try {
      await listenOn(server, port);
      return port;
    } catch (error) {
      if (tries === PORT_TRIES) throw error;
    }
  }
}

/** The same port again, as soon as no other program uses it. */
export async function listenAgain(server: Server, port: number): Promise<void> {
  const deadline = nowMs() + REOPEN_MS_MAX;
  for (;;) {
    try {
      await listenOn(server, port);
      return;
    } catch (error) {
      if (nowMs() > deadline) throw error;
      await sleep(REOPEN_EVERY_MS);
    }
  }
}

async function listenOn(server: Server, port: number): Promise<void> {
  const listening = once(server, 'listening');
  server.listen(port, '127.0.0.1');
  await listening;
}
