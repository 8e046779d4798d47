import { Button } from '@mantine/core';
import { useState, type Dispatch, type FormEvent, type SetStateAction } from 'react';
import { useTranslation } from 'react-i18next';
import { SETTING_SECTIONS, type SettingName, SETTINGS, type SettingSection } from '#common/model/settings.ts';
import { errorBesides } from '#api/field-fault.ts';
import { useChangeSettings, type ShownSettings } from '#api/settings-queries.ts';
import { ErrorNote } from '#ui/error-note.tsx';
import { useLeaveGuard } from '#ui/leave-guard.tsx';
import { NoticeLine, type Notice } from '#ui/notice-line.tsx';
import { OthersSaveNote, type EditConflict } from '#ui/edit-conflict.tsx';
import { Panel } from '#ui/panel.tsx';
import { useKindText } from '#ui/kind-text/use-kind-text.ts';
import { useKeptDraft } from '#ui/use-kept-draft.ts';
import { CertificatePanel } from './certificate-panel.tsx';
import { JournalFigure } from './journal-figure.tsx';
import { MetricsPanel } from './metrics-panel.tsx';
import { MoveDialog } from './move-dialog.tsx';
import { PlainHttp } from './plain-http.tsx';
import { ADDRESS_FIELDS, changesOf, isAsked, readAs, type Draft, type Read } from './setting-changes.ts';
import { SectionList, sectionId } from './section-list.tsx';
import { SettingInput } from './setting-input.tsx';
import { FIELDS, type SettingField } from './setting-form.ts';

/** All settings in one form; only changed values are sent. */
export function SettingsForm({ settings }: { settings: ShownSettings }) {
  const { t } = useTranslation();
  const kindText = useKindText();
  const [draft, setDraft] = useKeptDraft<Draft>('gateway settings', () => ({}));
  const { patch, noNumber } = changesOf(settings, draft);
  const { save, ask, begin, dismiss, notice, setNotice } = useSave(patch, () => setDraft({}));
  // A change that accompanies another one (the plain port in addition to TLS) was not typed.
  const typed = Object.keys(patch).filter((name) => name in draft);
  const others = useOthersChanges(settings, typed, setDraft);
  const count = Object.keys(patch).length;
  const { question } = useLeaveGuard(count + noNumber.length > 0);
  const change = (name: SettingName, value: string | null | undefined) => {
    const { [name]: _gone, ...rest } = draft;
    if (!(name in draft)) others.typed(name);
    setDraft(value === undefined ? rest : { ...rest, [name]: value });
  };
  const labelOf = (name: SettingName) => kindText(SETTINGS[name].title);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!others.isOpen && count > 0 && noNumber.length === 0) begin();
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
  const titles = SECTIONS.map((id) => ({ id, title: kindText(SETTING_SECTIONS[id]) }));
  return (
    <form onSubmit={submit} noValidate className="stack settings-form">
      <SectionList sections={titles} />
      <NoticeLine notice={notice} onClose={() => setNotice(null)} />
      {titles.map(({ id, title }) => (
        <Panel key={id} id={sectionId(id)} title={title}>
          <div className="body setting-grid">
            {FIELDS.filter(({ name }) => SETTINGS[name].section === id && isAsked(settings, draft, name)).map(field)}
            {id === 'tls' && (
              <>
                {(settings.tls === 'off' || settings.plainHttpPort !== null) && (
                  <PlainHttp beside={settings.tls !== 'off'} />
                )}
                <CertificatePanel settings={settings} onNotice={setNotice} />
              </>
            )}
            {id === 'metrics' && (
              <MetricsPanel settings={settings} draft={draft} onToken={(token) => change('metricsToken', token)} />
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
            {!save.isPending && <OthersSaveNote others={others} what={others.names.map(labelOf).join(', ')} />}
            {errorBesides(save.error, NAMES) !== null && (
              <ErrorNote error={save.error} title={t('gatewayPage.failed')} />
            )}
          </div>
          <Button onClick={() => setDraft({})}>{t('gatewayPage.discard')}</Button>
          <Button
            type="submit"
            variant="filled"
            loading={save.isPending}
            disabled={others.isOpen || noNumber.length > 0}
          >
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
const SECTIONS = Object.keys(SETTING_SECTIONS) as SettingSection[];

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

/** The fields that another user saved after they were edited here. */
function useOthersChanges(
  settings: ShownSettings,
  changed: readonly string[],
  setDraft: Dispatch<SetStateAction<Draft>>,
): EditConflict & { names: SettingName[]; typed: (name: SettingName) => void } {
  const [read, setRead] = useKeptDraft<Read>('gateway settings as they were read', () => ({}));
  const isOlder = (name: SettingName) => read[name] !== undefined && read[name] !== readAs(settings, name);
  const names = NAMES.filter((name) => changed.includes(name) && isOlder(name));
  const keepMine = () =>
    setRead({ ...read, ...Object.fromEntries(names.map((name) => [name, readAs(settings, name)])) });
  const takeTheirs = () =>
    setDraft((draft) =>
      Object.fromEntries(Object.entries(draft).filter(([name]) => !names.some((one) => one === name))),
    );
  const typed = (name: SettingName) => setRead({ ...read, [name]: readAs(settings, name) });
  return { isOpen: names.length > 0, names, keepMine, takeTheirs, typed };
}
