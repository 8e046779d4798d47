/**
 * Results of the live test of address and ports (`POST /settings/test`): a code and values, so that each reader
 * translates them. `ok` null = unknown, or true with a limitation.
 */
export const SETUP_CODES = {
  address: [
    /** The host is an address of this PC; `card` names its network card. */
    'own_address',
    /** The host is a name that leads to an address of this PC. */
    'own_name',
    /** Works from this PC alone. */
    'loopback',
    'other_pc',
    /** The name leads nowhere from this PC. */
    'unknown_name',
    /** The name server did not answer in time. */
    'no_answer',
  ],
  gatewayPort: ['serves', 'free', 'taken', 'privileged', 'same', 'any', 'no_such_address', 'unknown'],
  uiPort: ['serves', 'free', 'taken', 'privileged', 'same', 'any', 'no_such_address', 'unknown'],
  /** Reported only if the gateway listens on loopback, where no other machine reaches it. */
  listening: ['loopback'],
  /** Whether a firewall lets callers in cannot be known from here. */
  firewall: ['unknown'],
} as const;

export type SetupCheck = keyof typeof SETUP_CODES;

export interface SetupFinding<C extends SetupCheck = SetupCheck> {
  check: C;
  ok: boolean | null;
  code: (typeof SETUP_CODES)[C][number];
  /** `host`, `address`, `card`; `port`, `ms`; of a taken port `program`, `pid` and `free`, a port that is free. */
  values: Record<string, string | number | null>;
}

export interface SetupTest {
  /** The name of this machine. */
  machine: string;
  findings: SetupFinding[];
}
