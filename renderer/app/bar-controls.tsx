import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Icon, Mark } from '../ui/icon.tsx';
import { chooseLanguage, LANGUAGES } from './i18n.ts';

export function Brand({ free }: { free?: boolean }) {
  const { t } = useTranslation();
  return (
    <span className={free ? 'brand free' : 'brand'}>
      <Mark />
      {t('common.product')}
    </span>
  );
}

/** Turns to the other of the two; what the system says counts until then. */
export function SchemeButton() {
  const { t } = useTranslation();
  const { setColorScheme } = useMantineColorScheme();
  const shown = useComputedColorScheme('light', { getInitialValueInEffect: false });
  return (
    <button
      type="button"
      aria-label={t('common.lightDark')}
      title={t('common.lightDark')}
      onClick={() => setColorScheme(shown === 'dark' ? 'light' : 'dark')}
    >
      <Icon name="theme" />
    </button>
  );
}

/** With two languages, one press changes to the other; the button shows the language it changes to. */
export function LanguageButton() {
  const { i18n } = useTranslation();
  const other = LANGUAGES.find((language) => language.value !== i18n.language) ?? LANGUAGES[0];
  return (
    <button type="button" lang={other.value} onClick={() => void chooseLanguage(other.value)}>
      {other.label}
    </button>
  );
}
