import type { Language } from './language.ts';

/**
 * Every language but English, by its code. A folder beside this file and an entry here add a language. Each part is
 * loaded where it is needed, so that the page does not load the texts of the desktop app.
 */
export const LANGUAGES: Readonly<Record<string, Language>> = {
  de: {
    ui: () => import('./de/ui.ts'),
    kinds: () => import('./de/kinds.ts'),
    desktop: () => import('./de/desktop.ts'),
  },
};

/** The language with that code; undefined for English and for an unknown one. */
export function languageOf(code: string): Language | undefined {
  return Object.hasOwn(LANGUAGES, code) ? LANGUAGES[code] : undefined;
}
