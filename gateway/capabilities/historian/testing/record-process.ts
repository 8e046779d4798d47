import { createLogger } from '#common/node/log.ts';
import { createHistorian } from '../historian.ts';
import { fakeTags, resourcesOf } from '../fake-tags.ts';

/**
 * A process that records a counter into the file given as its argument until it is killed. It sends its parent each
 * number that is known to be on disk.
 */
const [, , file = ''] = process.argv;
const tags = fakeTags();
const log = createLogger('test');
const disk = { room: () => Infinity, note: () => undefined, charge: () => undefined };
const historian = createHistorian({ file, tags, log, disk, diskReserveBytes: () => 0 });
await historian.configure?.('p', resourcesOf('p', [{ path: 'counter' }]));
const from = Date.parse('2026-03-02T06:00:00Z');
for (let count = 0; ; count += 100) {
  for (let n = 0; n < 100; n++) tags.sample('counter', count + n, from + count + n);
  await historian.flush(60_000);
  process.send?.(count + 100);
}
