import { join } from 'node:path';
import type { AuditRow } from '#common/model/audit.ts';
import { openWriter } from '#common/node/journal/writer.ts';
import { createLogger } from '#common/node/log.ts';
import { openData } from './open-data.ts';

/**
 * `node main/host/old-rows.testing.ts DATA_FOLDER ROWS`: creates a journal of calls, the newest a minute old, in the
 * state in which a host and its gateway leave it: a journal that grew without the host would be reported as forged. No
 * service may be running on the folder.
 */
const EVERY_MS = 2_000;
const AT_ONCE = 10_000;
/** One of many callers, with its own address. */
const LAPTOP = { keyId: 'Lap7opKey000', keyName: 'Commissioning laptop', ip: '10.20.0.7' };
const LAPTOP_EVERY = 50;

const [dataDir = '', count = '0'] = process.argv.slice(2);
await write(dataDir, Number(count));

async function write(folder: string, rows: number): Promise<void> {
  const log = createLogger('old rows', (line) => void process.stderr.write(line));
  const { audit, close } = await openData({ dataDir: folder, secretStore: 'file', overrides: {}, log });
  const writer = await openWriter({
    folder: join(folder, 'journal'),
    chain: 'gateway',
    ring: true,
    durability: 'process',
    // Data is created, not measured: a busy machine may be slow.
    ackMsMax: 60_000,
    onOpened: (_ring, found) => audit.opened(found),
    onHead: (head, clean) => audit.head(head, clean),
    onState: () => {},
  });
  const newest = Date.now() - 60_000;
  const append = (index: number) => {
    const time = new Date(newest - (rows - 1 - index) * EVERY_MS).toISOString();
    return new Promise<boolean>((done) => writer.append(JSON.stringify(oldRow(index, time)), done));
  };
  for (let from = 0; from < rows; from += AT_ONCE) {
    const length = Math.min(AT_ONCE, rows - from);
    const written = await Promise.all(Array.from({ length }, (_, index) => append(from + index)));
    if (written.includes(false)) throw new Error('the journal did not take every row');
  }
  await writer.close();
  audit.ended();
  await close();
}

function oldRow(index: number, time: string): AuditRow {
  const call = { requestId: `old-${index}`, keyName: 'Palletiser PLC', project: 'line-7', pipeline: 'pallets' };
  const row = { ...call, route: '/api/v1/pallets', method: 'POST', path: '/api/v1/pallets', ip: '10.20.7.18' };
  const caller = index % LAPTOP_EVERY === 3 ? LAPTOP : {};
  if (index % 10 !== 0) return { time, type: 'outcome', ...row, ...caller, status: 201, durationMs: 6.1 };
  const why = { step: 6, cause: 'rate_limited', compared: { rate: 10, burst: 0 } };
  return { time, type: 'refusal', ...row, code: 'rate_limited', status: 429, why };
}
