import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { KeyRecord } from '#common/model/records.ts';
import { usePauseKey } from '#api/key-queries.ts';
import { FormDialog } from '#ui/form-dialog.tsx';
import { TextField } from '#ui/form-fields.tsx';

const REASON_CHARS_MAX = 200;

/** Refuses a key for a while, with a reason. */
export function PauseDialog({ record, onClose }: { record: KeyRecord; onClose: () => void }) {
  const { t } = useTranslation();
  const pause = usePauseKey();
  const [reason, setReason] = useState('');
  const [asked, setAsked] = useState(false);
  const given = reason.trim();
  const isRight = given !== '' && given.length <= REASON_CHARS_MAX;
  const submit = () => {
    setAsked(true);
    if (isRight) pause.mutate({ record, reason: given }, { onSuccess: onClose });
  };
  return (
    <FormDialog
      title={t('keyLimits.pauseTitle', { name: record.name })}
      act={t('keyLimits.pause')}
      call={pause}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>{t('keyLimits.pauseText')}</p>
      <TextField
        label={t('keyLimits.reason')}
        help={t('keyLimits.reasonHelp')}
        value={reason}
        onChange={setReason}
        fault={asked && !isRight ? t('keyLimits.reasonMissing') : null}
        first
      />
    </FormDialog>
  );
}
