import { ALARMS_IN_GERMAN } from '../languages/de/alarms.ts';

/** Every alarm that Sluice can raise; those with a count have two texts under one code. */
export const ALARM_CODES: readonly string[] = [
  ...new Set(Object.keys(ALARMS_IN_GERMAN).map((name) => name.replace(/_(?:one|other)$/, ''))),
];
