import { alarmText } from '#common/alarms/alarm-text.ts';
import { inEnglish, type Phrase } from '#common/alarms/phrase.ts';
import { alarmSeverity } from '#common/alarms/severity.ts';
import { desktop as english } from '#common/languages/en/desktop.ts';
import type { Alarm, PastAlarm } from '#common/model/records.ts';
import type { AlarmRecords, StoredAlarm } from './alarm-file.ts';

/**
 * Conditions that need attention, reported until they end: on every page of the UI and in `GET /status`. One alarm per
 * code. Codes are fixed and few; nothing here grows with traffic. An acknowledgement lasts until the alarm clears or
 * its subject changes, also across a restart of the host. Shelving hides the alarm for its duration, even if the alarm
 * clears and is raised again for the same subject.
 */
export interface Alarms {
  /** Raises the alarm, or changes its text and keeps its time. */
  raise(code: string, more?: AlarmDetails): void;
  clear(code: string): void;
  /** Raises or clears it, depending on `on`. */
  set(code: string, on: boolean, more?: AlarmDetails): void;
  list(): Alarm[];
  /** Null: there is no such alarm now. The same applies to the next two. */
  acknowledge(code: string, by: string, note?: string | null): Alarm | null;
  shelve(code: string, shelf: Shelf): Alarm | null;
  unshelve(code: string): Alarm | null;
  /** Newest first, including current ones. `before`: the ID of the last known one. */
  history(limit: number, before?: number): PastAlarm[];
  /** Alarms of the last run of the host that were not raised again have ended. */
  settle(): void;
  onChange(listener: () => void): () => void;
}

export interface AlarmDetails {
  /** In English, if it says more than the text of the code (common/languages/en/alarms.ts). */
  text?: string;
  /** The values in the text, for translations. */
  values?: Alarm['values'];
  /** Values that are phrases. Each is put into `values` in English. */
  phrases?: Record<string, Phrase[]>;
  /** The subject: when it changes, an earlier acknowledgement no longer applies. */
  subject?: string;
  /** Its cause is over: it ends when it is acknowledged. */
  endsWhenSeen?: boolean;
}

export interface Shelf {
  /** RFC 3339. */
  until: string;
  by: string;
  note: string | null;
}

/** Without records, for tests, alarms do not survive a restart. */
const NO_RECORDS: AlarmRecords = { left: () => [], put: () => {}, page: () => [], lastId: 0, close: () => {} };
const FRESH = { acknowledgedAt: null, acknowledgedBy: null, shelvedUntil: null, shelvedBy: null, note: null };

export function createAlarms(now: () => Date = () => new Date(), records: AlarmRecords = NO_RECORDS): Alarms {
  return new AlarmList(now, records);
}

/** The causes of alarms are found again within seconds after a start; reports of the gateway may take longer. */
const SETTLE_MS = 60_000;

/** Returns a function that cancels it. */
export function settleLater(alarms: Pick<Alarms, 'settle'>): () => void {
  const timer = setTimeout(() => alarms.settle(), SETTLE_MS);
  timer.unref();
  return () => clearTimeout(timer);
}

class AlarmList implements Alarms {
  readonly #standing = new Map<string, StoredAlarm>();
  /** From the last run of the host: they are raised again when their cause is found again. */
  readonly #left = new Map<string, StoredAlarm>();
  /** The last shelving of each code; it can outlive its alarm. */
  readonly #shelves = new Map<string, Shelf & { subject: string }>();
  readonly #listeners = new Set<() => void>();
  readonly #now: () => Date;
  readonly #records: AlarmRecords;
  #lastId: number;

  constructor(now: () => Date, records: AlarmRecords) {
    this.#now = now;
    this.#records = records;
    this.#lastId = records.lastId;
    for (const alarm of records.left()) this.#recall(alarm);
  }

