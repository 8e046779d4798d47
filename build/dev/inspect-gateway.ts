import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from '../package/places.ts';

const ADDRESS = '127.0.0.1:9229';
const TARGETS = `http://${ADDRESS}/json/list`;
const GATEWAY = join(ROOT, 'gateway/entry.ts');
const POLL_MS = 100;
const OPEN_MS_MAX = 10_000;

/**
 * Creates a program in `folder` that starts the gateway with the debugger allowed, and behaves like Node otherwise.
 * Returns the flags that make a host use it: the host starts it in place of its own program, and passes on no Node
 * flags. The permission model disables the debugger unless it is allowed.
 */
export async function debuggedGatewayFlags(folder: string): Promise<string[]> {
  if (process.platform === 'win32') throw new Error('--inspect is not available on Windows');
  const program = join(folder, 'node');
  const script = `#!/bin/sh
case "$*" in *'${GATEWAY}'*) set -- --allow-inspector --inspect=${ADDRESS} "$@" ;; esac
exec '${process.execPath}' "$@"
`;
  await writeFile(program, script, { mode: 0o700 });
  const code = `process.execPath=${JSON.stringify(program)}`;
  return ['--import', `data:text/javascript,${encodeURIComponent(code)}`];
}

/**
 * Attaches to the gateway. The host replaces a gateway that is silent for 10 s, so it is suspended while the gateway is
 * paused at a breakpoint. Resolves with a function that detaches.
 */
export async function inspectGateway(hostPid: number): Promise<() => void> {
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

/** Another process may have the port: the title of a target is the path of its main file. */
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
      throw new Error(`the gateway does not listen for a debugger at ${ADDRESS}; is the port in use?`);
    await sleep(POLL_MS);
  }
}

/** The host may have ended meanwhile. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {}
}
