import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { Alarm, StatusRecord } from '#common/model/records.ts';
import { alarmPlace, shownAlarms, sortedAlarms } from '#api/alarm-kind.ts';
import { useUnshelveAlarm } from '#api/alarm-queries.ts';
import { useSilentSince } from '#api/connection.ts';
import { usePermission } from '#api/session.ts';
import { AlarmActs, RemedyLink } from '#ui/alarm/alarm-acts.tsx';
import { useAlarmWords } from '#ui/alarm/alarm-words.ts';
import { ErrorNote } from '#ui/error-note.tsx';
import { dayAndTime } from '#ui/format.ts';
import { Panel } from '#ui/panel.tsx';
import { Shape } from '#ui/shape.tsx';
import { Ago } from '#ui/time.tsx';
import { alarmsToConfirm, ConfirmVault } from './confirm-vault.tsx';

/** Every active alarm, the most urgent first: title, place, time and possible actions. Shelved ones are folded. */
export function AttentionPanel({ status }: { status: StatusRecord }) {
  const { t } = useTranslation();
  const alarms = sortedAlarms(shownAlarms(status.alarms));
  const shelved = sortedAlarms(status.alarms).filter(({ shelvedUntil }) => shelvedUntil !== null);
  const maySettings = usePermission('access_settings');
  const toConfirm = maySettings ? alarmsToConfirm(alarms) : [];
  return (
    <Panel title={t('overview.attention')} side={<HistoryLink />} className="attention">
      {alarms.length === 0 && <Calm />}
      <ul className="list">
        {alarms.map((alarm) => (
          <li key={alarm.code}>
            <Shape name={alarm.severity} label={t(`alarmKind.${alarm.severity}`)} />
            <Standing alarm={alarm}>
              {toConfirm.includes(alarm.code) ? (
                <ConfirmVault alarm={alarm.code} alarms={toConfirm} />
              ) : (
                <RemedyLink alarm={alarm} />
              )}
            </Standing>
          </li>
        ))}
      </ul>
      {shelved.length > 0 && <Shelved alarms={shelved} />}
    </Panel>
  );
}

function HistoryLink() {
  const { t } = useTranslation();
  return (
    <Link href="/alarms" className="touch">
      {t('alarms.openHistory')}
    </Link>
  );
}

/** If Sluice is silent, the absence of alarms in old values means nothing. */
function Calm() {
  const { t } = useTranslation();
  const isOld = useSilentSince() !== null;
  return <p className="body t2">{isOld ? t('overviewPage.unknownAlarms') : t('overview.calm')}</p>;
}

/** Title and place, followed by cause and remedy; the time, and `children`: the action. */
function Standing({ alarm, children }: { alarm: Alarm; children: ReactNode }) {
  const { t } = useTranslation();
  const { title, place, text } = useAlarmWords()(alarm);
  return (
    <div className="grow alarm-entry">
      <details>
        <summary title={t('alarms.details')}>
          <span>
            <b>{title}</b>
            {place !== '' && `: ${place}`}
          </span>
        </summary>
        <p>{text}</p>
        {alarm.note !== null && <q className="alarm-note">{alarm.note}</q>}
      </details>
      <div className="row">
        <small className="t3 grow">
          <Ago iso={alarm.since} />
          {alarm.acknowledgedBy !== null && `, ${t('alarms.acknowledgedBy', { name: alarm.acknowledgedBy })}`}
        </small>
        {children}
        <AlarmActs alarm={alarm} inMenu={alarmPlace(alarm) !== null} />
      </div>
    </div>
  );
}

function Shelved({ alarms }: { alarms: readonly Alarm[] }) {
  const { t } = useTranslation();
  return (
    <details className="shelved">
      <summary>{t('alarms.shelved', { count: alarms.length })}</summary>
      <ul className="list">
        {alarms.map((alarm) => (
          <li key={alarm.code}>
            <Shape name={alarm.severity} label={t(`alarmKind.${alarm.severity}`)} small />
            <OnShelf alarm={alarm} />
          </li>
        ))}
      </ul>
    </details>
  );
}

function OnShelf({ alarm }: { alarm: Alarm }) {
  const { t, i18n } = useTranslation();
  const { title, place } = useAlarmWords()(alarm);
  const unshelve = useUnshelveAlarm();
  const may = usePermission('run_pipelines');
  const until = dayAndTime(new Date(alarm.shelvedUntil ?? ''), i18n.language);
  return (
    <div className="grow alarm-entry">
      <span>{title}</span>
      {place !== '' && <span className="alarm-place">{place}</span>}
      <small className="t3">{t('alarms.shelvedUntil', { time: until, name: alarm.shelvedBy })}</small>
      {alarm.note !== null && <q className="alarm-note">{alarm.note}</q>}
      {may && (
        <div className="row">
          <Button onClick={() => unshelve.mutate(alarm.code)} loading={unshelve.isPending}>
            {t('alarms.unshelve')}
          </Button>
        </div>
      )}
      {unshelve.isError && <ErrorNote error={unshelve.error} />}
    </div>
  );
}
