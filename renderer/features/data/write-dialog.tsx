import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TagDefinition } from '#common/model/tag.ts';
import { useWriteTag } from '#api/data-queries.ts';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { FormDialog } from '#ui/form-dialog.tsx';
import type { NoticeProps } from '#ui/dialog-props.ts';
import { TextField } from '#ui/form-fields.tsx';
import { Segments } from '#ui/segments.tsx';
import { plainValue } from './tag-value.tsx';
import { UserList } from './user-list.tsx';
import type { User } from './users.ts';
import { writtenValue } from './written-value.ts';

interface Props extends NoticeProps {
  project: string;
  tag: TagDefinition;
  users: readonly User[];
}

/** Writes a value to a tag, with a confirmation for a device. */
export function WriteDialog({ project, tag, users, onNotice, onClose }: Props) {
  const { t, i18n } = useTranslation();
  const write = useWriteTag(project);
  const [text, setText] = useState(tag.type === 'boolean' ? 'true' : '');
  const [asked, setAsked] = useState(false);
  const [sure, setSure] = useState(false);
  const written = writtenValue(tag.type, text);
  const device = 'connection' in tag.source ? tag.source : null;
  const shown = written.kind === 'value' ? `${plainValue(written.value, i18n.language)} ${tag.unit}`.trim() : '';
  const send = () => {
    if (written.kind !== 'value') return;
    const done = () => {
      onNotice({ kind: 'done', text: t('data.write.done', { path: tag.path, value: shown }) });
      onClose();
    };
    write.mutate({ path: tag.path, value: written.value }, { onSuccess: done });
  };
  const submit = () => {
    setAsked(true);
    if (written.kind !== 'value') return;
    if (device === null) send();
    else setSure(true);
  };
  if (sure && device !== null)
    return (
      <ConfirmDialog
        title={t('data.write.sure', { value: shown, path: tag.path })}
        keep={t('data.write.keep')}
        act={t('data.write.submit')}
        call={write}
        onConfirm={send}
        onClose={onClose}
      >
        <p>
          <b>
            {t('data.write.device', { connection: device.connection, provider: t(`data.provider.${device.provider}`) })}
          </b>{' '}
          {t('data.write.deviceHelp')}
        </p>
        <UserList project={project} users={users} none={t('data.users.noneTag')} />
      </ConfirmDialog>
    );
  return (
    <FormDialog
      title={t('data.write.title', { path: tag.path })}
      act={t('data.write.submit')}
      call={write}
      onSubmit={submit}
      onClose={onClose}
    >
      <ValueField
        tag={tag}
        text={text}
        fault={asked && written.kind !== 'value' ? t(`data.fault.${written.kind}`) : null}
        onChange={setText}
      />
    </FormDialog>
  );
}

interface ValueProps {
  tag: TagDefinition;
  text: string;
  fault: string | null;
  onChange: (text: string) => void;
}

function ValueField({ tag, text, fault, onChange }: ValueProps) {
  const { t } = useTranslation();
  if (tag.type === 'boolean')
    return (
      <Segments
        label={t('data.value')}
        value={text}
        options={['true', 'false'].map((value) => ({ value, label: value }))}
        onChange={onChange}
      />
    );
  return (
    <TextField
      first
      label={t('data.value')}
      help={t(`data.write.help.${tag.type}`)}
      value={text}
      fault={fault}
      onChange={onChange}
      side={tag.unit === '' ? undefined : <span className="t3 field-unit">{tag.unit}</span>}
    />
  );
}
