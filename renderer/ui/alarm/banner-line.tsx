import { useTranslation } from 'react-i18next';
import type { Alarm } from '#common/model/records.ts';
import { alarmPlace } from '#api/alarm-kind.ts';
import { Shape } from '../shape.tsx';
import { Ago } from '../time.tsx';
import { AlarmActs, RemedyLink } from './alarm-acts.tsx';
import { useAlarmWords } from './alarm-words.ts';

/** Title, place, since and acts in one line. `path`: the page that is open, to which no link is needed. */
export function BannerLine({ alarm, path }: { alarm: Alarm; path: string }) {
  const { t } = useTranslation();
  const { title, place, text } = useAlarmWords()(alarm);
  return (
    <>
      <Shape name="alarm" label={t('alarmKind.alarm')} blink />
      <p className="grow" title={text}>
        <b>{title}</b>
        {place !== '' && `: ${place}`}
      </p>
      <Ago iso={alarm.since} />
      {alarmPlace(alarm)?.href !== path && <RemedyLink alarm={alarm} />}
      <AlarmActs alarm={alarm} />
    </>
  );
}
