import type { ScriptService } from '#sdk';

/** QuickJS in worker threads (behaviour 11). `compile` is what nodes are lent. */
export interface Sandbox extends ScriptService {
  /** Ends every worker at once. */
  close(): Promise<void>;
}
