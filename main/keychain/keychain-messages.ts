/** Messages between the host and the keychain process. `value` is a secret: neither side logs a message. */
export interface KeychainQuestion {
  id: number;
  op: 'get' | 'set' | 'remove';
  service: string;
  account: string;
  value: string;
}

export type KeychainAnswer = { id: number; value: string | null } | { id: number; error: string };

/** Replaces the message of a native module that cannot be loaded, which hides the cause. */
export const LOADING_FAILED = 'keytar-not-loaded';
export const TIMED_OUT = 'keychain-timed-out';
