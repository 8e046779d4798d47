import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { PastAlarm } from '#common/model/records.ts';
import { useAlarmHistory } from '#api/alarm-queries.ts';
import { useAlarmWords } from '#ui/alarm/alarm-words.ts';
import { LoadingRows } from '#ui/loading-rows.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { Panel } from '#ui/panel.tsx';
import { durationText } from '#ui/quantity.ts';
import { Shape } from '#ui/shape.tsx';
import { ListTable } from '#ui/list-table.tsx';
import { Moment } from '#ui/time.tsx';
import './alarms.css';

/** Raised alarms, the newest first: when, for how long, who acknowledged or shelved them, and the note. */
export function AlarmsPage() {
  const { t } = useTranslation();
  const history = useAlarmHistory();
  const alarms = history.data?.pages.flatMap(({ items }) => items);
  return (
    <>
      <PageHead title={t('alarms.history.title')} answer={t('alarms.history.answer')} />
      <Panel>
        <LoadingRows of={history} />
        {alarms?.length === 0 && <p className="body t2">{t('alarms.history.none')}</p>}
        {alarms !== undefined && alarms.length > 0 && <AlarmTable alarms={alarms} />}
      </Panel>
      {history.hasNextPage && (
        <div>
          <Button onClick={() => void history.fetchNextPage()} loading={history.isFetchingNextPage}>
            {t('alarms.history.more')}
          </Button>
        </div>
      )}
    </>
  );
}

function AlarmTable({ alarms }: { alarms: readonly PastAlarm[] }) {
  const { t } = useTranslation();
  return (
    <ListTable
      className="past-alarms"
      columns={[
        { text: t('alarms.history.severity'), hidden: true },
        t('alarms.history.alarm'),
        t('alarms.history.raised'),
        t('alarms.history.lasted'),
        t('alarms.history.seen'),
      ]}
    >
      {alarms.map((alarm) => (
        <AlarmRow key={alarm.id} alarm={alarm} />
      ))}
    </ListTable>
  );
}

function AlarmRow({ alarm }: { alarm: PastAlarm }) {
  const { t } = useTranslation();
  return (
    <tr>
      <td className="shape-cell">
        <Shape name={alarm.severity} label={t(`alarmKind.${alarm.severity}`)} small={alarm.endedAt !== null} />
      </td>
      <td>
        <AlarmName alarm={alarm} />
      </td>
      <td className="nowrap">
        <Moment iso={alarm.since} />
      </td>
      <td className="nowrap">{alarm.endedAt === null ? <b>{t('alarms.history.now')}</b> : lasted(alarm)}</td>
      <td>
        <Seen alarm={alarm} />
      </td>
    </tr>
  );
}

function AlarmName({ alarm }: { alarm: PastAlarm }) {
  const { title, place, text } = useAlarmWords()(alarm);
  return (
    <span className="two" title={text}>
      <b>{title}</b>
      <small>{place}</small>
    </span>
  );
}

const lasted = ({ since, endedAt }: PastAlarm) =>
  durationText((Date.parse(endedAt ?? since) - Date.parse(since)) / 1000);

function Seen({ alarm }: { alarm: PastAlarm }) {
  const { t } = useTranslation();
  const { acknowledgedBy, shelvedBy, note } = alarm;
  if (acknowledgedBy === null && shelvedBy === null) return <span className="t3">{t('alarms.history.unseen')}</span>;
  const seen = [
    acknowledgedBy !== null && t('alarms.acknowledgedBy', { name: acknowledgedBy }),
    shelvedBy !== null && t('alarms.shelvedBy', { name: shelvedBy }),
  ];
  return (
    <span className="two">
      {seen.filter((one) => one !== false).join(', ')}
      {note !== null && <small>{note}</small>}
    </span>
  );
}
