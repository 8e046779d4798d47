import { Button, Checkbox } from '@mantine/core';
import { useState } from 'react';
import { Trans, useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { Alarm } from '#common/model/records.ts';
import { useConfirmVault } from '#api/queries.ts';
import { Dialog } from '#ui/dialog.tsx';
import { ErrorNote } from '#ui/error-note.tsx';
import { Note } from '#ui/note.tsx';

const VAULT_CODES = ['keys_refused', 'vault_rolled_back'];
const STORES_CODES = ['store_lost', 'changes_unreadable'];

/** The alarms that need the confirmation: one of an older vault, which may raise two, and one of lost data. */
export function alarmsToConfirm(alarms: readonly Alarm[]): string[] {
  return [VAULT_CODES, STORES_CODES].flatMap(
    (codes) => codes.find((code) => alarms.some((alarm) => alarm.code === code)) ?? [],
  );
}

function partOf(alarm: string): 'stores' | 'vault' {
  return STORES_CODES.includes(alarm) ? 'stores' : 'vault';
}

interface ConfirmVaultProps {
  /** The code of the alarm beside the button. */
  alarm: string;
  /** The codes of all alarms that the confirmation clears. */
  alarms: readonly string[];
}

/** For users with the permission `access_settings`. */
export function ConfirmVault(props: ConfirmVaultProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t(`overview.${partOf(props.alarm)}.confirm`)}</Button>
      {open && <ConfirmVaultDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

/** For each alarm that is cleared: what becomes valid or is lost, the necessary checks, a checkbox. Then the action. */
function ConfirmVaultDialog({ alarm, alarms, onClose }: ConfirmVaultProps & { onClose: () => void }) {
  const { t } = useTranslation();
  const part = partOf(alarm);
  const confirm = useConfirmVault();
  const [ticked, setTicked] = useState<readonly string[]>([]);
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
            disabled={!alarms.every((code) => ticked.includes(code))}
            loading={confirm.isPending}
            onClick={() => confirm.mutate(undefined, { onSuccess: onClose })}
          >
            {t(`overview.${part}.confirm`)}
          </Button>
        </>
      }
    >
      {alarms.map((code) => (
        <Confirmation
          key={code}
          alarm={code}
          checked={ticked.includes(code)}
          onCheck={(checked) => setTicked(checked ? [...ticked, code] : ticked.filter((one) => one !== code))}
        />
      ))}
      {confirm.isError && <ErrorNote error={confirm.error} />}
    </Dialog>
  );
}

function Confirmation({
  alarm,
  checked,
  onCheck,
}: {
  alarm: string;
  checked: boolean;
  onCheck: (checked: boolean) => void;
}) {
  const { t } = useTranslation();
  const part = partOf(alarm);
  return (
    <>
      <p>{alarm === 'keys_refused' ? t('overview.vault.keysReturn') : t(`overview.${part}.alarmEnds`)}</p>
      <Note>
        <p>
          <Trans t={t} i18nKey={`overview.${part}.look`} components={{ a: <Link href="/settings" /> }} />
        </p>
      </Note>
      <Checkbox
        checked={checked}
        onChange={(event) => onCheck(event.currentTarget.checked)}
        label={t(`overview.${part}.tick`)}
      />
    </>
  );
}
