import { utilityProcess } from 'electron';
import { isControlMessage, scrubbed, type StartChild } from '../supervisor/child.ts';
import { wholeLines } from './whole-lines.ts';

/**
 * Gateways as Electron's utility processes: plain Node code, without a window. What they print goes to `write`, line by
 * line; what they see of the environment is decided where service mode decides it.
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
    // First of all listeners: Electron itself crashes when a message is sent to a child while its end is being told.
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
      // Electron's own kill is a request (SIGTERM), which a gateway that hangs would not hear.
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
    // It ended between the question and the kill; its exit is told.
  }
}
