import type { EgressTarget } from '#common/model/egress.ts';
import type { PipelineRecord } from '#common/model/records.ts';
import type { Series } from '#common/model/traffic.ts';
import type { Point } from '#ui/chart-points.ts';

/**
 * The condition of a target in everyday terms. `stopped`: Sluice paused it, a user must act. `tried`: Sluice paused it,
 * and one event has been delivered since; it only has to be resumed. `paused`: a user paused it. `blocked`: a rehearsal.
 */
export type Condition = 'stopped' | 'tried' | 'paused' | 'blocked' | 'retrying' | 'delivering' | 'ready';

export function conditionOf(target: EgressTarget): Condition {
  if (target.state === 'paused') {
    if (target.pausedBy !== null) return 'paused';
    return hasDelivered(target) ? 'tried' : 'stopped';
  }
  if (target.rehearsal?.state === 'blocked') return 'blocked';
  if (target.queued > 0 && target.reason !== null) return 'retrying';
  return target.queued > 0 || target.deliveredPerMinute > 0 ? 'delivering' : 'ready';
}

/**
 * Its last call began after the pause and was accepted. A call of another queue that was under way at the pause says
 * nothing about the refusal.
 */
export function hasDelivered({ lastAnswer, pausedAt }: Pick<EgressTarget, 'lastAnswer' | 'pausedAt'>): boolean {
  if (lastAnswer === null || lastAnswer.status === null) return false;
  const { at, status, durationMs } = lastAnswer;
  const begunMs = Date.parse(at) - durationMs;
  return status >= 200 && status < 300 && (pausedAt === null || begunMs >= Date.parse(pausedAt));
}

const DEFAULT_PORTS: Record<string, string> = { http: '80', https: '443' };

export interface TargetName {
  /** Host, with the port where it is not the usual one: what a sentence calls the target. */
  name: string;
  host: string;
  scheme: string;
  port: string;
}

/** The parts of a target such as `https://mes.example:8443`, which always has a port. */
export function targetName(target: string): TargetName {
  const match = /^(https?):\/\/(.+):(\d+)$/.exec(target);
  if (match === null) return { name: target, host: target, scheme: '', port: '' };
  const [, scheme = '', host = '', port = ''] = match;
  return { name: DEFAULT_PORTS[scheme] === port ? host : `${host}:${port}`, host, scheme, port };
}

/** A head that is refused for less than this usually recovers on its own: nobody needs to act. */
const PATIENCE_MS = 60_000;

/** Later than this is no forecast: one event under way reads as years. */
const FORECAST_SECONDS_MAX = 7 * 24 * 3600;

/** Whether a forecast is worth telling. */
export function fillsSoon(seconds: number | null): seconds is number {
  return seconds !== null && seconds <= FORECAST_SECONDS_MAX;
}

/** The urgency of a user's action, the highest first: 0 = none is needed. */
export function urgency(target: EgressTarget, now: number): number {
  const condition = conditionOf(target);
  if (condition === 'stopped' || condition === 'tried') return 3;
  const waitedMs = target.oldestAt === null ? 0 : now - Date.parse(target.oldestAt);
  if (condition === 'retrying' && waitedMs >= PATIENCE_MS) return 2;
  return condition === 'paused' && fillsSoon(target.fullInSeconds) ? 1 : 0;
}

/** The one target to look at first; undefined = none asks for it. */
export function mostUrgent(targets: readonly EgressTarget[], now: number): EgressTarget | undefined {
  return byUrgency(targets, now).find((target) => urgency(target, now) > 0);
}

const NEVER = Number.MAX_SAFE_INTEGER;

/** Most urgent first, then what is full soonest, then what has the most waiting, then by name. */
export function byUrgency(targets: readonly EgressTarget[], now: number): EgressTarget[] {
  return targets.toSorted(
    (a, b) =>
      urgency(b, now) - urgency(a, now) ||
      (a.fullInSeconds ?? NEVER) - (b.fullInSeconds ?? NEVER) ||
      b.queued - a.queued ||
      a.target.localeCompare(b.target),
  );
}

/** The pipelines with a node that calls the target. */
export function callersOf(target: string, pipelines: readonly PipelineRecord[]): PipelineRecord[] {
  return pipelines.filter(({ nodes }) => nodes.some((node) => callsTarget(node, target)));
}

export function callsTarget({ kind, settings }: PipelineRecord['nodes'][number], target: string): boolean {
  return kind === 'rest-api' && originOf(settings['url']) === target;
}

/** As in `common/model/egress-settings.ts`, which brings the schemas' library with it. */
function originOf(url: unknown): string | null {
  if (typeof url !== 'string' || !URL.canParse(url)) return null;
  const { protocol, hostname, port } = new URL(url);
  return `${protocol}//${hostname}:${port === '' ? DEFAULT_PORTS[protocol.slice(0, -1)] : port}`;
}

/** A value at the end of each step that is known. */
export function backlogPoints({ from, stepSeconds, values }: Series, nowMs: number): Point[] {
  const endOf = (index: number) => Math.min(nowMs, Date.parse(from) + (index + 1) * stepSeconds * 1000);
  return values.flatMap((value, index) => (value === null ? [] : [{ at: endOf(index), value }]));
}

export interface Drain {
  done: number;
  of: number;
}

/** Fewer events are gone before somebody has read how many they were. */
const DRAIN_EVENTS_MIN = 10;

/** How many of the events at the peak of the series are gone. Null: too few to show. */
export function drainOf(target: EgressTarget, { values }: Series): Drain | null {
  if (conditionOf(target) !== 'delivering' || target.queued === 0) return null;
  const of = Math.max(target.queued, ...values.map((value) => value ?? 0));
  return of < DRAIN_EVENTS_MIN ? null : { done: of - target.queued, of };
}

/** Longer without a value: at least one step is unknown. */
export function backlogGapMs({ stepSeconds }: Series): number {
  return stepSeconds * 1500;
}
