import { useTranslation } from 'react-i18next';
import { CompletedInput } from './completed-input.tsx';
import { useFormContext } from './form-context.tsx';
import { lineOf, readLine } from './json-line.ts';
import type { Control } from './schema-types.ts';
import { SecretInput } from './secret-setting.tsx';
import { readNumber } from './size.ts';
import { plain } from './values.ts';
import { useText, type Reading } from './use-text.ts';

interface Props {
  name: string;
  /** The name is predefined: it stays in the form without a value. */
  isKnown: boolean;
  control: Control;
  value: unknown;
  isFaulty: boolean;
  /** Placeholder of an empty field. */
  placeholder: string;
  onChange: (value: unknown) => void;
}

/** The value of a name: in one line, whatever its type. */
export function PairValue({ name, isKnown, control, value, isFaulty, placeholder, onChange }: Props) {
  const { t } = useTranslation();
  const { readOnly } = useFormContext();
  const label = t('editorForm.pairValue', { name });
  const [show, read] = LINES[control.kind] ?? LINES.any;
  // A custom name is removed with its button, not by clearing its value.
  const readKept = (line: string) => (line.trim() === '' && control.kind !== 'text' ? NOTHING : read(line));
  const { text, isWrong, type, leave } = useText(value, show, isKnown ? read : readKept, onChange);
  if (control.kind === 'secret') return <SecretInput label={label} lines={1} value={value} onChange={onChange} />;
  return (
    <div className="setting-value">
      <CompletedInput
        aria-label={label}
        aria-invalid={isFaulty || isWrong || undefined}
        value={text}
        placeholder={placeholder}
        readOnly={readOnly}
        places={control.kind === 'number' ? null : 'value'}
        onChange={type}
        onBlur={leave}
      />
    </div>
  );
}

const NOTHING: Reading<unknown> = { ok: false };

type Line = readonly [show: (value: unknown) => string, read: (text: string) => Reading<unknown>];

const LINES: { any: Line } & Partial<Record<Control['kind'], Line>> = {
  any: [(value) => (value === null ? 'null' : lineOf(value)), readLine],
  // An emptied text is removed with its button; until then it is an empty text.
  text: [(value) => (typeof value === 'string' ? value : ''), (text) => ({ ok: true, value: text })],
  number: [
    plain,
    (text) => {
      const value = readNumber(text);
      return value === null ? { ok: false } : { ok: true, value };
    },
  ],
};
