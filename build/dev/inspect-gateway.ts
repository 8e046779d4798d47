import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from '../package/places.ts';

/** Where Node listens for a debugger after SIGUSR1. */
const TARGETS = 'http://127.0.0.1:9229/json/list';
const GATEWAY = join(ROOT, 'gateway/entry.ts');
const POLL_MS = 100;
const OPEN_MS_MAX = 10_000;

/**
 * Lets a debugger attach to the gateway. The host replaces a gateway that is silent for 10 s, so it is suspended while the
 * gateway is held at a breakpoint. The function that it resolves with detaches.
 */
export async function inspectGateway(pid: number, hostPid: number): Promise<() => void> {
  process.kill(pid, 'SIGUSR1');
  const socket = new WebSocket(await debuggerUrl());
  socket.addEventListener('message', ({ data }) => {
    const { method } = JSON.parse(String(data)) as { method?: string };
    if (method === 'Debugger.paused') signal(hostPid, 'SIGSTOP');
    if (method === 'Debugger.resumed') signal(hostPid, 'SIGCONT');
  });
  // The gateway has ended, or this process detaches.
  socket.addEventListener('close', () => signal(hostPid, 'SIGCONT'));
  await once(socket, 'open');
  socket.send(JSON.stringify({ id: 1, method: 'Debugger.enable' }));
  return () => socket.close();
}

/** Another process may have the port: the title of a target is the file that it was started with. */
async function debuggerUrl(): Promise<string> {
  const deadline = performance.now() + OPEN_MS_MAX;
  for (;;) {
    const targets = await fetch(TARGETS).then(
      async (response) => (await response.json()) as { title: string; webSocketDebuggerUrl: string }[],
      () => [],
    );
    const target = targets.find(({ title }) => title === GATEWAY);
    if (target !== undefined) return target.webSocketDebuggerUrl;
    if (performance.now() > deadline)
      throw new Error('the gateway does not listen for a debugger at 127.0.0.1:9229; is the port in use?');
    await sleep(POLL_MS);
  }
}

/** The host may have ended meanwhile. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {}
}
