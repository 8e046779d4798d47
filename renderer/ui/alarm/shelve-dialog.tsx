import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SHELF_DAYS_MAX } from '#common/alarms/severity.ts';
import type { Alarm } from '#common/model/records.ts';
import { useShelveAlarm } from '#api/alarm-queries.ts';
import { FormDialog } from '../form-dialog.tsx';
import { TextField } from '../form-fields.tsx';
import { Segments } from '../segments.tsx';
import { AlarmLine, NoteField } from './alarm-line.tsx';
import { type ShelfChoice, shelfChoices, shelfEnd } from './shelf-end.ts';

export function ShelveDialog({ alarm, onClose }: { alarm: Alarm; onClose: () => void }) {
  const { t } = useTranslation();
  const shelve = useShelveAlarm();
  const [choice, setChoice] = useState<ShelfChoice>('1h');
  const [day, setDay] = useState('');
  const [note, setNote] = useState('');
  const [isMissing, setMissing] = useState(false);
  const submit = () => {
    const until = shelfEnd(alarm.code, choice, day, new Date());
    setMissing(until === null);
    if (until !== null) shelve.mutate({ code: alarm.code, until, note }, { onSuccess: onClose });
  };
  return (
    <FormDialog
      title={t('alarms.shelve.title')}
      act={t('alarms.shelve.act')}
      call={shelve}
      onSubmit={submit}
      onClose={onClose}
    >
      <AlarmLine alarm={alarm} />
      <p className="t2">{t('alarms.shelve.lead')}</p>
      <Segments
        label={t('alarms.shelve.for')}
        value={choice}
        options={shelfChoices(alarm.code).map((value) => ({ value, label: t(`alarms.shelve.choice.${value}`) }))}
        onChange={setChoice}
      />
      {choice === 'date' && (
        <TextField
          label={t('alarms.shelve.day')}
          type="date"
          value={day}
          onChange={setDay}
          fault={isMissing ? t('alarms.shelve.dayWrong', { days: SHELF_DAYS_MAX }) : null}
        />
      )}
      <NoteField value={note} onChange={setNote} />
    </FormDialog>
  );
}
