import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { Alarm, StatusRecord } from '#common/model/records.ts';
import { alarmKind, alarmPlace, sortedAlarms } from '#api/alarm-kind.ts';
import { useStatus } from '#api/queries.ts';
import { usePermission } from '#api/session.ts';
import { useAlarmText } from '#ui/alarm-text.ts';
import { ErrorNote } from '#ui/error-note.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { Panel } from '#ui/panel.tsx';
import { Shape } from '#ui/shape.tsx';
import { Ago } from '#ui/time.tsx';
import { alarmToConfirm, ConfirmVault } from './confirm-vault.tsx';
import { LatestRefusals } from './latest-refusals.tsx';
import { RouteList } from './route-list.tsx';
import { StatusCards } from './status-cards.tsx';

/** Is the gateway well, what needs attention, what does it publish. */
export function OverviewPage() {
  const { t } = useTranslation();
  const status = useStatus();
  const mayAudit = usePermission('view_audit');
  return (
    <>
      <PageHead title={t('overview.title')} answer={status.data && <Answer status={status.data} />} />
      {status.isError && <ErrorNote error={status.error} />}
      {status.data && <StatusCards status={status.data} />}
      <div className="split">
        <RouteList />
        <div className="stack">
          {status.data && <Attention status={status.data} />}
          {mayAudit && <LatestRefusals />}
        </div>
      </div>
    </>
  );
}

function Answer({ status }: { status: StatusRecord }) {
  const { t } = useTranslation();
  const { pipelines, alarms, gateway } = status;
  const running = t('overview.pipelines', { count: pipelines.running });
  const abnormal = [
    gateway.state !== 'running' && t('overview.answerDown'),
    pipelines.failed > 0 && t('overview.failed', { count: pipelines.failed }),
    alarms.length > 0 && t('overview.alarms', { count: alarms.length }),
  ].filter((text) => text !== false);
  return (
    <>
      {gateway.state === 'running' && t('overview.answerOk', { running, count: pipelines.running })}{' '}
      {abnormal.length > 0 && <b>{abnormal.join(' ')}</b>}
    </>
  );
}

function Attention({ status }: { status: StatusRecord }) {
  const { t } = useTranslation();
  const alarmText = useAlarmText();
  const alarms = sortedAlarms(status.alarms);
  const maySettings = usePermission('access_settings');
  const toConfirm = maySettings ? alarmToConfirm(alarms) : undefined;
  return (
    <Panel title={t('overview.attention')} side={<span className="t2">{alarms.length}</span>}>
      {alarms.length === 0 && <p className="body t2">{t('overview.calm')}</p>}
      <ul className="list">
        {alarms.map((alarm) => (
          <li key={alarm.code}>
            <Shape name={alarmKind(alarm)} label={t(`alarmKind.${alarmKind(alarm)}`)} />
            <span className="two grow">
              {alarmText(alarm)}
              <small>
                <Ago iso={alarm.since} />
              </small>
              <ToPlace alarm={alarm} />
            </span>
            {alarm.code === toConfirm && <ConfirmVault keysRefused={toConfirm === 'keys_refused'} />}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** To the page where the alarm is mended, if there is one. */
function ToPlace({ alarm }: { alarm: Alarm }) {
  const { t } = useTranslation();
  const place = alarmPlace(alarm);
  if (place === null) return null;
  return (
    <Link href={place} className="touch">
      {t('egress.open')}
    </Link>
  );
}
