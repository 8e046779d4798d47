import {
  type Act,
  CALM_SHARES,
  type Mood,
  MOODS,
  RESET_UNREAD_SHARE,
  RESET_UNREAD_SHARE_CALM,
  type TroubledMood,
} from './acts.ts';
import type { Random } from '#test/random.ts';

/** How a target misbehaves, determined by a seed. */
export interface Schedule {
  /** The next stretch of calm and the mood after it, drawn from `moods`. */
  next(): { readonly calmMs: number; readonly mood: TroubledMood; readonly moodMs: number };
  /** For a request that was received completely. `delayMs` is not 0 only for late responses. */
  plan(mood: Mood, poison: boolean): Plan;
  /** Whether a fresh connection is reset before anything is read from it. */
  resetsUnread(mood: Mood): boolean;
}

export interface Plan {
  readonly act: Act;
  readonly delayMs: number;
}

export interface ScheduleOptions {
  readonly random: Random;
  /** Timeout of the node: late responses are sent around it. */
  readonly timeoutMs: number;
  /** Scales the shares of faults in the calm mode. Default: 1. */
  readonly faults?: number;
  /** Shared by the targets of a run, so that a short run uses every mood. Default: a separate one. */
  readonly moods?: MoodBag;
}

/** Draws every mood once, in random order, before it draws one again. */
export interface MoodBag {
  draw(): TroubledMood;
}

export function createMoodBag(random: Random): MoodBag {
  let left: TroubledMood[] = [];
  return {
    draw() {
      if (left.length === 0) left = random.shuffle(Object.keys(MOODS) as TroubledMood[]);
      return left.pop() ?? 'refuses';
    },
  };
}

const CALM_MS = [1200, 4000] as const;
const MOOD_MS = [300, 1500] as const;
const LATE_SHARE_OF_TIMEOUT = [0.7, 0.9] as const;
const SLOW_SHARE_OF_TIMEOUT = [1.2, 2] as const;
const POISON_UNREAD_SHARE = 0.2;

export function createSchedule({
  random,
  timeoutMs,
  faults = 1,
  moods = createMoodBag(random),
}: ScheduleOptions): Schedule {
  return {
    next: () => ({ calmMs: random.between(...CALM_MS), mood: moods.draw(), moodMs: random.between(...MOOD_MS) }),
    plan(mood, poison) {
      const drawn = mood === 'calm' ? calmAct(random, faults) : random.pick<Act>(MOODS[mood]);
      const act = poison ? poisoned(drawn, random) : drawn;
      return { act, delayMs: delayOf(act, random, timeoutMs) };
    },
    resetsUnread: (mood) => random.chance(mood === 'resets' ? RESET_UNREAD_SHARE : RESET_UNREAD_SHARE_CALM * faults),
  };
}

function calmAct(random: Random, faults: number): Act {
  let rest = random.next();
  for (const [act, share] of CALM_SHARES) {
    rest -= share * faults;
    if (rest < 0) return act;
  }
  return 'ok';
}

/** Poison is refused wherever another event would be accepted. */
function poisoned(act: Act, random: Random): Act {
  if (!act.startsWith('ok') && act !== 'unread' && act !== 'slow') return act;
  return act === 'unread' || random.chance(POISON_UNREAD_SHARE) ? 'poison-unread' : 'poison';
}

function delayOf(act: Act, random: Random, timeoutMs: number): number {
  if (act === 'ok-late') return timeoutMs * random.between(...LATE_SHARE_OF_TIMEOUT);
  return act === 'slow' ? timeoutMs * random.between(...SLOW_SHARE_OF_TIMEOUT) : 0;
}
