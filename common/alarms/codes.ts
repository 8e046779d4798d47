import { alarms } from '../languages/en/alarms.ts';

/** Every alarm that Sluice can raise. An alarm with a count has a singular and a plural text under one code. */
export const ALARM_CODES: readonly string[] = [
  ...new Set(Object.keys(alarms).map((name) => name.replace(/_(?:one|other)$/, ''))),
];
