export const editorDock = {};
