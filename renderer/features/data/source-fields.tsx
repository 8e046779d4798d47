import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useConnectionChoices } from '#api/definition-queries.ts';
import { ChoiceField, TextField } from '#ui/form-fields.tsx';
import { Note } from '#ui/note.tsx';
import { numberOr, specsOf, type FieldsProps, type FieldSpec } from './tag-fields.ts';

interface Props extends FieldsProps {
  project: string;
  faultAt: (path: string) => string | null;
}

/** The form of the tag's source. */
export function SourceFields({ fields, ...rest }: Props) {
  const { t } = useTranslation();
  return (
    <fieldset className="source-fields">
      <legend>{t('data.tags.source')}</legend>
      <div className="field-grid">
        {specsOf(fields).map((spec) => (
          <SourceField key={spec.name} spec={spec} fields={fields} {...rest} />
        ))}
      </div>
    </fieldset>
  );
}

function SourceField({ spec, project, fields, faultAt, onChange }: Props & { spec: FieldSpec }) {
  const { t } = useTranslation();
  const [left, setLeft] = useState(false);
  const { name, kind, options = [] } = spec;
  const value = fields[name] ?? '';
  const set = (text: string) => onChange({ [name]: text });
  const label = t(`data.field.${name}`);
  const help = t(`data.help.${name}`, { defaultValue: '' });
  if (kind === 'connection')
    return <ConnectionField project={project} provider={fields['provider'] ?? ''} value={value} onChange={set} />;
  if (kind === 'choice')
    return (
      <ChoiceField
        label={label}
        help={help === '' ? undefined : help}
        value={value}
        options={options.map((one) => ({ value: one, label: t(`data.option.${one}`, { defaultValue: one }) }))}
        onChange={set}
      />
    );
  if (kind === 'tick')
    return (
      <Checkbox
        checked={value === 'true'}
        onChange={(event) => set(event.currentTarget.checked ? 'true' : '')}
        label={label}
      />
    );
  const wrong = left && kind === 'number' && !(spec.optional && value === '') && typeof numberOr(value) !== 'number';
  return (
    <TextField
      label={label}
      help={help === '' ? undefined : help}
      value={value}
      onChange={set}
      onLeave={() => setLeft(true)}
      fault={wrong ? t('data.fault.number') : faultAt(`source.${name}`)}
      mono={kind !== 'number'}
    />
  );
}

interface ConnectionProps {
  project: string;
  provider: string;
  value: string;
  onChange: (id: string) => void;
}

function ConnectionField({ project, provider, value, onChange }: ConnectionProps) {
  const { t } = useTranslation();
  const found = useConnectionChoices(project).data?.filter(({ settings }) => settings.kind === provider);
  if (found?.length === 0) return <Note title={t('data.tags.noConnection')}>{t('data.tags.noConnectionHelp')}</Note>;
  return (
    <ChoiceField
      label={t('data.field.connection')}
      value={value}
      options={[
        { value: '', label: t('data.tags.chooseConnection') },
        ...(found ?? []).map(({ id, name }) => ({ value: id, label: name === '' ? id : `${name} (${id})` })),
      ]}
      onChange={onChange}
    />
  );
}
