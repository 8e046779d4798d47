import { Button, Menu } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { Alarm } from '#common/model/records.ts';
import { alarmPlace } from '#api/alarm-kind.ts';
import { useAcknowledgeAlarm } from '#api/alarm-queries.ts';
import { usePermission } from '#api/session.ts';
import { dialogPart } from '../part/dialog-part.tsx';
import { ErrorNote } from '../error-note.tsx';
import { RowMenu } from '../row-menu.tsx';
import { useAlarmWords } from './alarm-words.ts';

const AcknowledgeDialog = dialogPart(
  (t) => t('alarms.acknowledge.title'),
  async () => (await import('./acknowledge-dialog.tsx')).AcknowledgeDialog,
);
const ShelveDialog = dialogPart(
  (t) => t('alarms.shelve.title'),
  async () => (await import('./shelve-dialog.tsx')).ShelveDialog,
);

/** The way to the remedy, for users who may open it; for others, who can. */
export function RemedyLink({ alarm }: { alarm: Alarm }) {
  const { t } = useTranslation();
  const mayEdit = usePermission('edit_pipelines');
  const mayRun = usePermission('run_pipelines');
  const place = alarmPlace(alarm, mayEdit && mayRun);
  const may = usePermission(place?.needs ?? 'view');
  if (place === null) return null;
  if (!may) return <span className="t2">{t('alarms.askAdministrator')}</span>;
  return (
    <Link href={place.href} className="touch">
      {t(`alarms.open.${place.page}`)}
    </Link>
  );
}

/** Acknowledge at once, or with a note, or shelve. `inMenu`: all of it. Needs `run_pipelines`. */
export function AlarmActs({ alarm, inMenu = false }: { alarm: Alarm; inMenu?: boolean }) {
  const { t } = useTranslation();
  const words = useAlarmWords();
  const may = usePermission('run_pipelines');
  const acknowledge = useAcknowledgeAlarm();
  const [asking, setAsking] = useState<'note' | 'shelf' | null>(null);
  if (!may) return null;
  const isNew = alarm.acknowledgedAt === null;
  const acknowledgeNow = () => acknowledge.mutate({ code: alarm.code });
  return (
    <>
      <span className="row">
        {isNew && !inMenu && (
          <Button onClick={acknowledgeNow} loading={acknowledge.isPending}>
            {t('alarms.acknowledge.act')}
          </Button>
        )}
        <RowMenu label={t('alarms.more', { title: words(alarm).title })}>
          {isNew && inMenu && <Menu.Item onClick={acknowledgeNow}>{t('alarms.acknowledge.act')}</Menu.Item>}
          {isNew && <Menu.Item onClick={() => setAsking('note')}>{t('alarms.acknowledge.withNote')}</Menu.Item>}
          <Menu.Item onClick={() => setAsking('shelf')}>{t('alarms.shelveMenu')}</Menu.Item>
        </RowMenu>
      </span>
      {acknowledge.isError && <ErrorNote error={acknowledge.error} />}
      {asking === 'note' && <AcknowledgeDialog alarm={alarm} onClose={() => setAsking(null)} />}
      {asking === 'shelf' && <ShelveDialog alarm={alarm} onClose={() => setAsking(null)} />}
    </>
  );
}
