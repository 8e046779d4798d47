import { Textarea } from '@mantine/core';

interface Props {
  label: string;
  help?: string | undefined;
  text: string;
  /** Absent: to read only. */
  onChange?: ((text: string) => void) | undefined;
}

const ROWS = 18;

export function JsonField({ label, help, text, onChange }: Props) {
  return (
    <Textarea
      className="mono-field"
      label={label}
      description={help}
      value={text}
      readOnly={onChange === undefined}
      onChange={(event) => onChange?.(event.currentTarget.value)}
      rows={ROWS}
      spellCheck={false}
      autoComplete="off"
    />
  );
}
