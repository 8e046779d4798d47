import { utilityProcess } from 'electron';
import { isControlMessage, scrubbed, type StartChild } from '../supervisor/child.ts';

/**
 * Gateways as Electron's utility processes: plain Node code, without a window. Their output goes to our standard
 * error and output; what they see of the environment is decided where service mode decides it.
 */
export function utilityGateway(entry: string): StartChild {
  return () => {
    const env = scrubbed(process.env);
    const child = utilityProcess.fork(entry, [], {
      env,
      stdio: ['ignore', 'inherit', 'inherit'],
      serviceName: 'Sluice gateway',
    });
    let gone = false;
    child.once('exit', () => (gone = true));
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
        if (!gone && child.pid !== undefined) process.kill(child.pid, 'SIGKILL');
      },
    };
  };
}
