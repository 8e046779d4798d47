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
  return ['keys_refused', 'vault_rolled_back', 'store_lost'].find((code) =>
    alarms.some((alarm) => alarm.code === code),
  );
}

function partOf(alarm: string): 'stores' | 'vault' {
  return alarm === 'store_lost' ? 'stores' : 'vault';
}

/** For users with the permission `access_settings`. `alarm`: the code of the alarm that it ends. */
export function ConfirmVault({ alarm }: { alarm: string }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t(`overview.${partOf(alarm)}.confirm`)}</Button>
      {open && <ConfirmVaultDialog alarm={alarm} onClose={() => setOpen(false)} />}
    </>
  );
}

/** The keys that become valid, the checks that come first, a checkbox, then the action. */
function ConfirmVaultDialog({ alarm, onClose }: { alarm: string; onClose: () => void }) {
  const { t } = useTranslation();
  const part = partOf(alarm);
  const confirm = useConfirmVault();
  const [ticked, setTicked] = useState(false);
  return (
    <Dialog
      title={t(`overview.${part}.title`)}
      onDismiss={onClose}
      foot={
        <>
          <span className="grow" />
          <Button data-autofocus onClick={onClose}>
            {t(`overview.${part}.leave`)}
          </Button>
          <Button
            variant="danger"
            disabled={!ticked}
            loading={confirm.isPending}
            onClick={() => confirm.mutate(undefined, { onSuccess: onClose })}
          >
            {t(`overview.${part}.confirm`)}
          </Button>
        </>
      }
    >
      <p>{alarm === 'keys_refused' ? t('overview.vault.keysReturn') : t(`overview.${part}.alarmEnds`)}</p>
      <Note>
        <p>
          <Trans t={t} i18nKey={`overview.${part}.look`} components={{ a: <Link href="/settings" /> }} />
        </p>
      </Note>
      <Checkbox
        checked={ticked}
        onChange={(event) => setTicked(event.currentTarget.checked)}
        label={t(`overview.${part}.tick`)}
      />
      {confirm.isError && <ErrorNote error={confirm.error} />}
    </Dialog>
  );
}
