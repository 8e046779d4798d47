import { useTranslation } from 'react-i18next';
import { phraseList, type PhraseWriter } from '#common/alarms/phrase.ts';
import { shownValues } from '#common/alarms/shown-values.ts';
import type { Alarm } from '#common/model/records.ts';

type Said = Pick<Alarm, 'code' | 'text' | 'values' | 'phrases'>;

/** Values that can name the place of an alarm; the first one present is used. */
const PLACES = ['places', 'names', 'targets', 'plugins', 'stores', 'file'];

export interface AlarmWords {
  /** A few words, without the place. */
  title: string;
  /** Names of pipelines, callers, targets; '' = the whole appliance. */
  place: string;
  /** Cause, effect and remedy. */
  text: string;
}

/** In the user's language; in the host's English if a newer host reports an alarm that is unknown here. */
export function useAlarmWords(): (alarm: Said) => AlarmWords {
  const { t, i18n } = useTranslation();
  const write: PhraseWriter = (name, values) =>
    i18n.exists(`phrase.${name}`) ? t(`phrase.${name}`, { ...values, defaultValue: '' }) : null;
  return ({ code, text, values, phrases = {} }) => {
    const written = Object.entries(phrases).map(([name, list]) => [name, phraseList(list, write) ?? values[name]]);
    const shown: Said['values'] = { ...shownValues(values, new Date()), ...Object.fromEntries(written) };
    const refused = code === 'egress_paused' && values['status'] !== undefined ? 'egress_refused' : code;
    return {
      title: t(`alarmTitle.${refused}`, { ...shown, defaultValue: text }),
      place: String(PLACES.map((name) => shown[name]).find((value) => value !== undefined) ?? ''),
      text: t(`alarmText.${code}`, { ...shown, defaultValue: text }),
    };
  };
}
