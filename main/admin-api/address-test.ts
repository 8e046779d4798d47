import { lookup } from 'node:dns/promises';
import { hostname, networkInterfaces } from 'node:os';
import { isIP } from 'node:net';
import { normaliseAddress } from '#common/cidr.ts';
import type { SetupFinding } from '#common/model/setup-test.ts';

/**
 * Whether the host of a base URL is this PC. A name is resolved by the system, as for a caller on this PC; no
 * connection is made.
 *
 * Limits: a lookup without a result within `LOOKUP_MS_MAX` counts as "no answer"; the resolver continues in the
 * background. It uses one of the few threads that the host's files need too, so there are at most `LOOKUPS_MAX`.
 */
export const LOOKUP_MS_MAX = 1_500;
const LOOKUPS_MAX = 2;

export interface AddressWorld {
  /** Addresses of this PC with their network cards. */
  cards: () => { card: string; address: string }[];
  machine: string;
  lookup: (name: string) => Promise<string[]>;
  lookupMsMax: number;
}

export const THIS_PC: AddressWorld = {
  cards: () =>
    Object.entries(networkInterfaces()).flatMap(([card, entries]) =>
      (entries ?? []).map(({ address }) => ({ card, address })),
    ),
  machine: hostname(),
  lookup: fewAtOnce(async (name) => (await lookup(name, { all: true })).map(({ address }) => address), LOOKUPS_MAX),
  lookupMsMax: LOOKUP_MS_MAX,
};

type Found = SetupFinding<'address'>;

/** `host` as in a URL: a name, an IPv4 address or a bracketed IPv6 address. */
export async function testAddress(host: string, world: AddressWorld = THIS_PC): Promise<Found> {
  const written = host.replace(/^\[(.*)\]$/, '$1');
  // In the notation of network cards: an IPv6 address can be written in many ways.
  const bare = normaliseAddress(written);
  if (isIP(bare) !== 0) return ofAddress(host, bare, world);
  if (isLoopbackName(bare)) return finding('loopback', null, { host });
  const addresses = await within(world.lookupMsMax, world.lookup(bare));
  // Callers use their own DNS; from here, only the result on this PC is known.
  const isOwnName = bare.toLowerCase().split('.')[0] === world.machine.toLowerCase().split('.')[0];
  if (addresses === null) return isOwnName ? finding('own_name', true, { host }) : finding('no_answer', null, { host });
  const own = world.cards().find(({ address }) => addresses.includes(address) && !isLoopback(address));
  if (own) return finding('own_name', true, { host, address: own.address });
  if (isOwnName) return finding('own_name', true, { host });
  if (addresses.some(isLoopback)) return finding('loopback', null, { host });
  const [first] = addresses;
  return first === undefined
    ? finding('unknown_name', false, { host })
    : finding('other_pc', false, { host, address: first });
}

function ofAddress(host: string, address: string, world: AddressWorld): Found {
  if (isLoopback(address)) return finding('loopback', null, { host });
  const own = world.cards().find((card) => card.address === address);
  if (own === undefined) return finding('other_pc', false, { host, address });
  return finding('own_address', true, { host, address, card: own.card });
}

/** Rejects immediately while `max` are running: during an outage of DNS there are no further lookups. */
export function fewAtOnce(ask: AddressWorld['lookup'], max: number): AddressWorld['lookup'] {
  let underWay = 0;
  return async (name) => {
    if (underWay >= max) throw new Error('the name server has not answered the name before');
    underWay += 1;
    try {
      return await ask(name);
    } finally {
      underWay -= 1;
    }
  };
}

export function isLoopback(address: string): boolean {
  return address === '::1' || address === 'localhost' || address.startsWith('127.');
}

function isLoopbackName(name: string): boolean {
  return /^(?:.+\.)?localhost$/i.test(name);
}

function finding(code: Found['code'], ok: boolean | null, values: Found['values']): Found {
  return { check: 'address', ok, code, values };
}

/** Null: not in time; a name that cannot be resolved has no address. */
async function within(ms: number, answer: Promise<string[]>): Promise<string[] | null> {
  const late = Promise.withResolvers<null>();
  const timer = setTimeout(() => late.resolve(null), ms);
  try {
    return await Promise.race([answer.catch(ofError), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** `EAI_AGAIN`: there is no DNS server, or it did not respond; the name may still exist. */
function ofError(error: unknown): string[] | null {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return code === 'ENOTFOUND' || code === 'ENODATA' ? [] : null;
}
