import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Alarm } from '#common/model/records.ts';
import { useAcknowledgeAlarm } from '#api/alarm-queries.ts';
import { FormDialog } from '../form-dialog.tsx';
import { AlarmLine, NoteField } from './alarm-line.tsx';

export function AcknowledgeDialog({ alarm, onClose }: { alarm: Alarm; onClose: () => void }) {
  const { t } = useTranslation();
  const acknowledge = useAcknowledgeAlarm();
  const [note, setNote] = useState('');
  return (
    <FormDialog
      title={t('alarms.acknowledge.title')}
      act={t('alarms.acknowledge.act')}
      call={acknowledge}
      onSubmit={() => acknowledge.mutate({ code: alarm.code, note }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <AlarmLine alarm={alarm} />
      <NoteField value={note} onChange={setNote} first />
    </FormDialog>
  );
}
