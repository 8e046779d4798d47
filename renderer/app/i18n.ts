import { createInstance } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { fetchPart } from '../ui/part/fetch-part.ts';
import { STOPPED_STATUS } from '#common/errors/gateway-codes.ts';
import { ui as english } from '#common/languages/en/ui.ts';
import { languageOf, LANGUAGES } from '#common/languages/languages.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'ui';
    nsSeparator: false;
    resources: { ui: typeof english };
  }
}

/** Each by its own name, such as "Deutsch". English is always available; others are loaded when chosen. */
export const LANGUAGE_CHOICES: readonly { value: string; label: string }[] = [
  'en',
  ...Object.keys(LANGUAGES).toSorted(),
].map((code) => ({ value: code, label: ownName(code) }));

function ownName(code: string): string {
  const name = new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code;
  return name.charAt(0).toLocaleUpperCase(code) + name.slice(1);
}

const text = createInstance();
const STORED = 'sluice.language';

function isLanguage(name: string | null | undefined): name is string {
  return LANGUAGE_CHOICES.some((language) => language.value === name);
}

/**
 * The language that was selected here, otherwise the first available one of the browser's languages, otherwise English.
 */
function firstLanguage(stored: string | null, offered: readonly string[]): string {
  if (isLanguage(stored)) return stored;
  const known = offered.map((tag) => tag.split('-')[0]).find(isLanguage);
  return known ?? 'en';
}

async function load(language: string): Promise<void> {
  const parts = languageOf(language);
  if (parts === undefined || text.hasResourceBundle(language, 'ui')) return;
  text.addResourceBundle(language, 'ui', (await fetchPart(parts.ui)).ui);
}

export async function startText(): Promise<void> {
  await text.use(initReactI18next).init({
    resources: { en: { ui: english } },
    lng: 'en',
    fallbackLng: 'en',
    defaultNS: 'ui',
    // Names of scopes contain a colon.
    nsSeparator: false,
    interpolation: { escapeValue: false, defaultVariables: { stoppedStatus: STOPPED_STATUS } },
  });
  // If its texts cannot be loaded, the window is in English; without this line it would stay blank.
  await setLanguage(firstLanguage(localStorage.getItem(STORED), navigator.languages)).catch(console.error);
  void addLaterTexts().catch(console.error);
}

let later: Promise<void> | null = null;

async function loadLaterTexts(): Promise<void> {
  const part = await fetchPart(() => import('#common/languages/en/later.ts'));
  text.addResourceBundle('en', 'ui', part.later, true);
}

/** English texts that the first page does not need. Other languages are loaded completely. */
export function addLaterTexts(): Promise<void> {
  later ??= loadLaterTexts().catch((error: unknown) => {
    later = null;
    throw error;
  });
  return later;
}

async function setLanguage(language: string): Promise<void> {
  await load(language);
  await text.changeLanguage(language);
  document.documentElement.lang = language;
}

export async function chooseLanguage(language: string): Promise<void> {
  localStorage.setItem(STORED, language);
  await load(language);
  // The user may have selected another language while this one was loading.
  if (localStorage.getItem(STORED) === language) await setLanguage(language);
}
