/** Direct calls (not stored) in progress, of all projects. */
export const CALLS_MAX = 512;

/** A call is refused if its caller, target or project already has this many in progress; Infinity: no limit. */
export interface CallShare {
  /** Applies while at least this many calls are in progress. */
  readonly from: number;
  readonly perCaller: number;
  /** For one project to one target. */
  readonly perTarget: number;
  readonly perProject: number;
}

/** The more calls are in progress, the smaller the shares: the last third is for holders with few calls. */
export const CALL_SHARES: readonly CallShare[] = [
  { from: (CALLS_MAX / 3) * 2, perCaller: CALLS_MAX / 16, perTarget: CALLS_MAX / 16, perProject: CALLS_MAX / 2 },
  { from: CALLS_MAX / 2, perCaller: CALLS_MAX / 4, perTarget: CALLS_MAX / 4, perProject: Infinity },
];

/** After this many consecutive unanswered calls, a node sends one at a time until one is answered. */
export const UNANSWERED_MAX = 3;
/** A call that is cancelled after waiting this long counts as unanswered. */
export const UNANSWERED_MS = 5_000;
/** A node sends its next trial this long after the start of the last one, even if that one is still waiting. */
export const TRIAL_MS = 10_000;

/** How long after its last refused call an alarm names a target, and how many targets it names. */
export const REFUSED_MS = 60_000;
export const REFUSED_LISTED_MAX = 5;
