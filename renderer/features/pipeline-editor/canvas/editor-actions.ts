import type { ReactFlowInstance } from '@xyflow/react';
import type { TFunction } from 'i18next';
import { createContext, useContext } from 'react';
import { nameOf, type Draft } from '../model/draft.ts';
import type { Kinds } from '../model/ports.ts';
import type { EditorStore } from '../model/store.ts';
import type { CanvasStore } from './canvas-store.ts';

/** The dependencies of the actions of mouse, keyboard and menus; the same object for the lifetime of the page. */
export interface EditorActions {
  readonly store: EditorStore;
  readonly canvas: CanvasStore;
  readonly flow: ReactFlowInstance;
  readonly kinds: Kinds;
  readonly t: TFunction;
  readonly mayEdit: boolean;
  /** The running revision, for _Show running_. */
  readonly running: Draft | null;
}

export const EditorActionsContext = createContext<EditorActions | null>(null);

export function useEditorActions(): EditorActions {
  const desk = useContext(EditorActionsContext);
  if (desk === null) throw new Error('useEditorActions must be used inside its provider');
  return desk;
}

export function editable({ store, mayEdit }: EditorActions): boolean {
  return mayEdit && !store.snapshot().showsRunning;
}

/** The definition on the canvas. */
export function shown({ store, running }: EditorActions): Draft {
  const { showsRunning, draft } = store.snapshot();
  return showsRunning && running !== null ? running : draft;
}

/** The description of a step: the name of the node, or the number of nodes. */
export function about(draft: Draft, ids: ReadonlySet<string>): string {
  const [first] = ids;
  return ids.size === 1 && first !== undefined ? nameOf(draft, first) : String(ids.size);
}

/** The target of an action: the selected nodes, unless another one has the focus. */
export function meant({ store, canvas }: EditorActions): ReadonlySet<string> {
  const { nodes, draft } = store.snapshot();
  const { current } = canvas.snapshot();
  if (current === null || nodes.has(current) || !draft.nodes.some((node) => node.id === current)) return nodes;
  return nodes.size === 0 || hasFocus(current) ? new Set([current]) : nodes;
}

function hasFocus(node: string): boolean {
  const { activeElement } = document;
  return activeElement instanceof HTMLElement && activeElement.dataset['node'] === node;
}

export function nodesText(desk: EditorActions, ids: ReadonlySet<string>): string {
  const [first] = ids;
  return ids.size === 1 && first !== undefined
    ? nameOf(shown(desk), first)
    : desk.t('editor.nodes', { count: ids.size });
}
