import type { GatewayToHost, HostToGateway } from '#common/control/messages.ts';

/** The channel to the host: the child process's IPC channel, or Electron's `parentPort` in a utility process. */
export interface Channel {
  send(message: GatewayToHost): void;
  onMessage(listener: (message: HostToGateway) => void): void;
  onClosed(listener: () => void): void;
}

interface ParentPort {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (event: { data: unknown }) => void): void;
  on(event: 'close', listener: () => void): void;
}

/** Throws if the process was not started by a host: the gateway does not run on its own. */
export function hostChannel(): Channel {
  const port = (process as NodeJS.Process & { parentPort?: ParentPort }).parentPort;
  if (port) return portChannel(port);
  if (!process.send) throw new Error('the gateway is started by the Sluice host; run "sluice serve"');
  return ipcChannel();
}

function ipcChannel(): Channel {
  return {
    send(message) {
      if (process.connected) process.send?.(message);
    },
    onMessage: (listener) => void process.on('message', (message) => listener(message as HostToGateway)),
    onClosed: (listener) => void process.on('disconnect', listener),
  };
}

function portChannel(port: ParentPort): Channel {
  return {
    send: (message) => port.postMessage(message),
    onMessage: (listener) => port.on('message', (event) => listener(event.data as HostToGateway)),
    onClosed: (listener) => port.on('close', listener),
  };
}
