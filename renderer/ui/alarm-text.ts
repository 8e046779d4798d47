import { useTranslation } from 'react-i18next';
import type { Alarm } from '#common/model/records.ts';

/** What an alarm says, in the reader's language; in the host's English when a newer host tells of something new. */
export function useAlarmText(): (alarm: Alarm) => string {
  const { t } = useTranslation();
  return ({ code, text, values }) => t(`alarmText.${code}`, { ...values, defaultValue: text });
}
