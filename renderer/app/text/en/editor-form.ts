export const editorForm = {};
