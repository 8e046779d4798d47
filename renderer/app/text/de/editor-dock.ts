import type { editorDock as english } from '../en/editor-dock.ts';

export const editorDock: typeof english = {};
