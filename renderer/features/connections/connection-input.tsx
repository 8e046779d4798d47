import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { fieldFault } from '#api/field-fault.ts';
import type { ShownConnection } from '#api/connections-queries.ts';
import { AreaField, ChoiceField, TextField } from '#ui/form-fields.tsx';
import { SecretField } from '#ui/secret-field.tsx';
import { isStored, leadsElsewhere, type ConnectionDraft } from './connection-draft.ts';
import type { ConnectionField, SecretName } from './connection-fields.ts';

interface Props {
  field: ConnectionField;
  draft: ConnectionDraft;
  before: ShownConnection | null;
  error: unknown;
  onChange: (draft: ConnectionDraft) => void;
}

const PEM_LINES = 4;

export function ConnectionInput({ field, draft, before, error, onChange }: Props) {
  const { t } = useTranslation();
  const { name } = field;
  const common = {
    label: t(`connections.field.${name}`),
    help: t(`connections.help.${name}`),
    fault: fieldFault(error, `settings.${name}`),
    value: draft.texts[name] ?? '',
    onChange: (value: string) => onChange({ ...draft, texts: { ...draft.texts, [name]: value } }),
  };
  switch (field.kind) {
    case 'secret':
      return <Secret {...{ draft, before, onChange }} name={field.name} fault={common.fault} />;
    case 'pem':
      return (
        <div className="whole">
          <AreaField {...common} rows={PEM_LINES} mono />
        </div>
      );
    case 'choice':
      return (
        <ChoiceField {...common} options={field.options.map((value) => ({ value, label: choiceText(t, value) }))} />
      );
    case 'whole':
      return <TextField {...common} digits />;
    case 'seconds':
      return <TextField {...common} side={<span className="t3 unit">{t('connections.unit')}</span>} />;
    case 'text':
      return <TextField {...common} mono={name === 'host' || name === 'path'} />;
  }
}

const CHOICES = [
  'off',
  'encrypt',
  'verify',
  'None',
  'Sign',
  'SignAndEncrypt',
  'Basic256Sha256',
  'Aes128_Sha256_RsaOaep',
  'Aes256_Sha256_RsaPss',
] as const;

function choiceText(t: TFunction, value: string): string {
  const known = CHOICES.find((one) => one === value);
  return known === undefined ? value : t(`connections.choice.${known}`);
}

interface SecretProps extends Pick<Props, 'draft' | 'before' | 'onChange'> {
  name: SecretName;
  fault: string | null;
}

function Secret({ name, draft, before, fault, onChange }: SecretProps) {
  const { t } = useTranslation();
  const kept = before !== null && isStored(before, name) && !leadsElsewhere(draft, before);
  const change = (value: string | null | undefined) => {
    const { [name]: _gone, ...rest } = draft.secrets;
    onChange({ ...draft, secrets: value === undefined ? rest : { ...rest, [name]: value } });
  };
  return (
    <SecretField
      label={t(`connections.field.${name}`)}
      help={t(`connections.help.${name}`)}
      fault={fault}
      isSet={kept}
      value={draft.secrets[name]}
      onChange={change}
      {...(name === 'clientKey' && { rows: PEM_LINES })}
    />
  );
}
