import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { noAnchors } from '#common/node/journal/chain-anchors.ts';
import { createLogger } from '#common/node/log.ts';
import { tempDir } from '#test/temp-dir.ts';
import { Pruner } from './pruner.ts';

test('nothing is pruned while the journal is verified, and requests made in the meantime follow', async () => {
  await using temp = await tempDir();
  let looks = 0;
  const keeper = {
    chain: () => {
      looks += 1;
      return noAnchors();
    },
    vouch: async () => {},
  };
  const log = createLogger('audit', () => {});
  const pruner = new Pruner({ folder: temp.path, days: 1, maxBytes: 1, keeper, record: async () => {}, log });
  await pruner.hold(async () => {
    pruner.prune();
    await turn();
    expect(looks).toBe(0);
  });
  await pruner.close();
  expect(looks).toBeGreaterThan(0);
});
