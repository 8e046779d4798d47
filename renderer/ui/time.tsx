import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { ageOf, clockTime, longDate, preciseTime, shortDate, utcTime } from './format.ts';
import { useNow } from './now.ts';

/** "4 s ago" up to a day, then the date. */
export function ageText(t: TFunction, locale: string, iso: string, now: Date): string {
  const age = ageOf(new Date(iso), now);
  if (age.unit === 'now') return t('time.now');
  if (age.unit === 'date') return longDate(new Date(iso), locale);
  return t(`time.${age.unit}`, { count: age.count });
}

/** How long ago, updated live; the exact time in UTC on hover. Null is shown as "Never". */
export function Ago({ iso }: { iso: string | null }) {
  const { t, i18n } = useTranslation();
  const now = useNow();
  if (iso === null) return <span className="t3">{t('time.never')}</span>;
  return (
    <time dateTime={iso} title={utcTime(new Date(iso))}>
      {ageText(t, i18n.language, iso, now)}
    </time>
  );
}

/** The time of day, in milliseconds if `precise`; with the date unless it is today. */
export function Moment({ iso, precise }: { iso: string; precise?: boolean }) {
  const { i18n } = useTranslation();
  const now = useNow();
  const time = new Date(iso);
  const today = time.toDateString() === now.toDateString();
  return (
    <time dateTime={iso} title={utcTime(time)}>
      {today ? '' : `${shortDate(time, i18n.language)} `}
      {precise && today ? preciseTime(time) : clockTime(time)}
    </time>
  );
}
