import { Queue } from 'bullmq';
import { Redis } from 'ioredis';

/**
 * A BullMQ queue over a Redis that listens on a Unix socket. Commands that are issued in one turn share a write, and
 * Redis syncs once for all that it has read: the group commit that the others have too.
 */
export async function openBullmq(socket: string) {
  const redis = new Redis({ path: socket, maxRetriesPerRequest: null, retryStrategy: () => null });
  redis.on('error', (error) => console.error(`Redis: ${error.message}`));
  const queue = new Queue('events', { connection: redis });
  queue.on('error', (error) => console.error(`BullMQ: ${error.message}`));
  await queue.waitUntilReady();
  return {
    async setting(name: string): Promise<string> {
      const [, value] = (await redis.config('GET', name)) as [string, string];
      return value;
    },
    async accept(body: string): Promise<void> {
      await queue.add('event', { method: 'POST', path: '/reports', contentType: 'application/json', body });
    },
    held: () => queue.getJobCountByTypes('waiting'),
    clear: () => queue.obliterate({ force: true }),
    async close(): Promise<void> {
      await queue.close();
      redis.disconnect();
    },
  };
}
