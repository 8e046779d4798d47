import { hostname, networkInterfaces } from 'node:os';
import type { StatusRecord } from '#common/model/records.ts';

/** The name of this PC, and the first of its addresses that another machine can call, IPv4 before IPv6. */
export function machineOf(): StatusRecord['machine'] {
  const outward = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, address }) => !internal && !address.startsWith('fe80:') && !address.startsWith('169.254.'));
  const first = outward.find(({ family }) => family === 'IPv4') ?? outward[0];
  return { name: hostname(), address: first?.address ?? null };
}
