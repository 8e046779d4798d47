import { utilityProcess } from 'electron';
import { isControlMessage, scrubbed, type StartChild } from '../supervisor/child.ts';
import { wholeLines } from './whole-lines.ts';

/**
 * Gateways as Electron's utility processes: plain Node code, without a window. Their output is passed to `write`, line
 * by line; their environment is set by the same code as in service mode.
 */
export function utilityGateway(entry: string, write: (line: string) => void): StartChild {
  return () => {
    const env = scrubbed(process.env);
    const child = utilityProcess.fork(entry, [], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      serviceName: 'Sluice gateway',
    });
    const outputs = [child.stdout, child.stderr].map((stream) => {
      const lines = wholeLines(write);
      stream?.setEncoding('utf8');
      stream?.on('data', lines.take);
      return lines;
    });
    let gone = false;
    // The first listener: Electron itself crashes if a message is sent to a child while its exit is being reported.
    child.once('exit', () => {
      gone = true;
      for (const output of outputs) output.end();
    });
    return {
      get pid() {
        return child.pid ?? null;
      },
      send: (message) => {
        if (!gone) child.postMessage(message);
      },
      onMessage: (listener) => {
        child.on('message', (message: unknown) => {
          if (isControlMessage(message)) listener(message);
        });
      },
      onExit: (listener) => void child.once('exit', (code) => listener({ code, signal: null })),
      // Electron's own kill sends SIGTERM, which a hanging gateway would not handle.
      kill: () => {
        if (gone) return;
        if (child.pid === undefined) child.once('spawn', () => killNow(child.pid));
        else killNow(child.pid);
      },
    };
  };
}

function killNow(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended between the check and the kill; its exit is reported.
  }
}
