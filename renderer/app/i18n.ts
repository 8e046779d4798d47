import { createInstance } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { en } from './text/en.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'ui';
    nsSeparator: false;
    resources: { ui: typeof en };
  }
}

export const LANGUAGES = [
  { value: 'en', label: 'English' },
  { value: 'de', label: 'Deutsch' },
] as const;
export type Language = (typeof LANGUAGES)[number]['value'];

const text = createInstance();
const STORED = 'sluice.language';

function isLanguage(name: string | null | undefined): name is Language {
  return LANGUAGES.some((language) => language.value === name);
}

/** What was chosen here, else the first of the browser's languages that there is, else English. */
function firstLanguage(stored: string | null, offered: readonly string[]): Language {
  if (isLanguage(stored)) return stored;
  const known = offered.map((tag) => tag.split('-')[0]).find(isLanguage);
  return known ?? 'en';
}

/** English is always at hand; another language is fetched when it is chosen. */
async function load(language: Language): Promise<void> {
  if (language === 'en' || text.hasResourceBundle(language, 'ui')) return;
  const { de } = await import('./text/de.ts');
  text.addResourceBundle(language, 'ui', de);
}

export async function startText(): Promise<void> {
  await text.use(initReactI18next).init({
    resources: { en: { ui: en } },
    lng: 'en',
    fallbackLng: 'en',
    defaultNS: 'ui',
    // Names of scopes have a colon.
    nsSeparator: false,
    interpolation: { escapeValue: false },
  });
  await setLanguage(firstLanguage(localStorage.getItem(STORED), navigator.languages));
}

async function setLanguage(language: Language): Promise<void> {
  await load(language);
  await text.changeLanguage(language);
  document.documentElement.lang = language;
}

export async function chooseLanguage(language: Language): Promise<void> {
  localStorage.setItem(STORED, language);
  await setLanguage(language);
}
