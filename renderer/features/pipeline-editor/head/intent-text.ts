import type { TFunction } from 'i18next';
import type { Intent } from '../model/history.ts';

/** "delete Reply 400" */
export function intentText(t: TFunction, { code, about }: Intent): string {
  return t(`editorDock.intent.${code}`, { about }).trim();
}
