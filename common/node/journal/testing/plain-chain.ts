import type { ChainName } from '#common/model/audit.ts';

/** Options of a writer without syncs and reports. */
export const plainChain = <Chain extends ChainName>(folder: string, chain: Chain) => ({
  folder,
  chain,
  durability: 'process' as const,
  onHead: () => {},
  onState: () => {},
});
