import { Menu, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Icon, Mark } from '../ui/icon.tsx';
import { chooseLanguage, LANGUAGE_CHOICES } from './i18n.ts';

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
export function useTurnScheme(): () => void {
  const { setColorScheme } = useMantineColorScheme();
  const shown = useComputedColorScheme('light', { getInitialValueInEffect: false });
  return () => setColorScheme(shown === 'dark' ? 'light' : 'dark');
}

export function SchemeButton() {
  const { t } = useTranslation();
  const turn = useTurnScheme();
  return (
    <button type="button" aria-label={t('common.lightDark')} title={t('common.lightDark')} onClick={turn}>
      <Icon name="theme" />
    </button>
  );
}

/** Every language by its own name. */
export function LanguageButton() {
  const { t, i18n } = useTranslation();
  const current = LANGUAGE_CHOICES.find((language) => language.value === i18n.language) ?? LANGUAGE_CHOICES[0];
  return (
    <Menu>
      <Menu.Target>
        <button type="button" aria-label={t('bar.language', { name: current?.label })}>
          {i18n.language.toUpperCase()}
          <Icon name="down" />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <LanguageItems />
      </Menu.Dropdown>
    </Menu>
  );
}

export function LanguageItems() {
  return LANGUAGE_CHOICES.map(({ value, label }) => (
    <Menu.Item key={value} lang={value} onClick={() => void chooseLanguage(value)}>
      {label}
    </Menu.Item>
  ));
}
