import { useTranslation } from 'react-i18next';
import { LineIcon } from '#ui/icon.tsx';

const LOCK = 'M6 11h12v9H6zM8 11V8a4 4 0 0 1 8 0v3';

interface Props {
  label: string;
  /** Empty: none. */
  value: string;
  /** Where it is set. */
  help: string;
}

/** A setting that this page cannot change: its value, not a field. */
export function FixedSetting({ label, value, help }: Props) {
  const { t } = useTranslation();
  return (
    <fieldset className="fixed-setting">
      <legend className="mantine-InputWrapper-label">{label}</legend>
      <p className="row">
        <LineIcon path={LOCK} small />
        <span className="visually-hidden">{t('gatewayPage.locked')}</span>
        <span className="mono break">{value === '' ? '–' : value}</span>
      </p>
      <p className="mantine-InputWrapper-description">{help}</p>
    </fieldset>
  );
}
