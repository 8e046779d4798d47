import type { TestGateway } from './gateway.ts';
import { TEST_PROJECT } from './make-key.ts';

/**
 * Two indicators of what a pipeline has run, to compare before and after: its newest run (the list of runs is limited,
 * so they cannot be counted) and the number of uses of keys on it in the journal.
 */
export interface WhatRan {
  readonly newestRun: string | null;
  readonly uses: number;
}

export async function whatRan(gateway: TestGateway, pipeline: string): Promise<WhatRan> {
  const runs = await gateway.call('runs', { project: TEST_PROJECT, pipeline });
  const rows = await gateway.journalRows();
  const uses = rows.filter((row) => row.type === 'use' && row.pipeline === pipeline).length;
  return { newestRun: runs[0]?.id ?? null, uses };
}
