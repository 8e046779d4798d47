import { Button } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { KeyRecord } from '#common/model/records.ts';
import { usePauseKey } from '#api/key-queries.ts';
import { Dialog } from '#ui/dialog.tsx';
import { ErrorNote } from '#ui/error-note.tsx';
import { TextField } from '#ui/form-fields.tsx';

/** Refuses a key for a while, with a reason. */
export function PauseDialog({ record, onClose }: { record: KeyRecord; onClose: () => void }) {
  const { t } = useTranslation();
  const pause = usePauseKey();
  const [reason, setReason] = useState('');
  const [asked, setAsked] = useState(false);
  const given = reason.trim();
  const isRight = given !== '' && given.length <= 200;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
    if (isRight) pause.mutate({ record, reason: given }, { onSuccess: onClose });
  };
  return (
    <Dialog
      title={t('keyLimits.pauseTitle', { name: record.name })}
      onDismiss={onClose}
      typed
      foot={
        <>
          <span className="grow" />
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button type="submit" form="pause-key" variant="filled" loading={pause.isPending}>
            {t('keyLimits.pause')}
          </Button>
        </>
      }
    >
      <form id="pause-key" onSubmit={submit} noValidate className="stack">
        <p>{t('keyLimits.pauseText')}</p>
        <TextField
          label={t('keyLimits.reason')}
          help={t('keyLimits.reasonHelp')}
          value={reason}
          onChange={setReason}
          fault={asked && !isRight ? t('keyLimits.reasonMissing') : null}
          first
        />
        {pause.isError && <ErrorNote error={pause.error} />}
      </form>
    </Dialog>
  );
}
