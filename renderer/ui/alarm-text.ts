import { useTranslation } from 'react-i18next';
import { phraseList, type PhraseWriter } from '#common/alarms/phrase.ts';
import type { Alarm } from '#common/model/records.ts';

/** The text of an alarm in the user's language; in the host's English if a newer host reports an unknown one. */
export function useAlarmText(): (alarm: Alarm) => string {
  const { t, i18n } = useTranslation();
  const write: PhraseWriter = (name, values) =>
    i18n.exists(`phrase.${name}`) ? t(`phrase.${name}`, { ...values, defaultValue: '' }) : null;
  return ({ code, text, values, phrases = {} }) => {
    const written = Object.entries(phrases).map(([name, list]) => [name, phraseList(list, write) ?? values[name]]);
    return t(`alarmText.${code}`, { ...values, ...Object.fromEntries(written), defaultValue: text });
  };
}
