import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { tempDir } from './temp-dir.ts';
import { until } from './until.ts';

/** The socket that systemd receives service messages on (sd_notify(3)). */
export interface NotifySocket extends AsyncDisposable {
  readonly path: string;
  /** All messages so far; the lines of each, such as `READY=1`. */
  readonly notices: readonly (readonly string[])[];
  /** The values of all lines so far with this name. */
  valuesOf(name: string): string[];
}

/**
 * Node has no such sockets. A barrier (a file descriptor that is sent along) is answered by closing it, as in systemd.
 */
const RECEIVER = `
import json, os, socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1])
while True:
    data, fds, _, _ = socket.recv_fds(s, 4096, 4)
    for fd in fds: os.close(fd)
    print(json.dumps(data.decode().split('\\n')), flush=True)
`;

export async function openNotifySocket(): Promise<NotifySocket> {
  const folder = await tempDir('sluice-notify-');
  const path = `${folder.path}/notify`;
  const receiver = spawn('python3', ['-c', RECEIVER, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  const notices: string[][] = [];
  createInterface({ input: receiver.stdout }).on('line', (line) => notices.push(JSON.parse(line) as string[]));
  await until('the socket is open', () => existsSync(path));
  return {
    path,
    notices,
    valuesOf: (name) =>
      notices.flat().flatMap((line) => (line.startsWith(`${name}=`) ? [line.slice(name.length + 1)] : [])),
    async [Symbol.asyncDispose]() {
      const ended = once(receiver, 'exit');
      receiver.kill('SIGKILL');
      await ended;
      await folder.remove();
    },
  };
}
