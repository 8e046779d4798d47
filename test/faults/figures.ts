import { type Act, type Mood, MOODS } from './acts.ts';
import { arrivals } from './arrivals.ts';
import type { Evidence, KillTime } from './evidence.ts';
import { judge, type Judgement } from './judge.ts';
import type { RunOptions, RunResult } from './run.ts';
import type { ViolationKind } from './violation.ts';

/** The result of one run in numbers; `failed` is empty if the guarantee was kept and the run was valid. */
export interface Figures {
  readonly accepted: number;
  readonly byPort: Readonly<Record<string, number>>;
  readonly inDoubt: number;
  readonly inDoubtArrived: number;
  readonly refused: number;
  readonly poison: number;
  readonly deadLetters: number;
  readonly kills: Readonly<Partial<Record<KillTime | 'all', number>>>;
  readonly arrivals: number;
  readonly acts: Readonly<Partial<Record<Act, number>>>;
  readonly moods: Readonly<Partial<Record<Mood, number>>>;
  readonly resetUnread: number;
  readonly duplicates: Judgement['duplicates'];
  readonly killGapMsMax: number;
  readonly violations: Readonly<Partial<Record<ViolationKind, number>>>;
  readonly failed: readonly string[];
}

export function figuresOf(evidence: Evidence, wanted: Pick<RunOptions, 'events' | 'kills'>): Figures {
  const { sent, witness, kills } = evidence;
  const judgement = judge(evidence);
  const accepted = sent.filter(({ outcome }) => outcome.kind === 'accepted');
  const seen = arrivals(witness);
  const figures = {
    accepted: accepted.length,
    byPort: count(accepted, ({ outcome }) => (outcome.kind === 'accepted' ? outcome.port : '')),
    inDoubt: sent.filter(({ outcome }) => outcome.kind === 'in doubt').length,
    inDoubtArrived: judgement.inDoubtArrived,
    refused: sent.filter(({ outcome }) => outcome.kind === 'refused').length,
    poison: accepted.filter(({ poison }) => poison).length,
    deadLetters: evidence.deadLetters.length,
    kills: { all: kills.length, ...count(kills, ({ when }) => when) },
    arrivals: seen.length,
    acts: count(seen, ({ act }) => act),
    moods: count(
      witness.filter((line) => line.kind === 'mood'),
      ({ mood }) => mood,
    ),
    resetUnread: witness.filter(({ kind }) => kind === 'reset-unread').length,
    duplicates: judgement.duplicates,
    killGapMsMax: judgement.killGapMsMax,
    violations: count(judgement.violations, ({ kind }) => kind),
  };
  return {
    ...figures,
    failed: [...judgement.violations.map(({ kind, text }) => `${kind}: ${text}`), ...shortOf(figures, wanted)],
  };
}

/** A run that did not cover its purpose proves nothing. */
function shortOf(
  { accepted, kills, moods }: Omit<Figures, 'failed'>,
  wanted: { events: number; kills: number },
): string[] {
  const missing = Object.keys(MOODS).filter((mood) => moods[mood as Mood] === undefined);
  return [
    ...(accepted < wanted.events ? [`fell short: ${accepted} events accepted of ${wanted.events}`] : []),
    ...((kills.all ?? 0) < wanted.kills ? [`fell short: ${kills.all ?? 0} kills of ${wanted.kills}`] : []),
    ...missing.map((mood) => `fell short: the target was never in the mood "${mood}"`),
  ];
}

export function printFigures(figures: Figures, result: RunResult): string {
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  const rows: [string, string][] = [
    ['events accepted', `${figures.accepted} (${listOf(figures.byPort)})`],
    ['in doubt after a kill', `${figures.inDoubt}, of which ${figures.inDoubtArrived} arrived`],
    ['not stored, and said so', String(figures.refused)],
    ['kills with kill -9', `${figures.kills.all ?? 0} (${listOf({ ...figures.kills, all: 0 })})`],
    [
      'gateway ready again after',
      `${seconds(middle(result.startMs))} (median), ${seconds(Math.max(...result.startMs))} at most`,
    ],
    ['requests received whole', String(figures.arrivals)],
    ['  answered', listOf(figures.acts)],
    ['moods of the targets', listOf(figures.moods)],
    ['connections reset unread', String(figures.resetUnread)],
    ['duplicates, each explained by', listOf(figures.duplicates)],
    ['  longest from answer to kill', `${Math.round(figures.killGapMsMax)} ms`],
    ['poison accepted, dead letters', `${figures.poison}, ${figures.deadLetters}`],
    ['paused targets resumed', String(result.resumed)],
    ['backlog at most', String(result.backlogMost)],
    ['longest time without acceptance', seconds(result.longestSilenceMs)],
    ['time under load, to drain', `${seconds(result.loadMs)}, ${seconds(result.drainMs)}`],
    ['violations', listOf(figures.violations)],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}\n`).join('');
}

function count<T, K extends string>(list: readonly T[], keyOf: (item: T) => K): Partial<Record<K, number>> {
  const counts: Partial<Record<K, number>> = {};
  for (const item of list) counts[keyOf(item)] = (counts[keyOf(item)] ?? 0) + 1;
  return counts;
}

function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

function listOf(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts).filter(([, number]) => number > 0);
  return parts.length === 0 ? 'none' : parts.map(([name, number]) => `${name} ${number}`).join(', ');
}
