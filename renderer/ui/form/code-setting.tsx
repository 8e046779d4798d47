import { Button } from '@mantine/core';
import { useEffect, useMemo, useRef, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { useDefinitions } from '#api/definition-queries.ts';
import { EMBEDDED_CONNECTION } from '#common/model/connection.ts';
import { CodeEditor, type CodeEditorProps } from '../code/code-editor.tsx';
import type { Word } from '../code/completions.ts';
import type { SettingOf } from './setting-props.ts';
import { useFormContext } from './form-context.tsx';
import { Frame } from './frame.tsx';
import { useKindText } from '../kind-text/use-kind-text.ts';
import { SqlEditor } from '../sql/sql-editor.tsx';
import { useText, type Reading } from './use-text.ts';
import { usePlaceholder } from './use-placeholder.ts';
import { codeWords } from './words.ts';

type Props = SettingOf<'code'>;

/** Code in the panel; _Enlarge_ shows it on the canvas, Escape returns. */
export function CodeSetting({ field, control, path, value, onChange }: Props) {
  const { t } = useTranslation();
  const kindText = useKindText();
  const form = useFormContext();
  const button = useRef<HTMLButtonElement>(null);
  const isLarge = form.enlarged === path;
  const title = kindText(field.title);
  const close = () => {
    form.enlarge(null);
    requestAnimationFrame(() => button.current?.focus());
  };
  const code = <Code {...{ field, control, path, value, onChange }} title={title} isLarge={isLarge} />;
  return (
    <Frame
      path={path}
      title={title}
      help={kindText(field.help)}
      required={field.required}
      group
      side={
        <Button ref={button} aria-pressed={isLarge} onClick={() => (isLarge ? close() : form.enlarge(path))}>
          {t(isLarge ? 'editorForm.shrink' : 'editorForm.enlarge')}
        </Button>
      }
    >
      {() =>
        isLarge && form.stage !== null ? (
          <>
            <p className="t3">{t('editorForm.isLarge')}</p>
            {createPortal(
              <Stage title={title} onClose={close}>
                {code}
              </Stage>,
              form.stage,
            )}
          </>
        ) : (
          code
        )
      }
    </Frame>
  );
}

/** Above the canvas. An Escape that the code editor uses itself (a list of completions) does not close it. */
function Stage({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) {
  const { t } = useTranslation();
  const stage = useRef<HTMLElement>(null);
  useEffect(() => {
    const section = stage.current;
    const escape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      event.stopPropagation();
      onClose();
    };
    section?.addEventListener('keydown', escape);
    return () => section?.removeEventListener('keydown', escape);
  }, [onClose]);
  return (
    <section className="editor-stage" aria-label={title} ref={stage}>
      <header>
        <h2 className="grow cut">{title}</h2>
        <Button onClick={onClose}>{t('editorForm.backToCanvas')}</Button>
      </header>
      {children}
    </section>
  );
}

const ROWS = { javascript: 12, sql: 6, json: 4 } as const;
const NO_WORDS: readonly Word[] = [];

type CodeProps = Props & { title: string; isLarge: boolean };

function Code(props: CodeProps) {
  const { language } = props.control;
  if (language === 'javascript') return <Script {...props} />;
  return <Text {...props} words={NO_WORDS} />;
}

/** A script gets suggestions for the paths of its message, and the names of queries. */
function Script(props: CodeProps) {
  const { project, mapping } = useFormContext();
  const queries = useDefinitions(project, 'queries').data;
  const { value } = props;
  const words = useMemo(
    () => [
      ...codeWords(typeof value === 'string' ? value : '', mapping?.paths ?? []),
      ...(queries ?? []).map(({ id }) => id),
    ],
    [mapping, queries, value],
  );
  return <Text {...props} words={words} />;
}

function Text({
  field,
  control,
  path,
  value,
  onChange,
  title,
  isLarge,
  words,
}: CodeProps & { words: readonly (string | Word)[] }) {
  const { readOnly, project, settings } = useFormContext();
  const { language } = control;
  const isJson = language === 'json';
  const placeholder = usePlaceholder();
  const { text, type, leave } = useText(value, isJson ? showJson : showText, isJson ? readJson : readText, onChange);
  const editing: Pick<CodeEditorProps, 'onChange'> = readOnly ? {} : { onChange: type };
  if (language === 'sql' && !readOnly) {
    const connection = typeof settings['connection'] === 'string' ? settings['connection'] : EMBEDDED_CONNECTION;
    const shown = { placeholder: placeholder(undefined, path), rows: ROWS.sql, first: isLarge };
    return (
      <SqlEditor
        {...{ project, connection, words }}
        {...shown}
        label={title}
        value={text}
        onChange={type}
        onBlur={leave}
      />
    );
  }
  return (
    <CodeEditor
      label={title}
      language={language}
      value={text}
      {...editing}
      onBlur={leave}
      words={words}
      placeholder={language === 'javascript' ? '' : placeholder(undefined, path)}
      capabilities={language === 'javascript'}
      rows={isJson && field.required ? 8 : ROWS[language]}
      first={isLarge}
    />
  );
}

const showText = (value: unknown) => (typeof value === 'string' ? value : '');
const readText = (text: string): Reading<unknown> => ({ ok: true, value: text === '' ? undefined : text });
const showJson = (value: unknown) => (value === undefined ? '' : JSON.stringify(value, null, 2));

/** An empty field means no value. */
function readJson(text: string): Reading<unknown> {
  if (text.trim() === '') return { ok: true, value: undefined };
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return { ok: false };
  }
}
