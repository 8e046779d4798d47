import { join } from 'node:path';
import { z } from 'zod';

/**
 * The report about a gateway whose event loop is blocked, for the host: the node that blocks it. One small JSON file in
 * the data folder, because a blocked process cannot send a message, and a killed process leaves no other trace.
 */
export const blockedNode = z.object({
  project: z.string(),
  pipeline: z.string(),
  node: z.string(),
  /** It ran in a test, not in the running revision. */
  test: z.boolean(),
});

export type BlockedNode = z.output<typeof blockedNode>;

export function blockedNodeFile(dataDir: string): string {
  return join(dataDir, 'blocked-node.json');
}
