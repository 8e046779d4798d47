import { useTranslation } from 'react-i18next';
import { fieldFault } from '#api/field-fault.ts';
import type { ShownSettings } from '#api/settings-queries.ts';
import { AreaField, ChoiceField, TextField } from '#ui/form-fields.tsx';
import { NativeSelect } from '#ui/native-select.tsx';
import { bytesText, numberText } from '#ui/quantity.ts';
import { SecretField } from '#ui/secret-field.tsx';
import { shownText, type Draft } from './setting-changes.ts';
import { PemFileButton } from './pem-file-button.tsx';
import { amountOf, BYTE_UNITS, type FieldKind, type SettingField, type SettingName } from './setting-fields.ts';

interface Props {
  field: SettingField;
  settings: ShownSettings;
  draft: Draft;
  /** The input is not a number. */
  noNumber: boolean;
  error: Error | null;
  /** undefined = as it was read. */
  onChange: (value: string | null | undefined) => void;
}

/** Fields whose default is part of the choice or the help. */
const SELF_EVIDENT: readonly FieldKind[] = ['durability', 'tls', 'optionalWhole', 'pem', 'pemSecret'];
const LINES = 3;
const PEM_LINES = 6;

/** One setting: its field by its kind, with help, default and unit. */
export function SettingInput({ field, settings, draft, noNumber, error, onChange }: Props) {
  const { t } = useTranslation();
  const { name, kind } = field;
  const help = useHelp(field, settings);
  const fixed = settings.overridden.includes(name);
  const common = {
    label: t(`gatewayPage.field.${name}`),
    help,
    fault: noNumber ? t('gatewayPage.noNumber') : fieldFault(error, name),
    value: shownText(settings, draft, name),
    readOnly: fixed,
    onChange,
  };
  switch (kind) {
    case 'bytes':
      return <BytesField {...common} />;
    case 'lines':
      return <AreaField {...common} rows={LINES} mono />;
    case 'durability':
      return (
        <ChoiceField
          {...common}
          options={(['process', 'power'] as const).map((value) => ({
            value,
            label: t(`gatewayPage.durability.${value}`),
          }))}
        />
      );
    case 'tls':
      return (
        <ChoiceField
          {...common}
          options={(['off', 'own', 'custom'] as const).map((value) => ({
            value,
            label: t(`gatewayPage.tls.${value}`),
          }))}
        />
      );
    case 'pem':
      return (
        <div className="stack tight">
          <AreaField {...common} rows={PEM_LINES} mono />
          <PemFileButton label={t('gatewayPage.pickCertificate')} onText={onChange} />
        </div>
      );
    case 'pemSecret':
      return (
        <div className="stack tight">
          <SecretField {...common} isSet={settings[name] !== null} value={draft[name]} rows={PEM_LINES} />
          <PemFileButton label={t('gatewayPage.pickKey')} onText={onChange} />
        </div>
      );
    case 'secret':
      return <SecretField {...common} isSet={settings[name] !== null} value={draft[name]} />;
    case 'optionalWhole':
      return <TextField {...common} digits />;
    case 'whole':
      return <TextField {...common} digits side={field.unit && <Unit text={t(`gatewayPage.unit.${field.unit}`)} />} />;
    case 'text':
    case 'optional':
      return <TextField {...common} mono />;
  }
}

function Unit({ text }: { text: string }) {
  return <span className="t3 unit">{text}</span>;
}

const FLAGS: Partial<Record<SettingName, string>> = {
  gatewayHost: '--gateway-host (SLUICE_GATEWAY_HOST)',
  gatewayPort: '--gateway-port (SLUICE_GATEWAY_PORT)',
  uiPort: '--ui-port (SLUICE_UI_PORT)',
};

function useHelp({ name, kind, usual, afterRestart }: SettingField, { overridden }: ShownSettings): string {
  const { t, i18n } = useTranslation();
  const help = t(`gatewayPage.help.${name}`);
  if (overridden.includes(name)) {
    const flag = FLAGS[name];
    return `${help} ${flag === undefined ? t('gatewayPage.fixedElse') : t('gatewayPage.fixed', { flag })}`;
  }
  const restart = afterRestart === true ? ` ${t('gatewayPage.afterRestart')}` : '';
  if (usual === undefined || SELF_EVIDENT.includes(kind)) return help + restart;
  if (usual === null || Array.isArray(usual)) return `${help} ${t('gatewayPage.usualNone')}${restart}`;
  return `${help} ${t('gatewayPage.usual', { value: usualText(name, usual, i18n.language) })}${restart}`;
}

/** A port is a name made of digits: never grouped. */
function usualText(name: SettingName, usual: unknown, locale: string): string {
  if (typeof usual !== 'number') return String(usual);
  if (name.endsWith('Bytes')) return bytesText(usual, locale);
  return name.endsWith('Port') ? String(usual) : numberText(usual, locale);
}

interface BytesProps {
  label: string;
  help: string;
  fault: string | null;
  value: string;
  readOnly: boolean;
  onChange: (value: string) => void;
}

function BytesField({ label, help, fault, value, readOnly, onChange }: BytesProps) {
  const { t } = useTranslation();
  const { amount, unit } = amountOf(value);
  return (
    <div className="bytes-field">
      <TextField
        {...{ label, help, fault, readOnly }}
        value={amount}
        onChange={(text) => onChange(`${text.replaceAll(' ', '')} ${unit}`)}
      />
      <NativeSelect
        label={t('gatewayPage.unitOf', { field: label })}
        value={unit}
        options={BYTE_UNITS.map((one) => ({ value: one, label: one }))}
        onChange={(one) => onChange(`${amount} ${one}`)}
      />
    </div>
  );
}
