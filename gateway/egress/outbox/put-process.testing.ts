import { createLogger } from '#common/node/log.ts';
import { testSettings } from './core.testing.ts';
import { openOutbox } from './outbox.ts';

/** Puts events into the outbox of a folder until it is killed; prints a line for each that was accepted. */
const [, , dataDir = ''] = process.argv;
const outbox = openOutbox({
  dataDir,
  key: Buffer.alloc(32, 7),
  settings: testSettings(),
  log: createLogger('put', () => undefined),
  onNews: () => undefined,
});
const place = { project: 'p', pipeline: 'orders', node: 'push', test: false };
const line = await outbox.open({
  ...place,
  origin: 'http://127.0.0.1:9',
  method: 'POST',
  headers: {},
  timeoutMs: 1_000,
  tls: null,
});
for (let n = 0; ; n++) {
  const event = { path: '/', contentType: 'text/plain', body: Buffer.from(`event ${n}`) };
  const outcome = await outbox.put(line, { ...event, orderingKey: null, traceparent: null }, 5_000);
  if (outcome.kind === 'queued') process.stdout.write(`${n}\n`);
}
