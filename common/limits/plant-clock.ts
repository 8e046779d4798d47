import { weekMinute } from './week-hours.ts';

const MINUTE_MS = 60_000;

/**
 * The clock on the wall of the plant. When summer time begins, an hour of the week does not occur; when it ends, an
 * hour occurs twice.
 */
export class PlantClock {
  readonly zone: string;
  readonly #format: Intl.DateTimeFormat;
  #atMinute = NaN;
  #weekMinute = 0;

  /** `zone`: an IANA name; null: the zone of this PC. Throws RangeError for an unknown name. */
  constructor(zone: string | null) {
    this.#format = new Intl.DateTimeFormat('en-US', {
      ...(zone !== null && { timeZone: zone }),
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
    this.zone = this.#format.resolvedOptions().timeZone;
  }

  /** 0 = Monday 00:00. Formatted once a minute: offsets of time zones change at full minutes. */
  weekMinute(nowMs: number): number {
    const minute = Math.floor(nowMs / MINUTE_MS);
    if (minute === this.#atMinute) return this.#weekMinute;
    const parts = new Map(this.#format.formatToParts(nowMs).map(({ type, value }) => [type, value]));
    this.#weekMinute = weekMinute(parts.get('weekday') ?? '', Number(parts.get('hour')), Number(parts.get('minute')));
    this.#atMinute = minute;
    return this.#weekMinute;
  }
}
