import { desktop as english } from '#common/languages/en/desktop.ts';
import type { DesktopTexts } from '#common/languages/language.ts';
import { languageOf } from '#common/languages/languages.ts';

export type Words = DesktopTexts;

/** The texts of the desktop app in the language of the system: `locale` as reported by the system, such as "de-AT". */
export async function wordsFor(locale: string): Promise<Words> {
  const [code = ''] = locale.toLowerCase().split('-');
  const language = languageOf(code);
  return language === undefined ? english : (await language.desktop()).desktop;
}
