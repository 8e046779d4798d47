import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ServerProgram } from '#test/peers/child-program.ts';
import { until } from '#test/until.ts';
import type { Acceptor } from './acceptor.ts';
import { peerFile } from './peer-process.ts';

/** As exported by test/bench/peers/bullmq-queue.ts, which only its own package can import. */
interface BullmqQueue {
  setting(name: string): Promise<string>;
  accept(body: string): Promise<void>;
  held(): Promise<number>;
  clear(): Promise<void>;
  close(): Promise<void>;
}

const WANTED = { appendonly: 'yes', appendfsync: 'always' };
const READY_MS_MAX = 20_000;

/** BullMQ with a separate Redis that syncs its append-only file before it replies; no port, only a Unix socket. */
export async function startBullmq(folder: string): Promise<Acceptor> {
  const socket = join(folder, 'redis.sock');
  const settings = { port: '0', unixsocket: socket, dir: folder, save: '', ...WANTED };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
  const server = new ServerProgram('redis-server', args, {});
  server.start();
  const endWithUs = () => void server.stop('SIGKILL');
  process.once('exit', endWithUs);
  const stopServer = async () => {
    process.removeListener('exit', endWithUs);
    await server.stop('SIGTERM');
  };
  try {
    await until('Redis listens', () => /ready to accept connections/i.test(server.said), { timeoutMs: READY_MS_MAX });
    const queue = await openQueue(socket);
    await requireSettings(queue);
    return {
      name: 'BullMQ, Redis',
      accept: queue.accept,
      held: queue.held,
      clear: queue.clear,
      async stop() {
        await queue.close();
        await stopServer();
      },
    };
  } catch (error) {
    await stopServer();
    throw error;
  }
}

async function openQueue(socket: string): Promise<BullmqQueue> {
  const file = pathToFileURL(peerFile('bullmq-queue.ts')).href;
  const { openBullmq } = (await import(file)) as { openBullmq(socket: string): Promise<BullmqQueue> };
  return openBullmq(socket);
}

/** A Redis that syncs once a second would not be comparable. */
async function requireSettings(queue: BullmqQueue): Promise<void> {
  for (const [name, wanted] of Object.entries(WANTED)) {
    const is = await queue.setting(name);
    if (is !== wanted) throw new Error(`Redis has ${name} ${is}; expected ${wanted}`);
  }
}
