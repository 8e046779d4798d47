import { ALARMS_IN_GERMAN } from '#common/languages/de/alarms.ts';
import type { Alarm } from '#common/model/records.ts';

/** The text of an alarm for users; `Alarm` as the host reports it. */
export type AlarmText = (alarm: Pick<Alarm, 'code' | 'text' | 'values'>) => string;

export const alarmInEnglish: AlarmText = ({ text }) => text;

/** In the host's English if German has no text for it, or if the alarm lacks one of its values. */
export const alarmInGerman: AlarmText = ({ code, text, values }) => {
  const texts: Readonly<Record<string, string>> = ALARMS_IN_GERMAN;
  const names = [code, `${code}_${values['count'] === 1 ? 'one' : 'other'}`];
  const found = names.find((name) => Object.hasOwn(texts, name));
  if (found === undefined) return text;
  let whole = true;
  const filled = (texts[found] ?? '').replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    whole &&= Object.hasOwn(values, name);
    return String(values[name]);
  });
  return whole ? filled.trim() : text;
};
