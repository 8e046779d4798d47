import { hostname, networkInterfaces } from 'node:os';
import { isIP } from 'node:net';
import { normaliseAddress } from '#common/cidr.ts';
import type { Settings } from '#common/model/settings.ts';
import type { CallNames } from '#common/node/own-certificate.ts';

export interface MachineWorld {
  machine: string;
  /** Addresses of all network cards except loopback. */
  addresses: readonly string[];
}

/**
 * A machine with many container networks has many addresses; a certificate of more than a few KB is a problem for small
 * controllers.
 */
const ADDRESSES_MAX = 48;
const HOST_CHARS_MAX = 253;

export function thisMachine(): MachineWorld {
  return { machine: hostname(), addresses: outwardAddresses() };
}

/**
 * If the system does not allow a service to list its cards, only the names are used; nothing else may fail because of
 * this.
 */
function outwardAddresses(): string[] {
  try {
    const cards = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
    return cards.filter(({ internal }) => !internal).map(({ address }) => address);
  } catch {
    return [];
  }
}

/** The names and addresses of the machine, and that of the base URL, which callers are given. */
export function namesToProve({ baseUrl }: Pick<Settings, 'baseUrl'>, { machine, addresses }: MachineWorld): CallNames {
  const base = baseUrl.replace(/^https?:\/\//, '').replace(/^\[(.*)\]$/, '$1');
  const named = isIP(base) === 0 ? [machine, shortName(machine), base] : [machine, shortName(machine)];
  const numbered = isIP(base) === 0 ? addresses : [base, ...addresses];
  const outward = unique(numbered.map(normaliseAddress)).filter(isCallable).slice(0, ADDRESSES_MAX);
  return {
    hosts: unique([...named.map((name) => name.toLowerCase()).filter(isHostName), 'localhost']),
    addresses: unique([...outward, '127.0.0.1', '::1']),
  };
}

function shortName(machine: string): string {
  return machine.split('.')[0] ?? machine;
}

/** A link-local address needs the interface of the caller, which a certificate cannot contain. */
function isCallable(address: string): boolean {
  return isIP(address) !== 0 && !/^fe[89ab][0-9a-f]:/i.test(address);
}

/** Windows allows an underscore. */
function isHostName(name: string): boolean {
  return (
    name.length <= HOST_CHARS_MAX &&
    /^[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*$/.test(name)
  );
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)];
}
