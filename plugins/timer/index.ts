import { attempt, defineKind, exactlyOne, isGiven, type NodeInstance, runTimeoutField, type Trigger, z } from '#sdk';
import { checkCron, cronSchedule, type Due, everySchedule, type Schedule } from './schedule.ts';
import { startTicker, type Ticker } from './ticker.ts';
import { expected } from '#common/errors/rules.ts';
import { isTimeZone, ZONE_EXPECTED } from '#common/model/time-zone.ts';

const DAY_SECONDS = 86_400;
const EVERY_MAX = 31 * DAY_SECONDS;
const EVERY_EXPECTED = expected('range', { what: 'seconds', from: 0.1, to: 2_678_400 });
const CRON_CHARS_MAX = 200;
/** A tick of `cron` that is later than this (the machine slept) is skipped. */
export const LATE_MS_MAX = 60_000;
/** Skipped ticks are reported at most this often. */
const WARNED_MS_MIN = 60_000;

const settings = z
  .strictObject({
    every: z.number({ error: EVERY_EXPECTED }).min(0.1, EVERY_EXPECTED).max(EVERY_MAX, EVERY_EXPECTED).optional().meta({
      title: 'Every',
      control: 'seconds',
      choice: 'schedule',
      description: 'Seconds from one tick to the next.',
    }),
    cron: z
      .string({ error: expected('form', { what: 'a cron expression', example: '0 6,14,22 * * *' }) })
      .max(CRON_CHARS_MAX, expected('length_max', { max: CRON_CHARS_MAX }))
      .transform((text, context) => attempt(() => checkCron(text), context))
      .optional()
      .meta({
        title: 'Cron',
        choice: 'schedule',
        description: 'Minute, hour, day, month, weekday (a sixth field in front: second), such as 0 6,14,22 * * *.',
      }),
    timeZone: z.string({ error: ZONE_EXPECTED }).refine(isTimeZone, ZONE_EXPECTED).optional().meta({
      title: 'Time zone',
      description: 'For cron: an IANA name such as Europe/Berlin. Default: the time zone of the machine.',
    }),
    overlap: z
      .boolean({ error: expected('true_or_false') })
      .default(false)
      .meta({
        title: 'Overlap',
        more: true,
        description: 'Whether a tick starts a run while an earlier run of this node is still in progress.',
      }),
    timeout: runTimeoutField,
  })
  .refine((given) => exactlyOne(given, ['every', 'cron']), {
    error: expected('exactly_one', { fields: ['every', 'cron'] }),
  })
  .refine((given) => !(isGiven(given, 'timeZone') && isGiven(given, 'every')), {
    path: ['timeZone'],
    error: expected('zone_with_cron'),
  });

type Settings = z.output<typeof settings>;

export const timer = defineKind({
  id: 'timer',
  version: '1.0.0',
  title: 'Timer',
  summary: "Starts a run at a fixed interval or by a cron expression, with the pipeline's grants.",
  category: 'flow',
  input: false,
  settings,
  examples: [
    {
      title: 'Every ten seconds',
      settings: { every: 10 },
      payload: { time: '2026-03-01T06:00:00.004Z', scheduled: '2026-03-01T06:00:00.000Z', tick: 1 },
      expect: {
        port: 'out',
        payload: { time: '2026-03-01T06:00:00.004Z', scheduled: '2026-03-01T06:00:00.000Z', tick: 1 },
      },
    },
    {
      title: 'At the end of each shift',
      settings: { cron: '0 6,14,22 * * *', timeZone: 'Europe/Berlin', timeout: 120 },
      payload: { time: '2026-03-01T05:00:00.002Z', scheduled: '2026-03-01T05:00:00.000Z', tick: 7 },
      expect: {
        port: 'out',
        payload: { time: '2026-03-01T05:00:00.002Z', scheduled: '2026-03-01T05:00:00.000Z', tick: 7 },
      },
    },
  ],
  create: createTimer,
});

/**
 * The payload of a run: `time` when it began, `scheduled` when it was due, `tick` counted from 1, including skipped
 * ones.
 */
function createTimer(given: Settings): NodeInstance {
  let ticker: Ticker | null = null;
  return {
    runSeconds: given.timeout,
    begin(trigger) {
      ticker = startTicker(scheduleOf(given), ticking(trigger, given));
    },
    run: (message) => ({ port: 'out', message }),
    close: () => ticker?.close(),
  };
}

function scheduleOf({ every, cron, timeZone }: Settings): Schedule {
  if (cron === undefined) return everySchedule((every ?? EVERY_MAX) * 1000);
  return cronSchedule(cron, timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone);
}

function ticking(trigger: Trigger, { overlap, cron }: Settings): (due: Due) => void {
  const leaveOut = leavingOut(trigger);
  let tick = 0;
  return ({ scheduledMs, lateMs }) => {
    tick += 1;
    if (cron !== undefined && lateMs > LATE_MS_MAX) return leaveOut('their time had passed: did the machine sleep?');
    if (!overlap && trigger.active > 0) return leaveOut('the run before was still under way');
    const payload = { time: new Date().toISOString(), scheduled: new Date(scheduledMs).toISOString(), tick };
    if (!trigger.emit(payload)) leaveOut('too many runs were under way, or the pipeline was ending');
  };
}

/** Counts ticks that begin no run and reports the first one immediately, later ones together. */
function leavingOut(trigger: Trigger): (why: string) => void {
  let count = 0;
  let warnedMs = -Infinity;
  return (why) => {
    count += 1;
    const nowMs = performance.now();
    if (nowMs - warnedMs < WARNED_MS_MIN) return;
    trigger.log('warn', `${count} ${count === 1 ? 'tick was' : 'ticks were'} left out; the last one because ${why}`);
    count = 0;
    warnedMs = nowMs;
  };
}
