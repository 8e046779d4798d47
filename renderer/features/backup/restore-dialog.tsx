import { useEffect, useRef, useState, type FormEvent } from 'react';
import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { RESTORE_BYTES_MAX, type RestorePreview } from '#common/model/restore.ts';
import { leaveFrontNote } from '#api/front-note.ts';
import { fieldFault } from '#api/field-fault.ts';
import { useStatus } from '#api/queries.ts';
import { cancelRestore, useApplyRestore, useCheckBackup, useUploadBackup } from '#api/restore-queries.ts';
import { refreshSession } from '#api/session.ts';
import { Dialog } from '#ui/dialog.tsx';
import { DialogFoot } from '#ui/dialog-foot.tsx';
import { ErrorNote } from '#ui/error-note.tsx';
import { dayAndTime } from '#ui/format.ts';
import { TextField } from '#ui/form-fields.tsx';
import { Note } from '#ui/note.tsx';
import { PasswordField } from '#ui/password-field.tsx';
import { PickFile } from '#ui/pick-file.tsx';
import { ProgressLine } from '#ui/progress-line.tsx';
import { bytesText } from '#ui/quantity.ts';
import { RestoreEffects } from './restore-effects.tsx';

type Step =
  | { kind: 'file' }
  | { kind: 'passphrase'; upload: string }
  | { kind: 'confirm'; upload: string; preview: RestorePreview }
  | { kind: 'waiting' };

/** File, passphrase, effects, confirmation; then it waits until Sluice answers again. */
export function RestoreDialog({ onClose }: { onClose: () => void }) {
  const [step, setStep] = useState<Step>({ kind: 'file' });
  const close = () => {
    if ('upload' in step) cancelRestore(step.upload);
    onClose();
  };
  switch (step.kind) {
    case 'file':
      return <FileStep onClose={close} onUploaded={(upload) => setStep({ kind: 'passphrase', upload })} />;
    case 'passphrase':
      return (
        <PassphraseStep
          upload={step.upload}
          onClose={close}
          onChecked={(preview) => setStep({ ...step, kind: 'confirm', preview })}
        />
      );
    case 'confirm':
      return <ConfirmStep {...step} onClose={close} onApplied={() => setStep({ kind: 'waiting' })} />;
    case 'waiting':
      return <Waiting />;
  }
}

function FileStep({ onClose, onUploaded }: { onClose: () => void; onUploaded: (upload: string) => void }) {
  const { t, i18n } = useTranslation();
  const upload = useUploadBackup();
  const [file, setFile] = useState<File | null>(null);
  const [sent, setSent] = useState(0);
  const abort = useRef<AbortController | null>(null);
  useEffect(() => () => abort.current?.abort(), []);
  const bytes = (value: number) => bytesText(value, i18n.language);
  const isTooLarge = file !== null && file.size > RESTORE_BYTES_MAX;
  const pick = (picked: File) => {
    setFile(picked);
    setSent(0);
    if (picked.size > RESTORE_BYTES_MAX) return;
    const { signal } = (abort.current = new AbortController());
    upload.mutate({ file: picked, signal, onBytes: setSent }, { onSuccess: onUploaded });
  };
  return (
    <Dialog
      title={t('backup.restore.title')}
      onDismiss={onClose}
      typed={upload.isPending}
      foot={<DialogFoot keep={t('backup.restore.cancel')} onKeep={onClose} />}
    >
      <p>{t('backup.restore.lead')}</p>
      <PickFile label={t('backup.restore.pick')} accept=".backup" pending={upload.isPending} onPick={pick} />
      {isTooLarge && (
        <Note
          kind="error"
          title={t('backup.restore.tooLarge', { bytes: bytes(file.size), max: bytes(RESTORE_BYTES_MAX) })}
        />
      )}
      {upload.isPending && file !== null && (
        <ProgressLine
          label={file.name}
          done={sent}
          of={file.size}
          text={t('backup.restore.sent', { done: bytes(sent), of: bytes(file.size), left: bytes(file.size - sent) })}
        />
      )}
      {upload.isError && <ErrorNote error={upload.error} title={t('backup.restore.checkFailed')} />}
    </Dialog>
  );
}

interface PassphraseProps {
  upload: string;
  onClose: () => void;
  onChecked: (preview: RestorePreview) => void;
}

function PassphraseStep({ upload, onClose, onChecked }: PassphraseProps) {
  const { t } = useTranslation();
  const check = useCheckBackup();
  const [passphrase, setPassphrase] = useState('');
  const isWrong = fieldFault(check.error, 'passphrase') !== null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    check.mutate({ upload, passphrase }, { onSuccess: onChecked });
  };
  return (
    <Dialog
      title={t('backup.restore.title')}
      onDismiss={onClose}
      typed
      foot={
        <DialogFoot keep={t('backup.restore.cancel')} onKeep={onClose}>
          <Button type="submit" form="restore-check" variant="filled" loading={check.isPending}>
            {t('backup.restore.check')}
          </Button>
        </DialogFoot>
      }
    >
      <form id="restore-check" onSubmit={submit} noValidate className="stack">
        <PasswordField
          label={t('backup.restore.passphrase')}
          fault={isWrong ? t('backup.restore.wrongPassphrase') : null}
          value={passphrase}
          onChange={setPassphrase}
        />
        {check.isPending && <output className="t2">{t('backup.restore.checking')}</output>}
        {check.isError && !isWrong && <ErrorNote error={check.error} title={t('backup.restore.checkFailed')} />}
      </form>
    </Dialog>
  );
}

interface ConfirmProps {
  upload: string;
  preview: RestorePreview;
  onClose: () => void;
  onApplied: () => void;
}

function ConfirmStep({ upload, preview, onClose, onApplied }: ConfirmProps) {
  const { t, i18n } = useTranslation();
  const apply = useApplyRestore();
  const name = useStatus().data?.machine.name;
  const [typed, setTyped] = useState('');
  const begin = () =>
    apply.mutate(
      { upload, machine: typed },
      {
        onSuccess: () => {
          const time = dayAndTime(new Date(preview.createdAt), i18n.language);
          leaveFrontNote(t('backup.restore.back', { time }));
          onApplied();
        },
      },
    );
  return (
    <Dialog
      title={t('backup.restore.facts.title')}
      onDismiss={onClose}
      typed
      wide
      foot={
        <DialogFoot keep={t('backup.restore.cancel')} onKeep={onClose}>
          <Button variant="danger" disabled={typed !== name} loading={apply.isPending} onClick={begin}>
            {t('backup.restore.apply')}
          </Button>
        </DialogFoot>
      }
    >
      <RestoreEffects preview={preview} here={name ?? ''} />
      <TextField label={t('backup.restore.confirm', { name })} value={typed} onChange={setTyped} mono />
      {apply.isError && <ErrorNote error={apply.error} title={t('backup.restore.applyFailed')} />}
    </Dialog>
  );
}

const LOOK_MS = 1_000;

/** All sessions end with the host: the first answer of the new one opens the log-in page. */
function Waiting() {
  const { t } = useTranslation();
  const client = useQueryClient();
  useEffect(() => {
    const timer = setInterval(() => void refreshSession(client).catch(() => undefined), LOOK_MS);
    return () => clearInterval(timer);
  }, [client]);
  return (
    <Dialog title={t('backup.restore.title')} foot={null}>
      <output>{t('backup.restore.waiting')}</output>
    </Dialog>
  );
}
