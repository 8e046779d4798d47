import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { within } from '../until.ts';

/** A peer for tests in a separate process, which reports when it is ready and is killed with SIGKILL. */
export interface ChildPeer extends AsyncDisposable {
  readonly child: ChildProcess;
  /** SIGSTOP and SIGCONT: the peer hangs with its sockets open. */
  hang(on: boolean): void;
  kill(): Promise<void>;
}

const START_MS_MAX = 30_000;

/** `file` gets `options` as JSON in its first argument and sends one message when it is ready. */
export async function startChildPeer(file: string, options: object): Promise<ChildPeer> {
  const child = fork(new URL(file, import.meta.url), [JSON.stringify(options)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await within(START_MS_MAX, `${file} starts`, readyOrEnd(child, file));
  return peerOf(child);
}

export function peerOf(child: ChildProcess): ChildPeer {
  const kill = () => endHard(child);
  return { child, hang: (on) => void child.kill(on ? 'SIGSTOP' : 'SIGCONT'), kill, [Symbol.asyncDispose]: kill };
}

function readyOrEnd(child: ChildProcess, file: string): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('message', () => resolve());
    child.once('exit', () => reject(new Error(`${file} ended before it was ready`)));
  });
}

async function endHard(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

/** Commands to a peer that answers the command `ask` with its report. */
export function commandsOf<Command extends object, Report>(
  peer: ChildPeer,
  ask: Command,
): { tell(command: Command): void; report(): Promise<Report> } {
  const tell = (command: Command) => void peer.child.send(command);
  return {
    tell,
    async report() {
      const answer = once(peer.child, 'message');
      tell(ask);
      const [report] = (await answer) as [Report];
      return report;
    },
  };
}
