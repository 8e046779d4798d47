import { randomUUID } from 'node:crypto';
import { openWriter } from '#common/node/journal/writer.ts';

/**
 * The gateway's own journal, used by Express and Fastify: there is no maintained package that writes a row before the
 * work and one before the reply, chained, in batches. The rows have the same content as those of the gateway.
 */
export interface PeerJournal {
  /** Before the work. `done(false)`: it is not recorded, and the request must be refused. */
  use(asked: Asked, done: (ok: boolean) => void): RequestRecord;
}

export interface Asked {
  readonly keyId: string;
  readonly method: string;
  readonly path: string;
  readonly ip: string;
}

export interface RequestRecord {
  /** Before the reply. */
  outcome(status: number, bytesOut: number, done: (ok: boolean) => void): void;
}

export async function openPeerJournal(folder: string): Promise<PeerJournal> {
  const nothing = () => undefined;
  const limits = { durability: 'process' } as const;
  const writer = await openWriter({ folder, chain: 'gateway', ...limits, onHead: nothing, onState: nothing });
  const place = { project: 'bench', pipeline: 'orders', route: '/api/v1/orders' };
  return {
    use(asked, done) {
      const startedMs = performance.now();
      const what = { requestId: randomUUID(), keyName: 'bench', ...place, ...asked };
      const write = (type: 'use' | 'outcome', more: object, told: (ok: boolean) => void): void =>
        writer.append(JSON.stringify({ time: new Date().toISOString(), type, ...what, ...more }), told);
      write('use', {}, done);
      return {
        outcome(status, bytesOut, told) {
          const durationMs = Math.round((performance.now() - startedMs) * 1000) / 1000;
          write('outcome', { status, durationMs, bytesIn: 0, bytesOut }, told);
        },
      };
    },
  };
}
