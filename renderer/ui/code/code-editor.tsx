import type { CSSProperties, RefObject } from 'react';
import type { FrameProps } from '../part/part-boundary.tsx';
import { part } from '../part/part.tsx';
import './code.css';
import type { Word } from './completions.ts';

/** Position of an error mark: 1-based. */
export interface CodeProblem {
  line: number;
  column: number;
  message: string;
}

export interface CodeEditorProps {
  label: string;
  language: 'javascript' | 'sql' | 'json' | 'text';
  value: string;
  /** Absent: read-only. */
  onChange?: (value: string) => void;
  /** When the field loses the focus. */
  onBlur?: () => void;
  problems?: readonly CodeProblem[];
  /** Words to suggest in addition to those of the language, such as names of queries or columns. */
  words?: readonly (string | Word)[];
  /** Whether to suggest the capability calls of scripts (`tags.read` and so on), from `GET /completions`. */
  capabilities?: boolean;
  /** Placeholder of an empty field. */
  placeholder?: string;
  /** Minimum number of lines; it grows with its text up to `ROWS_MAX`, then scrolls. */
  rows?: number;
  /** Receives a function that replaces the selection with a text and focuses the field. */
  inserter?: RefObject<((text: string) => void) | null>;
  /** It gets the focus as soon as it is rendered. */
  first?: boolean;
}

const ROWS_MAX = 24;
const ROW_PX = 21;
const EDGES_PX = 18;

/** CodeMirror is large: it is loaded when the first field for code is rendered. */
const CodeField = part(async () => (await import('./code-field.tsx')).CodeField, { Frame: Unwritable });

/**
 * A field for code. In JavaScript and SQL the Tab key indents, and Escape then Tab leaves, as shown below the field; in
 * the other languages Tab leaves. A syntax error of JSON is shown only by the field.
 */
export function CodeEditor(props: CodeEditorProps) {
  const { label, rows = 8 } = props;
  const height: CSSProperties & Record<`--code-${string}`, string> = {
    '--code-min': `${rows * ROW_PX + EDGES_PX}px`,
    '--code-max': `${Math.max(rows, ROWS_MAX) * ROW_PX + EDGES_PX}px`,
  };
  return (
    <div className="code-editor" style={height}>
      {/* The state of a field cannot be converted to that of another language. */}
      <CodeField key={`${props.language} ${label}`} {...props} rows={rows} />
    </div>
  );
}

/** The code is readable nevertheless. */
function Unwritable({ of, note }: FrameProps<CodeEditorProps>) {
  return (
    <>
      {note}
      <pre aria-busy={note === null}>{of.value}</pre>
    </>
  );
}
