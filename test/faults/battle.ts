import { setTimeout as sleep } from 'node:timers/promises';
import { nowMs } from './clock.ts';
import type { GatewayUnderFire } from './gateway-under-fire.ts';
import type { Load } from './load.ts';
import type { Random } from '#test/random.ts';

/** The kills while events come in. */
export interface BattleOptions {
  readonly events: number;
  readonly kills: number;
  readonly loadMsMax: number;
  progress?(text: string): void;
}

const EARLY_KILLS_SHARE = 0.2;
const EARLY_MS_MAX = 250;
/** A kill is due after this many accepted events, or after this long without them. */
const KILL_AFTER_MS_MAX = 8000;
const TICK_MS = 10;
const PROGRESS_MS = 10_000;

/** Kills at random moments until there were enough events and kills, or until the time is over. */
export async function fight(fire: GatewayUnderFire, load: Load, random: Random, options: BattleOptions): Promise<void> {
  const startedAtMs = nowMs();
  const { events, kills, loadMsMax } = options;
  const over = () => (load.accepted() >= events && fire.kills.length >= kills) || nowMs() - startedAtMs > loadMsMax;
  const report = every(PROGRESS_MS, () => {
    const seconds = Math.round((nowMs() - startedAtMs) / 1000);
    options.progress?.(`${seconds} s: ${load.accepted()} accepted, ${fire.kills.length} kills`);
  });
  while (!over()) {
    const early = random.chance(EARLY_KILLS_SHARE);
    const dueAt = load.accepted() + random.between(0, 2 * eventsPerKill(fire, load, options));
    const dueAtMs = nowMs() + (early ? random.between(0, EARLY_MS_MAX) : KILL_AFTER_MS_MAX);
    while (!over() && nowMs() < dueAtMs && (early || load.accepted() < dueAt)) await sleep(TICK_MS);
    if (!over()) await fire.kill(early ? 'early' : 'load');
    report();
  }
}

/** Keeps the progress of events and kills together, so that kills always happen under load. */
function eventsPerKill(fire: GatewayUnderFire, load: Load, { events, kills }: BattleOptions): number {
  const killsLeft = Math.max(kills - fire.kills.length, 1);
  return Math.max((events - load.accepted()) / killsLeft, events / kills / 2);
}

function every(ms: number, work: () => void): () => void {
  let last = nowMs();
  return () => {
    if (nowMs() - last < ms) return;
    last = nowMs();
    work();
  };
}
