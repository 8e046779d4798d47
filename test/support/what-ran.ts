import type { TestGateway } from './gateway.ts';
import { TEST_PROJECT } from './make-key.ts';

/**
 * Two witnesses of what a pipeline has run, to be compared before and after: its newest run (the ring of runs keeps
 * only so many, so they cannot be counted) and how many uses of keys on it the journal has.
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
