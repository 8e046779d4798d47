import type { Rule } from '../errors/rules.ts';
import type { kinds } from './de/kinds.ts';
import type { alarms } from './en/alarms.ts';
import type { desktop } from './en/desktop.ts';
import type { phrases } from './en/phrases.ts';
import type { ui } from './en/ui.ts';

/** The parts of a language. A missing text does not compile. */
export interface Language {
  readonly ui: () => Promise<{ readonly ui: UiTexts }>;
  readonly kinds: () => Promise<{ readonly kinds: KindTexts }>;
  readonly desktop: () => Promise<{ readonly desktop: DesktopTexts }>;
}

/** The admin UI. English rules come with the sentences of the admin API, so the English page does not have them. */
export type UiTexts = typeof ui & { readonly errors: { readonly rules: Readonly<Record<Rule, string>> } };

/** Menus, dialogs and notifications of the desktop app. */
export type DesktopTexts = typeof desktop;

export type AlarmTexts = Readonly<Record<keyof typeof alarms, string>>;
export type PhraseTexts = Readonly<Record<keyof typeof phrases, string>>;

/**
 * Titles and help of node kinds and settings, by their English texts, which are beside the schemas. A test compares the
 * German ones with the schemas, and the compiler every other language with the German ones.
 */
export type KindTexts = Readonly<Record<keyof typeof kinds, string>>;
