import { useTranslation } from 'react-i18next';
import { ALARM_NOTE_CHARS_MAX } from '#common/alarms/severity.ts';
import type { Alarm } from '#common/model/records.ts';
import { TextField } from '../form-fields.tsx';
import { Shape } from '../shape.tsx';
import { useAlarmWords } from './alarm-words.ts';

/** Title and place, with the shape of the severity. */
export function AlarmLine({ alarm }: { alarm: Pick<Alarm, 'code' | 'text' | 'values' | 'phrases' | 'severity'> }) {
  const { t } = useTranslation();
  const { title, place } = useAlarmWords()(alarm);
  return (
    <p className="row top">
      <Shape name={alarm.severity} label={t(`alarmKind.${alarm.severity}`)} />
      <span>
        <b>{title}</b>
        {place !== '' && `: ${place}`}
      </span>
    </p>
  );
}

interface NoteProps {
  value: string;
  onChange: (value: string) => void;
  first?: boolean;
}

export function NoteField({ value, onChange, first = false }: NoteProps) {
  const { t } = useTranslation();
  return (
    <TextField
      label={t('alarms.note')}
      help={t('alarms.noteHelp')}
      value={value}
      onChange={(text) => onChange(text.slice(0, ALARM_NOTE_CHARS_MAX))}
      first={first}
    />
  );
}
