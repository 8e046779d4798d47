import type { TFunction } from 'i18next';
import type { editorKinds } from '#common/languages/en/ui/editor-kinds.ts';
import { choiceId, type Choice } from '../model/choices.ts';
import type { Findable } from '#ui/found-by.ts';

const CATEGORIES = ['http', 'flow', 'plant', 'database', 'data', 'script', 'calls', 'diagnostics', 'other'] as const;
const MODES = ['ingress', 'egress'] as const;

/** The category of a third-party kind is shown unchanged. */
export function categoryWord(t: TFunction, category: string): string {
  const known = CATEGORIES.find((one) => one === category);
  return known === undefined ? category : t(`editor.category.${known}`);
}

export function modeWord(t: TFunction, mode: string): string {
  const known = MODES.find((one) => one === mode);
  return known === undefined ? mode : t(`editor.mode.${known}`);
}

/** The kind, and its mode unless that is the default. */
export function kindLine(t: TFunction, title: string, mode: string | null): string {
  return mode === null ? title : `${title}, ${modeWord(t, mode)}`;
}

export function choiceTitle(t: TFunction, { kind, mode }: Choice): string {
  const first = Object.keys(kind.modes ?? {})[0];
  return mode === null || mode === first ? kind.title : kindLine(t, kind.title, mode);
}

/** The same, short enough for the narrow rail. */
export function railWord(t: TFunction, category: string): string {
  const known = CATEGORIES.find((one) => one === category);
  return known === undefined ? category : t(`editor.rail.${known}`);
}

/** Texts of the kinds that ship with Sluice are listed by kind, and by mode where it is not the usual one. */
type TextId = keyof typeof editorKinds.line;

/** One of a third party has no text by this id. */
function textId(choice: Choice): TextId {
  const first = Object.keys(choice.kind.modes ?? {})[0];
  return (choice.mode === first ? choice.kind.id : choiceId(choice)) as TextId;
}

/** Its purpose, in one line. */
export function choiceNote(t: TFunction, choice: Choice): string {
  return t(`editorKinds.line.${textId(choice)}`, { defaultValue: choice.kind.summary });
}

/** The search texts: its names, and terms from other products. */
export function choiceText(t: TFunction, choice: Choice): Findable {
  const words = t(`editorKinds.words.${textId(choice)}`, { defaultValue: '' });
  return {
    label: choiceTitle(t, choice),
    words: `${words} ${choice.kind.id.replaceAll('-', ' ')} ${choice.kind.id}`,
    note: `${choiceNote(t, choice)} ${choice.kind.summary}`,
  };
}
