import type { editorForm as english } from '../en/editor-form.ts';

export const editorForm: typeof english = {
  code: {
    leave: 'Tab rückt ein. Escape, dann Tab verlässt das Feld.',
    notJson:
      'Ab hier ist das kein JSON. Texte stehen in "doppelten Anführungszeichen", Einträge sind durch Kommas getrennt.',
    fault: 'Zeile {{line}}: {{message}}',
    find: 'Suchen',
    replaceWith: 'Ersetzen durch',
    next: 'Weiter',
    previous: 'Zurück',
    all: 'Alle',
    matchCase: 'Groß und klein beachten',
    regexp: 'Regulärer Ausdruck',
    byWord: 'Ganze Wörter',
    replace: 'Ersetzen',
    replaceAll: 'Alle ersetzen',
    completions: 'Vorschläge',
  },
};
