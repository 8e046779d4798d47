import { Button } from '@mantine/core';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { errorBesides } from '#api/field-fault.ts';
import { useChangeSettings, type ShownSettings } from '#api/settings-queries.ts';
import { ErrorNote } from '#ui/error-note.tsx';
import { useLeaveGuard } from '#ui/leave-guard.tsx';
import { NoticeLine, type Notice } from '#ui/notice-line.tsx';
import { Panel } from '#ui/panel.tsx';
import { CertificatePanel } from './certificate-panel.tsx';
import { JournalFigure } from './journal-figure.tsx';
import { MoveDialog } from './move-dialog.tsx';
import { PlainHttp } from './plain-http.tsx';
import { ADDRESS_FIELDS, changesOf, isAsked, type Draft } from './setting-changes.ts';
import { SettingInput } from './setting-input.tsx';
import { FIELDS, SECTIONS, type SettingField, type SettingName } from './setting-fields.ts';

/** All settings as one form; only what was changed is sent. */
export function SettingsForm({ settings }: { settings: ShownSettings }) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState<Draft>({});
  const { patch, noNumber } = changesOf(settings, draft);
  const { save, ask, begin, dismiss, notice, setNotice } = useSave(patch, () => setDraft({}));
  const form = useFaultInSight(save.error);
  const count = Object.keys(patch).length;
  const { question } = useLeaveGuard(count + noNumber.length > 0);
  const change = (name: SettingName, value: string | null | undefined) => {
    const { [name]: _gone, ...rest } = draft;
    setDraft(value === undefined ? rest : { ...rest, [name]: value });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (count > 0 && noNumber.length === 0) begin();
  };
  const field = (one: SettingField) => (
    <SettingInput
      key={one.name}
      field={one}
      settings={settings}
      draft={draft}
      noNumber={noNumber.includes(one.name)}
      error={save.error}
      onChange={(value) => change(one.name, value)}
    />
  );
  return (
    <form ref={form} onSubmit={submit} noValidate className="stack settings-form">
      <NoticeLine notice={notice} onClose={() => setNotice(null)} />
      {SECTIONS.map(({ id, fields }) => (
        <Panel key={id} title={t(`gatewayPage.section.${id}`)}>
          <div className="body setting-grid">
            {fields.filter(({ name }) => isAsked(settings, draft, name)).map(field)}
            {id === 'tls' && (
              <>
                {(settings.tls === 'off' || settings.plainHttpPort !== null) && (
                  <PlainHttp beside={settings.tls !== 'off'} />
                )}
                <CertificatePanel settings={settings} onNotice={setNotice} />
              </>
            )}
            {id === 'journal' && <JournalFigure settings={settings} draft={draft} />}
          </div>
        </Panel>
      ))}
      {(count > 0 || noNumber.length > 0) && (
        <div className="save-bar">
          <div className="grow">
            <b>{t('gatewayPage.changes', { count: count + noNumber.length })}</b>{' '}
            <span className="t2">{t('gatewayPage.atOnce')}</span>
            {errorBesides(save.error, NAMES) !== null && (
              <ErrorNote error={save.error} title={t('gatewayPage.failed')} />
            )}
          </div>
          <Button onClick={() => setDraft({})}>{t('gatewayPage.discard')}</Button>
          <Button type="submit" variant="filled" loading={save.isPending} disabled={noNumber.length > 0}>
            {t('gatewayPage.save')}
          </Button>
        </div>
      )}
      {question}
      {ask && (
        <MoveDialog
          settings={settings}
          patch={patch}
          pending={save.isPending}
          onConfirm={() => begin(true)}
          onClose={dismiss}
        />
      )}
    </form>
  );
}

const NAMES = FIELDS.map(({ name }) => name);

function useSave(patch: Partial<Record<SettingName, unknown>>, onSaved: () => void) {
  const { t } = useTranslation();
  const save = useChangeSettings();
  const [ask, setAsk] = useState(false);
  const [notice, setNotice] = useState<Notice | null>(null);
  const begin = (confirmed = false) => {
    const moves = ADDRESS_FIELDS.some((name) => name in patch);
    if (moves && !confirmed) return setAsk(true);
    const done = 'uiPort' in patch ? t('gatewayPage.savedRestart') : t('gatewayPage.saved');
    setNotice(null);
    save.mutate(patch, {
      onSuccess: ({ pending }) => {
        setNotice({ kind: 'done', text: pending ? t('gatewayPage.savedPending') : done });
        onSaved();
      },
      onSettled: () => setAsk(false),
    });
  };
  return { save, ask, begin, dismiss: () => setAsk(false), notice, setNotice };
}

/** A refused save leads to the first field that is wrong, which may be out of sight. */
function useFaultInSight(error: Error | null) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (error !== null) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [error]);
  return form;
}
