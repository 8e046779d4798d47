import { Button, Checkbox } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApprovePlugin, type PluginRecord } from '#api/plugins-queries.ts';
import { Dialog } from '#ui/dialog.tsx';
import type { NoticeProps } from '#ui/dialog-props.ts';
import { DialogFoot } from '#ui/dialog-foot.tsx';
import { ErrorNote } from '#ui/error-note.tsx';
import { Fact } from '#ui/fact.tsx';
import { TextField } from '#ui/form-fields.tsx';
import { Note } from '#ui/note.tsx';
import { useNow } from '#ui/now.ts';
import { ageText } from '#ui/time.tsx';
import { confirmationOf, stateOf } from './plugin-view.ts';
import { useAbilities } from './use-abilities.ts';

interface Props extends NoticeProps {
  plugin: PluginRecord;
}

/** All data of a version, and its approval while it waits. */
export function PluginDialog(props: Props) {
  return stateOf(props.plugin) === 'waits' ? <ApproveDialog {...props} /> : <DetailsDialog {...props} />;
}

function DetailsDialog({ plugin, onClose }: Props) {
  const { t } = useTranslation();
  const { name, version } = plugin;
  return (
    <Dialog
      wide
      title={t('plugins.dialog.detailsTitle', { name, version })}
      onDismiss={onClose}
      foot={<DialogFoot keep={t('plugins.dialog.close')} onKeep={onClose} />}
    >
      {plugin.reason !== null && (
        <Note kind="warning" title={t('plugins.dialog.why')}>
          <p className="break">{t('common.reason', { reason: plugin.reason })}</p>
        </Note>
      )}
      <Abilities plugin={plugin} />
      <Facts plugin={plugin} />
    </Dialog>
  );
}

function ApproveDialog({ plugin, onNotice, onClose }: Props) {
  const { t } = useTranslation();
  const approve = useApprovePlugin();
  const [typed, setTyped] = useState('');
  const [ticked, setTicked] = useState(false);
  const { name, version } = plugin;
  const wanted = confirmationOf(plugin);
  const ready = ticked && (wanted === null || typed.trim() === wanted);
  const submit = () =>
    approve.mutate(
      { plugin, confirm: wanted },
      {
        onSuccess: ({ reason, restart }) => {
          const text = reason === null ? t('plugins.approved', { name }) : t('plugins.approvedNot', { name, reason });
          const pipelines = restart.map(({ project, pipeline }) => `${project}/${pipeline}`).join(', ');
          const still = pipelines === '' ? '' : ` ${t('plugins.restart', { pipelines })}`;
          onNotice({ kind: 'done', text: text + still });
          onClose();
        },
      },
    );
  return (
    <Dialog
      wide
      title={t('plugins.dialog.approveTitle', { name, version })}
      onDismiss={onClose}
      foot={
        <DialogFoot keep={t('plugins.dialog.leave')} onKeep={onClose}>
          {' '}
          <Button
            variant={wanted === null ? 'filled' : 'danger'}
            disabled={!ready}
            loading={approve.isPending}
            onClick={submit}
          >
            {wanted === null ? t('plugins.dialog.submit') : t('plugins.dialog.submitTrusted')}
          </Button>
        </DialogFoot>
      }
    >
      <Abilities plugin={plugin} />
      <Facts plugin={plugin} />
      {wanted !== null && (
        <TextField
          mono
          label={t('plugins.dialog.type', { text: wanted })}
          help={t('plugins.dialog.typeHelp')}
          fault={
            typed !== '' && !wanted.startsWith(typed.trim()) ? t('plugins.dialog.typeFault', { text: wanted }) : null
          }
          value={typed}
          onChange={setTyped}
        />
      )}
      <Checkbox
        checked={ticked}
        onChange={(event) => setTicked(event.currentTarget.checked)}
        label={t('plugins.dialog.tick')}
      />
      {approve.isError && <ErrorNote error={approve.error} />}
    </Dialog>
  );
}

function Abilities({ plugin }: { plugin: PluginRecord }) {
  const { t } = useTranslation();
  const abilities = useAbilities(plugin);
  if (plugin.trusted) {
    return (
      <Note kind="warning" title={t('plugins.dialog.trusted')}>
        <p>{t('plugins.dialog.trustedHelp')}</p>
      </Note>
    );
  }
  return (
    <div>
      <p>{t('plugins.dialog.lead')}</p>
      <ul className="abilities">
        {abilities.length === 0 && <li>{t('plugins.dialog.nothing')}</li>}
        {abilities.map((ability) => (
          <li key={ability} className="strong break">
            {ability}
          </li>
        ))}
      </ul>
      <p className="t2">{t('plugins.dialog.leadSandbox')}</p>
    </div>
  );
}

function Facts({ plugin }: { plugin: PluginRecord }) {
  const { t } = useTranslation();
  const { kinds, publisher, digest, files, addedAt, addedBy, approvedAt, approvedBy } = plugin;
  return (
    <dl className="facts">
      <Fact name={t('plugins.dialog.kinds')}>
        {kinds.map(({ id, title, summary }) => (
          <span key={id} className="kind-line">
            <b>{title}</b> <span className="t2">{summary}</span>
          </span>
        ))}
      </Fact>
      <Fact name={t('plugins.dialog.publisher')}>
        {publisher || <span className="t3">{t('plugins.dialog.unnamed')}</span>}
      </Fact>
      <Fact name={t('plugins.dialog.digest')}>
        <span className="mono">{digest}</span>
        <small className="t3 kind-line">
          {t('plugins.dialog.digestHelp')} {t('plugins.dialog.files', { count: files.length })}:{' '}
          {files.map(({ path }) => path).join(', ')}
        </small>
      </Fact>
      <Fact name={t('plugins.dialog.added')}>
        <ByWhom time={addedAt} name={addedBy} />
      </Fact>
      {approvedAt !== null && (
        <Fact name={t('plugins.dialog.approved')}>
          <ByWhom time={approvedAt} name={approvedBy ?? ''} />
        </Fact>
      )}
    </dl>
  );
}

function ByWhom({ time, name }: { time: string; name: string }) {
  const { t, i18n } = useTranslation();
  const now = useNow();
  return t('plugins.dialog.addedBy', { time: ageText(t, i18n.language, time, now), name });
}
