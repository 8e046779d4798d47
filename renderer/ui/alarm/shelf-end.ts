import { shelfMsMax } from '#common/alarms/severity.ts';

export type ShelfChoice = '1h' | '8h' | 'date';

const HOUR_MS = 3_600_000;
const HOURS = { '1h': 1, '8h': 8 } as const;

/** An alarm that asks to act now comes back within a shift. */
export function shelfChoices(code: string): ShelfChoice[] {
  return shelfMsMax(code) > HOURS['8h'] * HOUR_MS ? ['1h', '8h', 'date'] : ['1h', '8h'];
}

/** `day` as a date field has it, `2026-03-01`: until the morning of that day, local. Null: no day, or one out of range. */
export function shelfEnd(code: string, choice: ShelfChoice, day: string, now: Date): Date | null {
  if (choice !== 'date') return new Date(now.getTime() + HOURS[choice] * HOUR_MS);
  const end = new Date(`${day}T06:00:00`);
  const ms = end.getTime() - now.getTime();
  return Number.isNaN(ms) || ms <= 0 || ms > shelfMsMax(code) ? null : end;
}
