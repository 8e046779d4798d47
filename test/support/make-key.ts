import { createHmac, randomBytes } from 'node:crypto';
import { makeApiKey } from '#common/api-key.ts';
import type { KeyEntry } from '#common/control/messages.ts';
import type { KeyLimits } from '#common/model/key-limits.ts';
import type { Scope } from '#common/scopes.ts';

/** The pepper of every gateway that `startGateway` starts: hex, 32 bytes, new in each test process. */
export const TEST_PEPPER = randomBytes(32).toString('hex');
export const TEST_PROJECT = 'line-1';

export interface TestKey {
  /** The value of X-API-Key. */
  readonly value: string;
  readonly entry: KeyEntry;
}

/** A new key and its entry for the gateway. */
export function makeKey(
  options: {
    project?: string;
    scopes?: Scope[];
    name?: string;
    limits?: KeyLimits;
    paused?: string | null;
    honey?: boolean;
    revoked?: boolean;
    pepper?: string;
  } = {},
): TestKey {
  const { id, value } = makeApiKey(randomBytes);
  const {
    project = TEST_PROJECT,
    scopes = [],
    name = `key ${id}`,
    limits = {},
    paused = null,
    honey = false,
    revoked = false,
    pepper = TEST_PEPPER,
  } = options;
  return { value, entry: { id, hash: hashKey(value, pepper), project, name, scopes, limits, paused, honey, revoked } };
}

/** A key with a valid format and checksum that no gateway knows. */
export function unknownKey(): string {
  return makeApiKey(randomBytes).value;
}

/** The keyed hash of a value: hex HMAC-SHA-256. */
export function hashKey(value: string, pepper = TEST_PEPPER): string {
  return createHmac('sha256', Buffer.from(pepper, 'hex')).update(value).digest('hex');
}
