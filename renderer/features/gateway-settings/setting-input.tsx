import { useTranslation } from 'react-i18next';
import { SETTINGS, type SettingName } from '#common/model/settings.ts';
import { fieldFault } from '#api/field-fault.ts';
import { useStatus } from '#api/queries.ts';
import type { ShownSettings } from '#api/settings-queries.ts';
import { TypedSetting } from '#ui/form/typed-setting.tsx';
import { useKindText } from '#ui/kind-text/use-kind-text.ts';
import { bytesText, numberText } from '#ui/quantity.ts';
import { FixedSetting } from './fixed-setting.tsx';
import { PemFileButton } from './pem-file-button.tsx';
import { shownText, type Draft } from './setting-changes.ts';
import type { SettingField } from './setting-form.ts';

interface Props {
  field: SettingField;
  settings: ShownSettings;
  draft: Draft;
  /** The input is not a number. */
  noNumber: boolean;
  error: Error | null;
  /** Undefined: unchanged. */
  onChange: (value: string | null | undefined) => void;
}

/** One setting: its field, with help, default and unit. */
export function SettingInput({ field, settings, draft, noNumber, error, onChange }: Props) {
  const { t } = useTranslation();
  const { name, control } = field;
  const port = useOpenPort(name);
  const help = useHelp(field, settings, port);
  const kindText = useKindText();
  if (settings.overridden.includes(name)) {
    const text = shownText(settings, {}, name);
    const value = kindText(SETTINGS[name].choices?.[text] ?? text);
    return (
      <FixedSetting label={kindText(field.title)} value={value === '0' && port !== null ? port : value} help={help} />
    );
  }
  const input = (
    <TypedSetting
      field={{ ...field, help }}
      value={control.kind === 'secret' ? draft[name] : shownText(settings, draft, name)}
      isStored={settings[name] !== null}
      fault={noNumber ? t('gatewayPage.noNumber') : fieldFault(error, name)}
      onChange={onChange}
    />
  );
  if (name !== 'tlsCertificate' && name !== 'tlsKey') return input;
  return (
    <div className="stack tight">
      {input}
      <PemFileButton label={t(`gatewayPage.pick.${name}`)} onText={onChange} />
    </div>
  );
}

/** The current port, if 0 leaves the choice to the system. */
function useOpenPort(name: SettingName): string | null {
  const status = useStatus().data;
  if (name === 'uiPort') return window.location.port || '80';
  const port = name === 'gatewayPort' ? (status?.gateway.port ?? null) : null;
  return port === null ? null : String(port);
}

function useHelp({ name, control }: SettingField, settings: ShownSettings, port: string | null): string {
  const { t, i18n } = useTranslation();
  const kindText = useKindText();
  const { description, flag, takesEffect, usual } = SETTINGS[name];
  const { overridden } = settings;
  const isAny = settings[name] === 0 && port !== null;
  const help = kindText(description) + (isAny ? ` ${t('gatewayPage.portNow', { port })}` : '');
  if (overridden.includes(name))
    return `${help} ${flag === undefined ? t('gatewayPage.fixedElse') : t('gatewayPage.fixed', { flag })}`;
  const restart = takesEffect === 'after a restart' ? ` ${t('gatewayPage.afterRestart')}` : '';
  // The name of the PC is part of this one; a choice shows its default, and an empty field is neither a number nor PEM
  // text.
  const isSelfEvident =
    control.kind === 'select' || (usual === null && !(control.kind === 'text' && control.lines === 1));
  if (name === 'baseUrl' || isSelfEvident) return help + restart;
  if (usual === null || Array.isArray(usual)) return `${help} ${t('gatewayPage.usualNone')}${restart}`;
  return `${help} ${t('gatewayPage.usual', { value: usualText(name, usual, i18n.language) })}${restart}`;
}

/** A port is an identifier made of digits: never grouped. */
function usualText(name: SettingName, usual: unknown, locale: string): string {
  if (typeof usual !== 'number') return String(usual);
  if (SETTINGS[name].control === 'bytes') return bytesText(usual, locale);
  return name.endsWith('Port') ? String(usual) : numberText(usual, locale);
}
