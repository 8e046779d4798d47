import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { readForm, variantOf } from '#ui/form/schema.ts';
import { useKindText } from '#ui/kind-text/use-kind-text.ts';
import { useEditorContext } from '../editor-context.tsx';
import { differenceOf } from '../model/difference.ts';
import type { Step } from '../model/history.ts';
import type { Kinds } from '../model/ports.ts';
import { intentText } from './intent-text.ts';

const VALUE_CHARS_MAX = 40;

/** Describes a step, for undo, redo and the list of changes; a changed setting with its field and value. */
export function useStepText(): (step: Step) => string {
  const { t } = useTranslation();
  const kindText = useKindText();
  const { kinds } = useEditorContext();
  return (step) => stepText(t, step, kinds, kindText);
}

/** The same for fields whose titles are not translated otherwise. */
export function stepText(t: TFunction, step: Step, kinds: Kinds, kindText: (text: string) => string): string {
  const set = step.intent.code === 'set' ? changedField(step, kinds) : null;
  if (set === null) return intentText(t, step.intent);
  const { about } = step.intent;
  const field = kindText(set.title);
  if (set.value === null) return t('editorDock.step.field', { about, field });
  return t(set.value === '' ? 'editorDock.step.cleared' : 'editorDock.step.value', { about, field, value: set.value });
}

interface ChangedField {
  title: string;
  /** Null: not a short text, or a secret. */
  value: string | null;
}

/** Null: the step changed several settings, or one that the kind does not have. */
function changedField({ before, after }: Step, kinds: Kinds): ChangedField | null {
  const [edited, ...others] = differenceOf(before, after).edited;
  const [change, ...more] = edited?.changes ?? [];
  if (edited === undefined || change === undefined || others.length > 0 || more.length > 0) return null;
  const kind = kinds.get(edited.node.kind);
  if (kind === undefined) return null;
  const { fields } = variantOf(readForm(kind.settings), edited.node.settings);
  const field = fields.find(({ name }) => name === change.field);
  if (field === undefined) return null;
  return { title: field.title, value: field.control.kind === 'secret' ? null : shortText(change.after) };
}

function shortText(value: unknown): string | null {
  if (value === undefined) return '';
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return null;
  const text = String(value);
  return text.length <= VALUE_CHARS_MAX && !text.includes('\n') ? text : null;
}
