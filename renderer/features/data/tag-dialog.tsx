import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TagDefinition } from '#common/model/tag.ts';
import { useSaveTag, useTags } from '#api/data-queries.ts';
import { fieldFault } from '#api/field-fault.ts';
import { FormDialog } from '#ui/form-dialog.tsx';
import { ChoiceField, TextField } from '#ui/form-fields.tsx';
import { useEditConflict } from '#ui/edit-conflict.tsx';
import { LimitFields } from './limit-fields.tsx';
import { SourceFields } from './source-fields.tsx';
import {
  canBeWritten,
  definitionOf,
  fieldsOf,
  newTagFields,
  PROVIDERS,
  sourceFields,
  TYPES,
  type FieldsProps,
  type TagFields,
} from './tag-fields.ts';

interface Props {
  project: string;
  /** Null: a new one. */
  tag: TagDefinition | null;
  /** The most likely folder of a new tag. */
  folder: string;
  onSaved?: (tag: TagDefinition) => void;
  onClose: () => void;
}

const SHOWN_FIELDS = ['path', 'title', 'type', 'unit', 'source', 'writable', 'history', 'writeLimits', 'stopsWrites'];

/** Creates or changes a tag: its properties, the source of its values, and whether they are recorded. */
export function TagDialog({ project, tag, folder, onSaved, onClose }: Props) {
  const { t } = useTranslation();
  const save = useSaveTag(project);
  const [fields, setFields] = useState(() => (tag === null ? newTagFields(folder) : fieldsOf(tag)));
  const saved = useTags(project).data?.find(({ path }) => path === tag?.path) ?? tag;
  const others = useEditConflict({
    place: `tag ${project} ${tag?.path ?? ''}`,
    saved: saved && definitionOf(fieldsOf(saved)),
    mine: definitionOf(fields),
    take: () => saved && setFields(fieldsOf(saved)),
  });
  const change = (patch: TagFields) => setFields((before) => ({ ...before, ...patch }));
  const submit = () =>
    save.mutate(
      { tag: definitionOf(fields), before: tag?.path ?? null },
      {
        onSuccess: (saved) => {
          onSaved?.(saved);
          onClose();
        },
      },
    );
  const faultAt = (path: string) => fieldFault(save.error, path);
  return (
    <FormDialog
      wide
      others={others}
      title={tag === null ? t('data.tags.newTitle') : t('data.tags.changeTitle', { path: tag.path })}
      act={tag === null ? t('data.tags.create') : t('data.tags.save')}
      call={save}
      shownFields={SHOWN_FIELDS}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={t('data.field.path')}
        help={tag === null ? t('data.help.path') : t('data.help.pathFixed')}
        value={fields['path'] ?? ''}
        readOnly={tag !== null}
        onChange={(path) => change({ path })}
        fault={faultAt('path')}
        first={tag === null}
        mono
      />
      <div className="field-grid">
        <TextField
          label={t('data.field.title')}
          value={fields['title'] ?? ''}
          onChange={(title) => change({ title })}
          fault={faultAt('title')}
        />
        <TextField
          label={t('data.field.unit')}
          value={fields['unit'] ?? ''}
          onChange={(unit) => change({ unit })}
          fault={faultAt('unit')}
        />
        <ChoiceField
          label={t('data.field.type')}
          value={fields['type'] ?? ''}
          options={TYPES.map((value) => ({ value, label: t(`data.type.${value}`) }))}
          onChange={(type) => change({ type })}
        />
        <ProviderField fields={fields} onChange={change} />
      </div>
      <SourceFields project={project} fields={fields} faultAt={faultAt} onChange={change} />
      <Ticks fields={fields} faultAt={faultAt} onChange={change} />
      {fields['writable'] === 'true' && canBeWritten(fields) && (
        <LimitFields project={project} fields={fields} faultAt={faultAt} onChange={change} />
      )}
    </FormDialog>
  );
}

function ProviderField({ fields, onChange }: FieldsProps) {
  const { t } = useTranslation();
  const choose = (name: string) => {
    const provider = PROVIDERS.find((one) => one === name);
    if (provider !== undefined) onChange(sourceFields(provider));
  };
  return (
    <ChoiceField
      label={t('data.field.provider')}
      value={fields['provider'] ?? ''}
      options={PROVIDERS.map((value) => ({ value, label: t(`data.provider.${value}`) }))}
      onChange={choose}
    />
  );
}

function Ticks({ fields, faultAt, onChange }: FieldsProps & { faultAt: (path: string) => string | null }) {
  const { t } = useTranslation();
  const recorded = fields['recorded'] === 'true';
  return (
    <>
      {canBeWritten(fields) && (
        <Checkbox
          checked={fields['writable'] === 'true'}
          onChange={(event) => onChange({ writable: event.currentTarget.checked ? 'true' : '' })}
          label={
            <>
              {t('data.field.writable')}
              <small>{t('data.help.writable')}</small>
            </>
          }
        />
      )}
      {fields['type'] === 'boolean' && (
        <Checkbox
          checked={fields['stops'] === 'true'}
          onChange={(event) => onChange({ stops: event.currentTarget.checked ? 'true' : '' })}
          label={
            <>
              {t('writeLimits.stops')}
              <small>{t('writeLimits.stopsHelp')}</small>
            </>
          }
        />
      )}
      <Checkbox
        checked={recorded}
        onChange={(event) => onChange({ recorded: event.currentTarget.checked ? 'true' : '' })}
        label={
          <>
            {t('data.field.recorded')}
            <small>{t('data.help.recorded')}</small>
          </>
        }
      />
      {recorded && (
        <div className="field-grid">
          {(['deadband', 'maxInterval'] as const).map((name) => (
            <TextField
              key={name}
              label={t(`data.field.${name}`)}
              help={t(`data.help.${name}`)}
              value={fields[name] ?? ''}
              onChange={(value) => onChange({ [name]: value })}
              fault={faultAt(`history.${name}`)}
            />
          ))}
        </div>
      )}
    </>
  );
}
