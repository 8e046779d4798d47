import type { TFunction } from 'i18next';
import type { Choice } from '../model/choices.ts';

const CATEGORIES = ['http', 'flow', 'plant', 'database', 'data', 'script', 'calls', 'diagnostics', 'other'] as const;
const MODES = ['ingress', 'egress'] as const;

/** A category of a third party reads as it is. */
export function categoryWord(t: TFunction, category: string): string {
  const known = CATEGORIES.find((one) => one === category);
  return known === undefined ? category : t(`editor.category.${known}`);
}

export function modeWord(t: TFunction, mode: string): string {
  const known = MODES.find((one) => one === mode);
  return known === undefined ? mode : t(`editor.mode.${known}`);
}

/** The kind, and its mode where it is not the usual one. */
export function kindLine(t: TFunction, title: string, mode: string | null): string {
  return mode === null ? title : `${title}, ${modeWord(t, mode)}`;
}

export function choiceTitle(t: TFunction, { kind, mode }: Choice): string {
  const first = Object.keys(kind.modes ?? {})[0];
  return mode === null || mode === first ? kind.title : kindLine(t, kind.title, mode);
}

/** The same, as short as the rail is narrow. */
export function railWord(t: TFunction, category: string): string {
  const known = CATEGORIES.find((one) => one === category);
  return known === undefined ? category : t(`editor.rail.${known}`);
}
