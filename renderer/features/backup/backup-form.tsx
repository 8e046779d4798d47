import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { errorBesides, fieldFault } from '#api/field-fault.ts';
import { useMakeBackup } from '#api/backup-queries.ts';
import { ErrorNote } from '#ui/error-note.tsx';
import { NoticeLine, type Notice } from '#ui/notice-line.tsx';
import { Panel } from '#ui/panel.tsx';
import { PasswordField } from '#ui/password-field.tsx';
import { bytesText } from '#ui/quantity.ts';
import { saveFile } from '#ui/save-file.ts';

const PASSPHRASE_CHARS_MIN = 12;
const EMPTY = { passphrase: '', again: '' };

export function BackupForm() {
  const { t } = useTranslation();
  const { make, bytes, begin, cancel, notice, setNotice } = useBackup();
  const [input, setInput] = useState(EMPTY);
  const [asked, setAsked] = useState(false);
  const short = input.passphrase.length < PASSPHRASE_CHARS_MIN;
  const differs = input.again !== input.passphrase;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
    if (short || differs) return;
    begin(input.passphrase, () => {
      setInput(EMPTY);
      setAsked(false);
    });
  };
  const error = errorBesides(make.error, ['passphrase']);
  return (
    <Panel title={t('backup.make.title')}>
      <form onSubmit={submit} noValidate className="stack body">
        <p>{t('backup.make.lead')}</p>
        <PasswordField
          label={t('backup.make.passphrase')}
          help={t('backup.make.passphraseHelp')}
          fault={
            asked && short
              ? t('backup.make.short', { count: input.passphrase.length })
              : fieldFault(make.error, 'passphrase')
          }
          value={input.passphrase}
          onChange={(passphrase) => setInput({ ...input, passphrase })}
        />
        <PasswordField
          label={t('backup.make.again')}
          fault={asked && !short && differs ? t('backup.make.differs') : null}
          value={input.again}
          onChange={(again) => setInput({ ...input, again })}
        />
        <div className="row wrap">
          <Button type="submit" variant="filled" disabled={make.isPending}>
            {t('backup.make.submit')}
          </Button>
          {make.isPending && <Progress bytes={bytes} onCancel={cancel} />}
        </div>
        <NoticeLine notice={notice} onClose={() => setNotice(null)} />
        {make.isError && error !== null && !cancelled(make.error) && (
          <ErrorNote error={error} title={t('backup.make.failed')} />
        )}
      </form>
    </Panel>
  );
}

const cancelled = (error: Error): boolean => error.name === 'AbortError';

function Progress({ bytes, onCancel }: { bytes: number; onCancel: () => void }) {
  const { t, i18n } = useTranslation();
  return (
    <>
      <Button onClick={onCancel}>{t('backup.make.cancel')}</Button>
      <output className="t2">{t('backup.make.running', { bytes: bytesText(bytes, i18n.language) })}</output>
    </>
  );
}

function useBackup() {
  const { t, i18n } = useTranslation();
  const client = useQueryClient();
  const make = useMakeBackup();
  const [bytes, setBytes] = useState(0);
  const [notice, setNotice] = useState<Notice | null>(null);
  const abort = useRef<AbortController | null>(null);
  // The backup is cancelled when its page is left.
  useEffect(() => () => abort.current?.abort(), []);
  const begin = (passphrase: string, onDone: () => void) => {
    const controller = new AbortController();
    abort.current = controller;
    setBytes(0);
    setNotice(null);
    make.mutate(
      { passphrase, signal: controller.signal, onBytes: setBytes },
      {
        onSuccess: ({ name, content }) => {
          saveFile(name, content);
          const size = bytesText(content.size, i18n.language);
          setNotice({ kind: 'done', text: t('backup.make.done', { name, bytes: size }) });
          onDone();
          void client.invalidateQueries({ queryKey: ['last-backup'] });
        },
      },
    );
  };
  return { make, bytes, begin, cancel: () => abort.current?.abort(), notice, setNotice };
}
