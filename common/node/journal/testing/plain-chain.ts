import type { ChainName } from '#common/model/audit.ts';

/** Options of a writer that syncs nothing and reports to nobody. */
export const plainChain = <Chain extends ChainName>(folder: string, chain: Chain) => ({
  folder,
  chain,
  durability: 'process' as const,
  onHead: () => {},
  onState: () => {},
});
