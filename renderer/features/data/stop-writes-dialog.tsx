import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { STOP_REASON_CHARS_MAX } from '#common/model/write-stop.ts';
import { useStopWrites } from '#api/data-queries.ts';
import { useConnectionChoices } from '#api/definition-queries.ts';
import { FormDialog } from '#ui/form-dialog.tsx';
import { ChoiceField, TextField } from '#ui/form-fields.tsx';

const HOURS = ['1', '8', '24'] as const;
const HOUR_MS = 3_600_000;
const DEVICES: readonly string[] = ['opcua', 'modbus', 'mqtt'];

/** Stops the writes to the tags of a project or of one device. */
export function StopWritesDialog({ project, onClose }: { project: string; onClose: () => void }) {
  const { t } = useTranslation();
  const stop = useStopWrites(project);
  const devices = useConnectionChoices(project).data?.filter(({ settings }) => DEVICES.includes(settings.kind)) ?? [];
  const [device, setDevice] = useState('');
  const [reason, setReason] = useState('');
  const [hours, setHours] = useState('8');
  const [asked, setAsked] = useState(false);
  const given = reason.trim();
  const isRight = given !== '' && given.length <= STOP_REASON_CHARS_MAX;
  const submit = () => {
    setAsked(true);
    const until = hours === '' ? null : new Date(Date.now() + Number(hours) * HOUR_MS).toISOString();
    if (isRight) stop.mutate({ device: device === '' ? null : device, reason: given, until }, { onSuccess: onClose });
  };
  return (
    <FormDialog
      title={t('writeStop.title', { project })}
      act={t('writeStop.act')}
      call={stop}
      shownFields={['reason']}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>{t('writeStop.lead')}</p>
      <TextField
        label={t('writeStop.reason')}
        help={t('writeStop.reasonHelp')}
        value={reason}
        onChange={setReason}
        fault={asked && !isRight ? t('writeStop.reasonMissing') : null}
        first
      />
      <ChoiceField
        label={t('writeStop.of')}
        value={device}
        options={[
          { value: '', label: t('writeStop.all') },
          ...devices.map(({ id }) => ({ value: id, label: t('writeStop.device', { device: id }) })),
        ]}
        onChange={setDevice}
      />
      <ChoiceField
        label={t('writeStop.until')}
        value={hours}
        options={[
          ...HOURS.map((value) => ({ value, label: t(`writeStop.ends.${value}`) })),
          { value: '', label: t('writeStop.ends.none') },
        ]}
        onChange={setHours}
      />
    </FormDialog>
  );
}
