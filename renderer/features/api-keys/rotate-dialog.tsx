import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { KeyRecord } from '#common/model/records.ts';
import { useRotateKey, type NewKey } from '#api/queries.ts';
import { Dialog } from '#ui/dialog.tsx';
import { ErrorNote } from '#ui/error-note.tsx';

interface Props {
  record: KeyRecord;
  onMade: (made: NewKey) => void;
  onClose: () => void;
}

/** Creates the successor. Nothing stops; the user revokes the old key once it is no longer used. */
export function RotateDialog({ record, onMade, onClose }: Props) {
  const { t } = useTranslation();
  const rotate = useRotateKey();
  return (
    <Dialog
      title={t('keys.rotateTitle', { name: record.name })}
      onDismiss={onClose}
      foot={
        <>
          <span className="grow" />
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button
            variant="filled"
            data-autofocus
            loading={rotate.isPending}
            onClick={() => rotate.mutate(record, { onSuccess: onMade })}
          >
            {t('keys.rotateSubmit')}
          </Button>
        </>
      }
    >
      <p>{t('keys.rotateText')}</p>
      {rotate.isError && <ErrorNote error={rotate.error} />}
    </Dialog>
  );
}
