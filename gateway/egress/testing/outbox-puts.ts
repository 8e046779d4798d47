import { setTimeout as delay } from 'node:timers/promises';
import { sayDone } from '#test/power-subject.ts';
import { openTestOutbox, putText, testLine } from './outbox-subject.ts';

/**
 * Puts event after event into the outbox of the folder in its argument and prints the result of each, until the given
 * number was put and the last ones were accepted: then the disk works again. Exits with 1 if that takes too long.
 */
const PUTS_MIN = Number(process.argv[3] ?? 8);
const ACCEPTED_LAST = 2;
const PATIENCE_MS = 30_000;
const WAIT_MS = 300;
/** After a failure the outbox waits a second before it writes again. */
const PAUSE_MS = 100;

const [, , folder = ''] = process.argv;
const outbox = openTestOutbox(folder);
const line = await outbox.open(testLine('http://127.0.0.1:1'));
const started = performance.now();
let acceptedInTurn = 0;
for (let count = 0; count < PUTS_MIN || acceptedInTurn < ACCEPTED_LAST; count++) {
  if (performance.now() - started > PATIENCE_MS) throw new Error('the outbox does not accept again');
  const body = `event ${count}`;
  const outcome = await putText(outbox, line, body, WAIT_MS);
  sayDone({ body, outcome });
  acceptedInTurn = outcome.kind === 'queued' ? acceptedInTurn + 1 : 0;
  if (acceptedInTurn === 0) await delay(PAUSE_MS);
}
await outbox.close();
