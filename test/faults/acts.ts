/**
 * The target's reaction to a complete request, and its meaning for the evaluation.
 *
 * `takes`: the target accepts the event with 2xx. `ends`: a dead letter, final. `again`: why the same event may come
 * again after this; null = it may not, unless the gateway was killed meanwhile.
 */
export interface ActMeaning {
  readonly takes: boolean;
  readonly ends: boolean;
  readonly again: Excuse | null;
}

export type Excuse =
  /** Its response requested a retry: 408, 429, 5xx; or 401, after which the target is paused. */
  | 'asked to try again'
  /** The connection was closed or reset without a response, or after one that is not HTTP. */
  | 'no answer'
  /** It was closed or reset in the middle of the response. */
  | 'answer cut off'
  /** The whole response was sent and then the connection reset: it may have been discarded unread. */
  | 'reply unread'
  /** The response was sent at, or just before, the timeout. */
  | 'answer too late';

const OK = { takes: true, ends: false, again: null };
const TRY_AGAIN = { takes: false, ends: false, again: 'asked to try again' } as const;
const NOTHING = { takes: false, ends: false, again: 'no answer' } as const;
const CUT = { takes: false, ends: false, again: 'answer cut off' } as const;

export const ACTS = {
  ok: OK,
  /** No length: the response ends with the connection. */
  'ok-until-close': OK,
  /** An interim answer (103) before the real one. */
  'ok-after-interim': OK,
  /** Just below the node's timeout. */
  'ok-late': { takes: true, ends: false, again: 'answer too late' },
  /** Beyond the node's timeout: whether the connection was still open is in the log. */
  slow: { takes: true, ends: false, again: 'answer too late' },
  unread: { takes: true, ends: false, again: 'reply unread' },
  reset: NOTHING,
  'half-close': NOTHING,
  garbage: NOTHING,
  'reset-after-head': CUT,
  'reset-in-body': CUT,
  'half-close-in-body': CUT,
  'status-408': TRY_AGAIN,
  'status-429': TRY_AGAIN,
  'status-500': TRY_AGAIN,
  'status-502': TRY_AGAIN,
  'status-503': TRY_AGAIN,
  'status-401': TRY_AGAIN,
  /** The response to poison: 400. */
  poison: { takes: false, ends: true, again: null },
  'poison-unread': { takes: false, ends: true, again: 'reply unread' },
} as const satisfies Record<string, ActMeaning>;

export type Act = keyof typeof ACTS;

export const meaningOf = (act: Act): ActMeaning => ACTS[act];

/**
 * The modes of the target. All except `calm` last about a second and affect every request; `refuses` closes its
 * listener.
 */
export const MOODS = {
  refuses: ['reset'],
  fails: ['status-500', 'status-502', 'status-503'],
  busy: ['status-429'],
  locked: ['status-401'],
  slow: ['slow', 'ok-late'],
  resets: ['reset', 'reset-after-head', 'reset-in-body'],
  'half-closes': ['half-close', 'half-close-in-body', 'garbage'],
  unread: ['unread'],
} as const satisfies Record<string, readonly [Act, ...Act[]]>;

export type TroubledMood = keyof typeof MOODS;
export type Mood = 'calm' | TroubledMood;

/**
 * Shares of requests in the calm mode, adding up to one. Reactions that count as the target being unreachable delay all
 * of it by a second, so they are rare; reactions that delay only one ordering key may be more frequent.
 */
export const CALM_SHARES: readonly (readonly [Act, number])[] = [
  ['reset', 0.0004],
  ['reset-after-head', 0.0004],
  ['reset-in-body', 0.0004],
  ['half-close', 0.0004],
  ['half-close-in-body', 0.0004],
  ['garbage', 0.0002],
  ['unread', 0.002],
  ['status-429', 0.0002],
  ['status-408', 0.002],
  ['status-500', 0.002],
  ['status-502', 0.002],
  ['status-503', 0.002],
  ['slow', 0.002],
  ['ok-late', 0.002],
  ['ok-until-close', 0.02],
  ['ok-after-interim', 0.01],
];

/** While the target resets connections, this share of new ones is reset before a byte is read. */
export const RESET_UNREAD_SHARE = 0.5;
export const RESET_UNREAD_SHARE_CALM = 0.02;
