/** Direct calls (not stored) under way at once, of all projects. */
export const CALLS_MAX = 512;

/** What each may have under way when it begins one more call; Infinity = all that is left. */
export interface CallShare {
  /** The share holds while at least so many calls are under way. */
  readonly from: number;
  readonly perCaller: number;
  /** Of one project to one target. */
  readonly perTarget: number;
  readonly perProject: number;
}

/** The more calls are under way, the smaller the shares: the last third is for those who have few. */
export const CALL_SHARES: readonly CallShare[] = [
  { from: (CALLS_MAX / 3) * 2, perCaller: CALLS_MAX / 16, perTarget: CALLS_MAX / 16, perProject: CALLS_MAX / 2 },
  { from: CALLS_MAX / 2, perCaller: CALLS_MAX / 4, perTarget: CALLS_MAX / 4, perProject: Infinity },
];

/** So many calls of a node without an answer in a row, and it sends one at a time until there is an answer. */
export const UNANSWERED_MAX = 3;
/** A call that is cancelled after this long without an answer counts as one that was not answered. */
export const UNANSWERED_MS = 5_000;
/** So long after the last one began, a node tries again although that one still waits. */
export const TRIAL_MS = 10_000;

/** So long after the last refusal an alarm names the target of direct calls that found no place; and so many of them. */
export const REFUSED_MS = 60_000;
export const REFUSED_TOLD_MAX = 5;