  raise(code: string, details: AlarmDetails = {}): void {
    const { values = {}, phrases = {}, subject = '', endsWhenSeen = false } = details;
    const text = details.text ?? alarmText({ code, text: code, values, phrases }, english, this.#now());
    const before = this.#standing.get(code) ?? this.#again(code, subject);
    if (before?.text === text && before.subject === subject && this.#standing.has(code)) return;
    const since = before?.since ?? this.#time();
    const id = before?.id ?? ++this.#lastId;
    const kept = before?.subject === subject ? before : this.#fresh(code, subject);
    const { acknowledgedAt, acknowledgedBy, shelvedUntil, shelvedBy, note } = kept;
    const seen = { acknowledgedAt, acknowledgedBy, shelvedUntil, shelvedBy, note };
    const more = { values: { ...inWords(phrases), ...values }, ...(details.phrases && { phrases }) };
    this.#put({ id, code, text, ...more, subject, endsWhenSeen, since, endedAt: null, ...seen });
  }

  clear(code: string): void {
    const alarm = this.#standing.get(code);
    if (alarm === undefined) return;
    this.#standing.delete(code);
    this.#records.put({ ...alarm, endedAt: this.#time() });
    this.#notify();
  }

  set(code: string, on: boolean, more?: AlarmDetails): void {
    if (on) this.raise(code, more);
    else this.clear(code);
  }

  list(): Alarm[] {
    this.#endShelves();
    return [...this.#standing.values()].map(shown);
  }

  acknowledge(code: string, by: string, note: string | null = null): Alarm | null {
    const alarm = this.#standing.get(code);
    if (alarm === undefined) return null;
    const seen = { ...alarm, acknowledgedAt: this.#time(), acknowledgedBy: by, note: note ?? alarm.note };
    if (alarm.acknowledgedAt === null) this.#put(seen);
    if (alarm.endsWhenSeen) this.clear(code);
    return shown(this.#standing.get(code) ?? seen);
  }

  shelve(code: string, { until, by, note }: Shelf): Alarm | null {
    const alarm = this.#standing.get(code);
    if (alarm === undefined) return null;
    this.#shelves.set(code, { until, by, note, subject: alarm.subject });
    const shelved = { ...alarm, shelvedUntil: until, shelvedBy: by, note: note ?? alarm.note };
    this.#put(shelved);
    return shown(shelved);
  }

  unshelve(code: string): Alarm | null {
    this.#shelves.delete(code);
    const alarm = this.#standing.get(code);
    if (alarm === undefined) return null;
    const shelfless = { ...alarm, shelvedUntil: null, shelvedBy: null };
    if (alarm.shelvedUntil !== null) this.#put(shelfless);
    return shown(shelfless);
  }

  history(limit: number, before = Infinity): PastAlarm[] {
    const past = this.#records.page(limit, Math.min(before, Number.MAX_SAFE_INTEGER));
    return past.map((alarm) => ({ ...shown(alarm), id: alarm.id, endedAt: alarm.endedAt }));
  }

  settle(): void {
    for (const alarm of this.#left.values()) this.#records.put({ ...alarm, endedAt: this.#time() });
    this.#left.clear();
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #recall(alarm: StoredAlarm): void {
    const { code, subject, shelvedUntil: until, shelvedBy: by, note } = alarm;
    if (until !== null && until > this.#time()) this.#shelves.set(code, { until, by: by ?? '', note, subject });
    if (alarm.endedAt !== null) return;
    // It is not raised again: its cause is over.
    if (alarm.endsWhenSeen) this.#standing.set(code, alarm);
    else this.#left.set(code, alarm);
  }

  /** The alarm of the last run, if its subject was the same. */
  #again(code: string, subject: string): StoredAlarm | undefined {
    const alarm = this.#left.get(code);
    this.#left.delete(code);
    if (alarm === undefined || alarm.subject === subject) return alarm;
    this.#records.put({ ...alarm, endedAt: this.#time() });
    return undefined;
  }

  #fresh(code: string, subject: string): typeof FRESH | StoredSeen {
    const shelf = this.#shelves.get(code);
    if (shelf === undefined || shelf.subject !== subject || shelf.until <= this.#time()) return FRESH;
    return { ...FRESH, shelvedUntil: shelf.until, shelvedBy: shelf.by, note: shelf.note };
  }

  #endShelves(): void {
    const time = this.#time();
    for (const alarm of this.#standing.values()) {
      if (alarm.shelvedUntil !== null && alarm.shelvedUntil <= time)
        this.#put({ ...alarm, shelvedUntil: null, shelvedBy: null });
    }
  }

  #put(alarm: StoredAlarm): void {
    this.#standing.set(alarm.code, alarm);
    this.#records.put(alarm);
    this.#notify();
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }

  #time(): string {
    return this.#now().toISOString();
  }
}

type StoredSeen = Pick<StoredAlarm, keyof typeof FRESH>;

function shown(alarm: StoredAlarm): Alarm {
  const { id: _, subject: _subject, endsWhenSeen: _ends, endedAt: _endedAt, ...fields } = alarm;
  return { ...fields, severity: alarmSeverity(alarm.code) };
}

function inWords(phrases: Record<string, Phrase[]>): Record<string, string> {
  return Object.fromEntries(Object.entries(phrases).map(([name, list]) => [name, inEnglish(...list)]));
}
