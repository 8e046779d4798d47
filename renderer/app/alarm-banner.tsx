import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useRoute } from 'wouter';
import { alarmKind, alarmPlace, sortedAlarms } from '../api/alarm-kind.ts';
import { useAcknowledgeAlarm, useStatus } from '../api/queries.ts';
import { usePermission } from '../api/session.ts';
import { useAlarmText } from '../ui/alarm-text.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { Shape } from '../ui/shape.tsx';
import { Ago } from '../ui/time.tsx';

/**
 * The newest alarm that asks to act now and that nobody has acknowledged, on every page but the editor, where the
 * counts in the bar and the badges of the nodes tell of it.
 */
export function AlarmBanner() {
  const { t } = useTranslation();
  const [path] = useLocation();
  const [drawing, drawn] = useRoute('/pipelines/:project/:pipeline');
  const alarmText = useAlarmText();
  const mayAcknowledge = usePermission('run_pipelines');
  const acknowledge = useAcknowledgeAlarm();
  const alarms = useStatus().data?.alarms ?? [];
  const newest = sortedAlarms(alarms).find((alarm) => alarmKind(alarm) === 'alarm' && alarm.acknowledgedAt === null);
  if (newest === undefined || (drawing && drawn !== null)) return null;
  const place = alarmPlace(newest);
  return (
    <div className="banner" role="alert">
      <Shape name="alarm" blink />
      <p className="grow">
        <b>{alarmText(newest)}</b>
      </p>
      <Ago iso={newest.since} />
      {acknowledge.isError && <ErrorNote error={acknowledge.error} />}
      {place !== null && place.href !== path && (
        <Button component={Link} href={place.href}>
          {t(`bar.open.${place.page}`)}
        </Button>
      )}
      {mayAcknowledge && (
        <Button onClick={() => acknowledge.mutate(newest.code)} loading={acknowledge.isPending}>
          {t('bar.acknowledge')}
        </Button>
      )}
    </div>
  );
}
