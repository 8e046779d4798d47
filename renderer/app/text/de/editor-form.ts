import type { editorForm as english } from '../en/editor-form.ts';

export const editorForm: typeof english = {};
