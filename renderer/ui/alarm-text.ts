import { useTranslation } from 'react-i18next';
import type { Alarm } from '#common/model/records.ts';

/** The text of an alarm in the user's language; in the host's English if a newer host reports an unknown one. */
export function useAlarmText(): (alarm: Alarm) => string {
  const { t } = useTranslation();
  return ({ code, text, values }) => t(`alarmText.${code}`, { ...values, defaultValue: text });
}
