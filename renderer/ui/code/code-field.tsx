import { forEachDiagnostic } from '@codemirror/lint';
import { Annotation, EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import type { TFunction } from 'i18next';
import { useEffect, useId, useImperativeHandle, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FieldFault } from '../field-error.tsx';
import type { CodeEditorProps } from './code-editor.tsx';
import { capabilitySource, wordSource } from './completions.ts';
import { setProblems } from './faults.ts';
import { setupOf, tabIndents } from './setup.ts';
import { useCapabilityCalls } from './use-capability-calls.ts';

/** A text that is set by the caller is not reported back. */
const fromOutside = Annotation.define<true>();
const NO_PROBLEMS: NonNullable<CodeEditorProps['problems']> = [];
const NO_WORDS: NonNullable<CodeEditorProps['words']> = [];

/** CodeMirror in a form field; rendered only by `CodeEditor`. */
export function CodeField(props: CodeEditorProps & { rows: number }) {
  const { t } = useTranslation();
  const { language, value, problems = NO_PROBLEMS, onChange, inserter } = props;
  const readOnly = onChange === undefined;
  const help = useId();
  const { host, view, faults } = useView(props, `${help}-help`);
  useEffect(() => {
    if (view === null || view.state.doc.toString() === value) return;
    view.dispatch({
      changes: { from: 0, to: view.state.doc.length, insert: value },
      annotations: fromOutside.of(true),
    });
  }, [view, value]);
  useImperativeHandle(
    inserter,
    () => (text: string) => {
      view?.dispatch(view.state.replaceSelection(text));
      view?.focus();
    },
    [view],
  );
  useEffect(() => view?.dispatch({ effects: setProblems.of(problems) }), [view, problems]);
  return (
    <>
      <div ref={host} className="code-host" data-faulty={faults.length > 0} data-read-only={readOnly} />
      <output className="code-faults">
        {faults.map(({ line, message }) => (
          <span key={`${line} ${message}`} className="mantine-InputWrapper-error">
            <FieldFault text={t('editorForm.code.fault', { line, message })} />
          </span>
        ))}
      </output>
      {!readOnly && tabIndents(language) && (
        <p id={`${help}-help`} className="mantine-InputWrapper-description">
          {t('editorForm.code.leave')}
        </p>
      )}
    </>
  );
}

interface Fault {
  line: number;
  message: string;
}
const FAULTS_SHOWN_MAX = 3;

/** The editor lives as long as the field; later properties of the caller are read through `latest`. */
function useView(props: CodeEditorProps & { rows: number }, helpId: string) {
  const { t } = useTranslation();
  const host = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<EditorView | null>(null);
  const [faults, setFaults] = useState<Fault[]>([]);
  const sources = useSources(props);
  const latest = useRef({ ...props, sources, t });
  useEffect(() => {
    latest.current = { ...props, sources, t };
  });
  const readOnly = props.onChange === undefined;
  useEffect(() => {
    const parent = host.current;
    if (parent === null) return undefined;
    const { language, label, rows, value, first, placeholder = '' } = latest.current;
    const described = !readOnly && tabIndents(language) ? { 'aria-describedby': helpId } : {};
    const reading = readOnly ? { 'aria-readonly': 'true' } : {};
    const setup = setupOf({
      language,
      rows,
      readOnly,
      placeholder,
      // The tab stop makes a long text scrollable by keyboard, also for tools that do not know editable content.
      attributes: { 'aria-label': label, spellcheck: 'false', tabindex: '0', ...described, ...reading },
      sources: () => latest.current.sources,
      jsonMessage: () => latest.current.t('editorForm.code.notJson'),
      phrases: phrasesOf(latest.current.t),
    });
    const updates = EditorView.updateListener.of((update) => {
      const own = update.docChanged && !update.transactions.some((one) => one.annotation(fromOutside) === true);
      if (own) latest.current.onChange?.(update.state.doc.toString());
      if (update.focusChanged && !update.view.hasFocus) latest.current.onBlur?.();
      setFaults((before) => sameOr(before, faultsIn(update.state)));
    });
    const made = new EditorView({ parent, state: EditorState.create({ doc: value, extensions: [setup, updates] }) });
    setView(made);
    if (first === true) made.focus();
    return () => {
      made.destroy();
      setView(null);
    };
  }, [readOnly, helpId]);
  return { host, view, faults };
}

function useSources({ words = NO_WORDS, capabilities = false }: CodeEditorProps) {
  const calls = useCapabilityCalls(capabilities);
  return useMemo(
    () => [...(words.length > 0 ? [wordSource(words)] : []), ...(calls === undefined ? [] : [capabilitySource(calls)])],
    [words, calls],
  );
}

function faultsIn(state: EditorState): Fault[] {
  const faults: Fault[] = [];
  forEachDiagnostic(state, ({ message }, from) => {
    if (faults.length < FAULTS_SHOWN_MAX) faults.push({ line: state.doc.lineAt(from).number, message });
  });
  return faults;
}

/** The previous list if it is equal, so that the field is not rendered again. */
function sameOr(before: Fault[], after: Fault[]): Fault[] {
  const same = (one: Fault, index: number) => one.line === before[index]?.line && one.message === before[index].message;
  return before.length === after.length && after.every(same) ? before : after;
}

/** Translations of CodeMirror's own texts, by the English ones. */
function phrasesOf(t: TFunction): Record<string, string> {
  return {
    Find: t('editorForm.code.find'),
    Replace: t('editorForm.code.replaceWith'),
    next: t('editorForm.code.next'),
    previous: t('editorForm.code.previous'),
    all: t('editorForm.code.all'),
    'match case': t('editorForm.code.matchCase'),
    regexp: t('editorForm.code.regexp'),
    'by word': t('editorForm.code.byWord'),
    replace: t('editorForm.code.replace'),
    'replace all': t('editorForm.code.replaceAll'),
    close: t('common.close'),
    Completions: t('editorForm.code.completions'),
  };
}
