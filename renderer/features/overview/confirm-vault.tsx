import { Button, Checkbox } from '@mantine/core';
import { useState } from 'react';
import { Trans, useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { Alarm } from '#common/model/records.ts';
import { useConfirmVault } from '#api/queries.ts';
import { Dialog } from '#ui/dialog.tsx';
import { ErrorNote } from '#ui/error-note.tsx';
import { Note } from '#ui/note.tsx';

/** The alarm that asks for the confirmation: one button, though an older vault may raise two. */
export function alarmToConfirm(alarms: readonly Alarm[]): string | undefined {
  return ['keys_refused', 'vault_rolled_back'].find((code) => alarms.some((alarm) => alarm.code === code));
}

/** For whoever has the permission `access_settings`. */
export function ConfirmVault({ keysRefused }: { keysRefused: boolean }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t('overview.vault.confirm')}</Button>
      {open && <ConfirmVaultDialog keysRefused={keysRefused} onClose={() => setOpen(false)} />}
    </>
  );
}

/** What becomes valid, the look that comes first, a tick, then the act. */
function ConfirmVaultDialog({ keysRefused, onClose }: { keysRefused: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const confirm = useConfirmVault();
  const [ticked, setTicked] = useState(false);
  return (
    <Dialog
      title={t('overview.vault.title')}
      onDismiss={onClose}
      foot={
        <>
          <span className="grow" />
          <Button data-autofocus onClick={onClose}>
            {t('overview.vault.leave')}
          </Button>
          <Button
            variant="danger"
            disabled={!ticked}
            loading={confirm.isPending}
            onClick={() => confirm.mutate(undefined, { onSuccess: onClose })}
          >
            {t('overview.vault.confirm')}
          </Button>
        </>
      }
    >
      <p>{keysRefused ? t('overview.vault.keysReturn') : t('overview.vault.alarmEnds')}</p>
      <Note>
        <p>
          <Trans t={t} i18nKey="overview.vault.look" components={{ a: <Link href="/settings" /> }} />
        </p>
      </Note>
      <Checkbox
        checked={ticked}
        onChange={(event) => setTicked(event.currentTarget.checked)}
        label={t('overview.vault.tick')}
      />
      {confirm.isError && <ErrorNote error={confirm.error} />}
    </Dialog>
  );
}
