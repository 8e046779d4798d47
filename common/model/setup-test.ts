/**
 * Results of the live test of addresses and ports (`POST /settings/test`): a code and values, so that the UI can
 * translate them. `ok` null: unknown, or true with a limitation.
 */
export const SETUP_CODES = {
  address: [
    /** The host is an address of this PC; `card` names its network card. */
    'own_address',
    /** The host is a name that resolves to an address of this PC. */
    'own_name',
    /** Reachable only from this PC. */
    'loopback',
    'other_pc',
    /** The name does not resolve on this PC. */
    'unknown_name',
    /** The name server did not answer in time. */
    'no_answer',
  ],
  gatewayPort: ['serves', 'free', 'taken', 'privileged', 'same', 'any', 'no_such_address', 'unknown'],
  uiPort: ['serves', 'free', 'taken', 'privileged', 'same', 'any', 'no_such_address', 'unknown'],
  /** Reported only if the gateway listens on loopback, where other machines cannot reach it. */
  listening: ['loopback'],
  /** This PC cannot determine whether a firewall admits callers. */
  firewall: ['unknown'],
} as const;

export type SetupCheck = keyof typeof SETUP_CODES;

export interface SetupFinding<C extends SetupCheck = SetupCheck> {
  check: C;
  ok: boolean | null;
  code: (typeof SETUP_CODES)[C][number];
  /** `host`, `address`, `card`; `port`, `ms`; for a port in use `program`, `pid` and `free`, a free port. */
  values: Record<string, string | number | null>;
}

export interface SetupTest {
  /** The name of this PC. */
  machine: string;
  findings: SetupFinding[];
}
