import { setImmediate as turn } from 'node:timers/promises';
import { NodeError } from '#sdk';
import type { ProviderParts, TagProvider } from '../contract.ts';
import type { DeviceParts } from '../providers.ts';
import type { Drivers } from './drivers.ts';

/**
 * Drivers that misbehave in every way a library must not, run in the thread by tests. A tag reads 1 once it is known;
 * the written value selects the misbehaviour. A device with the host `stuck` never closes.
 */
export const drivers: Drivers = {
  open: (device, parts) => provider(device.host, parts),
  async probe({ host }) {
    if (host === 'breaks') breakLater();
    if (host === 'breaks' || host === 'silent') await never();
    return { ok: true, text: `${host} answered`, durationMs: 1 };
  },
};

export const FLOOD = 60_000;

function provider(host: string, parts: DeviceParts): TagProvider {
  const { sink } = parts;
  return {
    configure(tags) {
      for (const { path } of tags) give(sink, path, 1);
    },
    async write({ path }, value, signal) {
      switch (value) {
        case 'throw':
          breakLater();
          return never();
        case 'reject':
          void Promise.reject(new Error('a library forgot a promise'));
          return never();
        case 'exit':
          return process.exit(3);
        case 'hang':
          for (;;);
        case 'fail':
          throw new TypeError('not foreseen');
        case 'wait':
          signal.addEventListener('abort', () => give(sink, path, 'cancelled'));
          return never();
        case 'flood':
          for (let count = 0; count < FLOOD; count += 1) give(sink, path, count);
          return sink.lost([path], 'flooded');
        case 'environment':
          return give(sink, path, Object.keys(process.env));
        case 'print':
          process.stdout.write('printed by a library\n');
          process.stderr.write('printed by a library\n');
          return turn();
        case 'log':
          return parts.log.warn('the device says', { password: 'not for the log', error: new Error('why') });
        case 'resolve':
          await parts.guard.resolve('127.0.0.1', 9);
          return;
        case 'refuse':
          throw new NodeError('tag_write_failed', 'refused by the device');
        default:
          give(sink, path, value);
      }
    },
    close: () => (host === 'stuck' ? never() : Promise.resolve()),
  };
}

function give(sink: ProviderParts['sink'], path: string, value: unknown): void {
  sink.sample(path, { value, quality: 'good', reason: null, time: Date.now() });
}

function breakLater(): void {
  setImmediate(() => {
    throw new Error('the library broke');
  });
}

function never(): Promise<never> {
  return new Promise(() => undefined);
}
