import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { Alarm, StatusRecord } from '#common/model/records.ts';
import { alarmKind, alarmPlace, sortedAlarms } from '#api/alarm-kind.ts';
import { usePermission } from '#api/session.ts';
import { useAlarmText } from '#ui/alarm-text.ts';
import { Panel } from '#ui/panel.tsx';
import { Shape } from '#ui/shape.tsx';
import { Ago } from '#ui/time.tsx';
import { alarmsToConfirm, ConfirmVault } from './confirm-vault.tsx';

/** Every active alarm, the most urgent first, each with a link to its remedy. */
export function AttentionPanel({ status }: { status: StatusRecord }) {
  const { t } = useTranslation();
  const alarms = sortedAlarms(status.alarms);
  const maySettings = usePermission('access_settings');
  const toConfirm = maySettings ? alarmsToConfirm(alarms) : [];
  return (
    <Panel title={t('overview.attention')} side={<span className="t2">{alarms.length}</span>}>
      {alarms.length === 0 && <p className="body t2">{t('overview.calm')}</p>}
      <ul className="list">
        {alarms.map((alarm) => (
          <li key={alarm.code}>
            <Shape name={alarmKind(alarm)} label={t(`alarmKind.${alarmKind(alarm)}`)} />
            <AlarmNote alarm={alarm}>
              {toConfirm.includes(alarm.code) && <ConfirmVault alarm={alarm.code} alarms={toConfirm} />}
            </AlarmNote>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** `children`: its button, below the text, because the column is narrow. */
function AlarmNote({ alarm, children }: { alarm: Alarm; children: ReactNode }) {
  const { t } = useTranslation();
  const alarmText = useAlarmText();
  const place = alarmPlace(alarm);
  return (
    <span className="two grow">
      {alarmText(alarm)}
      <small>
        <Ago iso={alarm.since} />
        {alarm.acknowledgedBy !== null && `, ${t('overviewPage.acknowledgedBy', { name: alarm.acknowledgedBy })}`}
      </small>
      {place !== null && (
        <Link href={place.href} className="touch">
          {t(`bar.open.${place.page}`)}
        </Link>
      )}
      {children !== false && <span className="attention-act">{children}</span>}
    </span>
  );
}
