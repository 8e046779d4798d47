import { alarms } from '../languages/en/alarms.ts';

/** Every alarm that Sluice can raise; those with a count have two texts under one code. */
export const ALARM_CODES: readonly string[] = [
  ...new Set(Object.keys(alarms).map((name) => name.replace(/_(?:one|other)$/, ''))),
];
