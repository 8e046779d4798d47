import { useMemo } from 'react';
import { useKindText } from '#ui/kind-text/use-kind-text.ts';
import { useEditorContext } from '../editor-context.tsx';
import { fieldTitle } from '../form/field-title.ts';
import type { Draft } from '../model/draft.ts';
import type { FieldNames } from './problem-text.ts';

export function useFieldNames(): FieldNames {
  const { kinds } = useEditorContext();
  const text = useKindText();
  return useMemo(() => ({ kinds, text }), [kinds, text]);
}

const IN_NODE = /^nodes\.(\d+)\.(?:settings\.)?(.+)$/;

/** `nodes.2.settings.params.grams` as "Keep: Parameters, grams"; null: the path is not about a node. */
export function nodeFieldName(draft: Draft, path: string, { kinds, text }: FieldNames): string | null {
  const [, index, field] = IN_NODE.exec(path) ?? [];
  const node = draft.nodes[Number(index)];
  if (node === undefined || field === undefined) return null;
  return `${node.name ?? node.id}: ${fieldTitle(node, kinds, field, text)}`;
}
