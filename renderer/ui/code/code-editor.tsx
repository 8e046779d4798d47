/** Where an error mark goes: 1-based. */
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
  /** When the caret leaves the field. */
  onBlur?: () => void;
  problems?: readonly CodeProblem[];
  /** Words to offer besides the language's own, such as names of queries or columns. */
  words?: readonly string[];
  /** The capabilities that scripts have (`tags.read` and so on), from `GET /completions`, are offered. */
  capabilities?: boolean;
  /** Lines shown before it scrolls. */
  rows?: number;
}

/** A field for code. */
export function CodeEditor({ label, value, onChange, onBlur, rows = 8 }: CodeEditorProps) {
  return (
    <textarea
      aria-label={label}
      value={value}
      rows={rows}
      readOnly={onChange === undefined}
      onChange={(event) => onChange?.(event.target.value)}
      onBlur={onBlur}
    />
  );
}
