/** What host and keychain process say to each other. `value` is a secret: neither side logs a message. */
export interface KeychainQuestion {
  id: number;
  op: 'get' | 'set' | 'remove';
  service: string;
  account: string;
  value: string;
}

export type KeychainAnswer = { id: number; value: string | null } | { id: number; error: string };

/** Stands for "the native module cannot be loaded": its own message hides the cause. */
export const LOADING_FAILED = 'keytar-not-loaded';
export const TIMED_OUT = 'keychain-timed-out';
