import {
  acceptCompletion,
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  type CompletionSource,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { javascript } from '@codemirror/lang-javascript';
import { json } from '@codemirror/lang-json';
import { sql, StandardSQL } from '@codemirror/lang-sql';
import { bracketMatching, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { linter, lintGutter, type Diagnostic } from '@codemirror/lint';
import { search, searchKeymap } from '@codemirror/search';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, keymap, lineNumbers, placeholder } from '@codemirror/view';
import { classHighlighter } from '@lezer/highlight';
import { getNonce } from 'get-nonce';
import type { CodeEditorProps } from './code-editor.tsx';
import { jsonFault, problemMarks, problemsField } from './faults.ts';
import { typeOverLines } from './type-over-lines.ts';

type Language = CodeEditorProps['language'];

const LANGUAGES: Record<Language, () => Extension> = {
  javascript: () => javascript(),
  sql: () => sql({ dialect: StandardSQL }),
  json: () => json(),
  text: () => [],
};

/** In code the Tab key indents, as in code editors; in a form field it moves the focus. */
export function tabIndents(language: Language): boolean {
  return language === 'javascript' || language === 'sql';
}

/** From this number of lines on a field has line numbers. */
const NUMBERED_ROWS = 6;
const LINT_MS = 250;

export interface Setup {
  language: Language;
  rows: number;
  readOnly: boolean;
  /** '': none. */
  placeholder: string;
  attributes: Record<string, string>;
  /** Called for each completion, because suggestions may be loaded later than the field. */
  sources: () => readonly CompletionSource[];
  jsonMessage: () => string;
  phrases: Record<string, string>;
}

/** All initial extensions of a field; its styles are in `code.css`. */
export function setupOf(setup: Setup): Extension {
  const { language, rows, readOnly, attributes, sources, jsonMessage, phrases } = setup;
  return [
    EditorView.cspNonce.of(getNonce() ?? ''),
    EditorState.phrases.of(phrases),
    EditorView.contentAttributes.of(attributes),
    EditorView.lineWrapping,
    setup.placeholder === '' ? [] : placeholder(setup.placeholder),
    LANGUAGES[language](),
    syntaxHighlighting(classHighlighter),
    rows >= NUMBERED_ROWS ? [lineNumbers(), lintGutter()] : [],
    problemsField,
    linter((view) => faultsOf(view, language, jsonMessage()), {
      delay: LINT_MS,
      needsRefresh: ({ state, startState }) => state.field(problemsField) !== startState.field(problemsField),
    }),
    search({ top: true }),
    readOnly ? readOnlySetup() : editingSetup(language, sources),
  ];
}

function readOnlySetup(): Extension {
  return [EditorState.readOnly.of(true), EditorView.editable.of(false), keymap.of(searchKeymap)];
}

function editingSetup(language: Language, sources: Setup['sources']): Extension {
  return [
    history(),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    autocompletion({ icons: false, closeOnBlur: true }),
    EditorState.languageData.of(() => sources().map((autocomplete) => ({ autocomplete }))),
    keymap.of([
      { key: 'Tab', run: acceptCompletion },
      ...closeBracketsKeymap,
      ...completionKeymap,
      ...historyKeymap,
      ...searchKeymap,
      ...defaultKeymap,
      ...(tabIndents(language) ? [indentWithTab] : []),
    ]),
    EditorView.domEventHandlers({ keydown: keepOwnKeys }),
    typeOverLines,
  ];
}

const OWN_KEYS = new Set(['z', 'y', 'f']);

/** Undo and search inside the field belong to it; the page must not react to these keys. */
function keepOwnKeys(event: KeyboardEvent): boolean {
  if ((event.ctrlKey || event.metaKey) && OWN_KEYS.has(event.key.toLowerCase())) event.stopPropagation();
  return false;
}

function faultsOf({ state }: EditorView, language: Language, message: string): Diagnostic[] {
  const fault = language === 'json' ? jsonFault(state) : null;
  const own: Diagnostic[] =
    fault === null ? [] : [{ from: fault, to: Math.min(fault + 1, state.doc.length), severity: 'error', message }];
  return [...own, ...problemMarks(state)];
}
