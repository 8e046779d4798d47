import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { within } from '../until.ts';

/** Starts and ends opcua-server.ts, a real OPC UA server in a separate process. */
export interface PeerOptions {
  port: number;
  certificateFile: string;
  privateKeyFile: string;
  applicationUri: string;
  productName?: string;
  /** Names and passwords; without them, anonymous log-ins are allowed. */
  users?: Record<string, string>;
  /** True: prepared, but listens only on request: a restart without the time for starting. */
  standby?: boolean;
  /** A variable whose writes by clients are reported. */
  witnessed?: string;
  /** Endpoint addresses that the server names instead of its own. */
  advertised?: string[];
}

/** To the server: set a variable, or with the id "" listen. */
export interface PeerCommand {
  id: string;
  value?: unknown;
  status?: string;
  /** Milliseconds since 1970. */
  time?: number;
}

export type PeerReport = { ready: true } | PeerWrite;

/** A write by a client: when it arrived, by the clock of `process.hrtime`, and the value. */
interface PeerWrite {
  ms: number;
  value: unknown;
}

export interface OpcuaPeer extends AsyncDisposable {
  readonly port: number;
  /** Ends the standby. */
  listen(): Promise<void>;
  /** Sets a variable from inside, like a machine. */
  set(command: PeerCommand): void;
  /** SIGSTOP and SIGCONT: the peer hangs with its sockets open. */
  hang(on: boolean): void;
  /** Writes to `witnessed` so far, in order. */
  readonly writes: readonly PeerWrite[];
  kill(): Promise<void>;
}

const START_MS_MAX = 30_000;

export async function startOpcuaPeer(folder: string, options: PeerOptions): Promise<OpcuaPeer> {
  // The library has folders per user: here they belong to the test.
  const env = { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder };
  const child = fork(new URL('opcua-server.ts', import.meta.url), [JSON.stringify(options)], {
    env,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const failed = once(child, 'exit').then(() =>
    Promise.reject(new Error('the OPC UA server ended before it was ready')),
  );
  await within(START_MS_MAX, 'the OPC UA server starts', Promise.race([once(child, 'message'), failed]));
  failed.catch(() => undefined);
  const kill = () => end(child);
  const writes: PeerWrite[] = [];
  child.on('message', (report: PeerReport) => {
    if ('value' in report) writes.push(report);
  });
  return {
    port: options.port,
    writes,
    listen: async () => {
      const ready = once(child, 'message');
      child.send({ id: '' } satisfies PeerCommand);
      await ready;
    },
    set: (command) => void child.send(command),
    hang: (on) => void child.kill(on ? 'SIGSTOP' : 'SIGCONT'),
    kill,
    [Symbol.asyncDispose]: kill,
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}
