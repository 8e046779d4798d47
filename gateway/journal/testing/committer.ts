import fs from 'node:fs';
import { plainChain } from '#common/node/journal/testing/plain-chain.ts';
import { openJournal } from '../journal.ts';
import { outcomeRow, requestFields, routeRowPrefix, useRow } from '../rows.ts';

/**
 * A process that commits and refuses in a loop until it is killed. Writes one line per acknowledgement to standard
 * output before it continues: `use <id>`, `outcome <id>` or `refused <fold>`. Arguments: folder, a number that makes
 * the IDs unique.
 */
const [folder = '', run = ''] = process.argv.slice(2);
const prefix = routeRowPrefix({ project: 'demo', pipeline: 'orders', route: '/api/v1/orders/:id' });
const key = { id: 'abcdefghijkl', name: 'MES line 7' };
/** Written synchronously: the pipe may be full for a moment (EAGAIN). */
function say(line: string): void {
  for (;;) {
    try {
      fs.writeSync(1, `${line}\n`);
      return;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
    }
  }
}

const journal = await openJournal({
  ...plainChain(folder, 'gateway'),
  durableEveryMs: 50,
  foldPeriodMs: 150,
  segmentBytesMax: 300_000,
});

let made = 0;
function commitLoop(): void {
  const id = `${run}-${++made}`;
  const fields = requestFields(prefix, key, id, '', 'GET', `/api/v1/orders/${made}`, '10.0.0.7');
  journal.commit(useRow(fields), (used) => {
    if (used) say(`use ${id}`);
    journal.commit(outcomeRow(fields, 200, 1, 0, 2), (ok) => {
      if (ok) say(`outcome ${id}`);
      commitLoop();
    });
  });
}

let refused = 0;
function refuseLoop(fold: string): void {
  const row = {
    time: new Date().toISOString(),
    type: 'refusal' as const,
    requestId: `${run}-r${++refused}`,
    ip: '10.0.0.9',
    route: fold,
    code: 'key_invalid',
    status: 401,
    why: { step: 4, cause: 'key_unknown', compared: { keyId: null } },
  };
  journal.refuse(row, fold, (ok) => {
    if (ok) say(`refused ${fold}`);
    refuseLoop(fold);
  });
}

for (let lane = 0; lane < 8; lane++) commitLoop();
refuseLoop('/a');
refuseLoop('/b');
