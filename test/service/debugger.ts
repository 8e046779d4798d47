import { once } from 'node:events';
import { within } from '#test/until.ts';

interface Attached {
  readonly sessionId: string;
  readonly workerInfo: { readonly url: string };
}

interface Told {
  readonly method?: string;
  readonly params?: unknown;
}

/** Runs code in the first thread whose file has this suffix, of a process that allows a debugger (`node --inspect`). */
export async function runInThread(debuggerUrl: string, file: string, expression: string): Promise<void> {
  const socket = new WebSocket(debuggerUrl);
  const send = (method: string, params: object) => socket.send(JSON.stringify({ id: 1, method, params }));
  const heard = (what: string, concerns: (told: Told) => boolean): Promise<Told> =>
    within(
      10_000,
      what,
      new Promise((resolve) => {
        socket.addEventListener('message', ({ data }) => {
          const told = JSON.parse(String(data)) as Told;
          if (concerns(told)) resolve(told);
        });
      }),
    );
  await within(10_000, 'the debugger is let in', once(socket, 'open'));
  try {
    const found = heard(`a thread of ${file}`, ({ method, params }) => {
      return method === 'NodeWorker.attachedToWorker' && (params as Attached).workerInfo.url.endsWith(file);
    });
    send('NodeWorker.enable', { waitForDebuggerOnStart: false });
    const { sessionId } = (await found).params as Attached;
    const done = heard('the thread has run it', ({ method }) => method === 'NodeWorker.receivedMessageFromWorker');
    const message = JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression } });
    send('NodeWorker.sendMessageToWorker', { sessionId, message });
    await done;
  } finally {
    // A process does not exit while a debugger is attached.
    socket.close();
  }
}
