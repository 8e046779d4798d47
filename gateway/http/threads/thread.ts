import { isMainThread, type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { releaseIdleMemory } from '#common/node/idle-memory.ts';
import { createGatewayServer } from '../server.ts';
import type { Answer, FromThread, Question, ThreadInit, ToThread } from './messages.ts';
import { MessageBatch } from './message-batch.ts';
import { ThreadDispatcher } from './thread-dispatcher.ts';

/**
 * A thread that owns sockets of a gateway port: it does TLS and HTTP and checks the speed of callers. Everything that
 * must be exact over all callers is done in the core, which is notified of sockets and requests in their order of
 * arrival.
 */
function serve(port: MessagePort): void {
  const core = new MessageBatch(port, setImmediate);
  const desk = new ThreadDispatcher(core);
  const { identity } = workerData as ThreadInit;
  const server = createGatewayServer(desk, identity);

  const answer = (id: number, what: Answer): void => {
    // After all earlier messages.
    core.flush();
    port.postMessage({ id, ...what } satisfies FromThread);
  };
  const act = async (question: Question): Promise<Answer> => {
    switch (question.ask) {
      case 'up':
        return { answer: 'up' };
      case 'listen':
        return { answer: 'listen', port: await server.listen(question.address) };
      case 'renew':
        await server.renew(question.identity);
        return { answer: 'renew' };
      case 'close':
        desk.draining = true;
        await server.close();
        return { answer: 'close' };
      case 'end':
        await (
          await server.close()
        ).gone;
        return { answer: 'end' };
    }
  };
  port.on('message', (message: ToThread) => {
    if (!('ask' in message)) return desk.take(message);
    const { id, ask } = message;
    act(message).then(
      (what) => answer(id, what),
      ({ code = '', message: text }: NodeJS.ErrnoException) =>
        answer(id, { answer: ask, failed: { code, message: text } }),
    );
  });
}

if (!isMainThread && parentPort) {
  serve(parentPort);
  releaseIdleMemory();
}
