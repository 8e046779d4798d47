import { join } from 'node:path';
import type { AuditRow } from '#common/model/audit.ts';
import { openWriter } from '#common/node/journal/writer.ts';

export const OLD_ROWS = 100_000;
const EVERY_MS = 2_000;

function oldRow(index: number, newest: number): AuditRow {
  const time = new Date(newest - (OLD_ROWS - 1 - index) * EVERY_MS).toISOString();
  const call = { requestId: `old-${index}`, keyName: 'Palletiser PLC', project: 'line-7', pipeline: 'pallets' };
  const row = { ...call, route: '/api/v1/pallets', method: 'POST', path: '/api/v1/pallets', ip: '10.20.7.18' };
  if (index % 10 !== 0) return { time, type: 'outcome', ...row, status: 201, durationMs: 6.1 };
  const why = { step: 6, cause: 'rate_limited', compared: { rate: 10, burst: 0 } };
  return { time, type: 'refusal', ...row, code: 'rate_limited', status: 429, why };
}

/** Writes OLD_ROWS rows, the newest a minute old, with the journal's own writer. No service may run on the folder. */
export async function writeOldRows(dataDir: string): Promise<void> {
  const writer = await openWriter({
    folder: join(dataDir, 'journal'),
    chain: 'gateway',
    ring: true,
    durability: 'process',
    onHead: () => {},
    onState: () => {},
  });
  const newest = Date.now() - 60_000;
  const append = (index: number) =>
    new Promise<boolean>((done) => writer.append(JSON.stringify(oldRow(index, newest)), done));
  for (let from = 0; from < OLD_ROWS; from += 10_000) {
    const written = await Promise.all(Array.from({ length: 10_000 }, (_, index) => append(from + index)));
    if (written.includes(false)) throw new Error('the journal did not take every row');
  }
  await writer.close();
}
