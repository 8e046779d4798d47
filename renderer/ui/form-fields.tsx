import { Textarea, TextInput } from '@mantine/core';
import type { HTMLInputTypeAttribute, ReactNode, Ref } from 'react';
import { FieldFault } from './field-error.tsx';
import { NativeSelect } from './native-select.tsx';

/** Fields as defined in theme.md: label above, then the field, its error, and help. */
export const FIELD_ORDER: ('label' | 'input' | 'error' | 'description')[] = ['label', 'input', 'error', 'description'];

export interface FieldProps {
  label: string;
  help?: ReactNode;
  /** The error and the expected input; null or absent: none. */
  fault?: string | null | undefined;
  value: string;
  onChange: (value: string) => void;
  onLeave?: () => void;
  readOnly?: boolean;
  /** For paths, addresses, keys: texts that are read character by character. */
  mono?: boolean;
}

/** Properties of Mantine's inputs. */
export function fieldProps({ label, help, fault, value, onChange, onLeave, readOnly, mono }: FieldProps) {
  return {
    label,
    description: help,
    error: typeof fault === 'string' && <FieldFault text={fault} />,
    inputWrapperOrder: FIELD_ORDER,
    value,
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
    onBlur: onLeave,
    readOnly,
    className: mono === true ? 'mono-field' : '',
    spellCheck: false,
  };
}

interface TextFieldProps extends FieldProps {
  type?: HTMLInputTypeAttribute;
  autoComplete?: string;
  /** It gets the focus when its dialog opens. */
  first?: boolean;
  digits?: boolean;
  /** After the field, such as the unit. */
  side?: ReactNode;
  inputRef?: Ref<HTMLInputElement> | undefined;
}

export function TextField({ type, autoComplete = 'off', first, digits, side, inputRef, ...field }: TextFieldProps) {
  return (
    <TextInput
      {...fieldProps(field)}
      ref={inputRef}
      type={type ?? 'text'}
      autoComplete={autoComplete}
      inputMode={digits === true ? 'numeric' : undefined}
      data-autofocus={first === true ? true : undefined}
      rightSection={side}
      rightSectionWidth="auto"
      rightSectionPointerEvents="none"
    />
  );
}

export function AreaField({ rows, ...field }: FieldProps & { rows: number }) {
  return <Textarea {...fieldProps(field)} rows={rows} autoComplete="off" />;
}

interface ChoiceProps {
  label: string;
  help?: ReactNode;
  value: string;
  options: { value: string; label: string }[];
  onChange: (value: string) => void;
}

export function ChoiceField({ label, help, value, options, onChange }: ChoiceProps) {
  return (
    <div className="choice-field">
      <span className="mantine-InputWrapper-label" aria-hidden="true">
        {label}
      </span>
      <NativeSelect label={label} value={value} options={options} onChange={onChange} />
      {help !== undefined && <p className="mantine-InputWrapper-description">{help}</p>}
    </div>
  );
}
