import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../icon.tsx';
import { SecretField } from '../secret-field.tsx';
import type { SettingOf } from './setting-props.ts';
import { useAct, useFormContext } from './form-context.tsx';
import { Frame, type Wiring } from './frame.tsx';
import { useKindText } from '../kind-text/use-kind-text.ts';
import { isStoredSecret } from './values.ts';

export function SecretSetting({ field, control, path, value, onChange }: SettingOf<'secret'>) {
  const kindText = useKindText();
  const { typed, faultAt } = useFormContext();
  const title = kindText(field.title);
  if (typed !== null)
    return (
      <SecretField
        label={title}
        help={kindText(field.help)}
        fault={faultAt(path, true)}
        isSet={typed.isStored}
        value={typeof value === 'string' || value === null ? value : undefined}
        onChange={onChange}
        {...(control.lines > 1 && { rows: control.lines })}
      />
    );
  return (
    <Frame path={path} title={title} help={kindText(field.help)} required={field.required}>
      {(wiring) => (
        <SecretInput label={title} lines={control.lines} value={value} wiring={wiring} onChange={onChange} />
      )}
    </Frame>
  );
}

interface InputProps {
  label: string;
  lines: number;
  value: unknown;
  wiring?: Wiring;
  onChange: (value: unknown) => void;
}

/**
 * A secret is shown as set, or is being entered. The entered value is written to the draft once, when the field loses
 * the focus: the next save stores it, and from then on it is shown as set.
 */
export function SecretInput({ label, lines, value, wiring, onChange }: InputProps) {
  const { t } = useTranslation();
  const { readOnly } = useFormContext();
  const [isReplacing, setReplacing] = useState(false);
  const isSet = isStoredSecret(value);
  const isTyped = typeof value === 'string';
  if ((isSet || isTyped) && !isReplacing)
    return (
      <span className="setting-secret">
        <Icon name="check" small />
        <span className="grow">{t(isSet ? 'editorForm.secret.set' : 'editorForm.secret.typed')}</span>
        {!readOnly && (
          <Button
            id={wiring?.id}
            aria-label={t('editorForm.secret.replaceNamed', { field: label })}
            onClick={() => setReplacing(true)}
          >
            {t('editorForm.secret.replace')}
          </Button>
        )}
      </span>
    );
  if (readOnly) return <span className="t3">{t('editorForm.secret.none')}</span>;
  return (
    <Typing
      label={label}
      lines={lines}
      {...(wiring !== undefined && { wiring })}
      first={isReplacing}
      onDone={(text) => {
        setReplacing(false);
        if (text !== null) onChange(text);
      }}
    />
  );
}

interface TypingProps {
  label: string;
  lines: number;
  wiring?: Wiring;
  first: boolean;
  /** Null: no input. */
  onDone: (text: string | null) => void;
}

function Typing({ label, lines, wiring, first, onDone }: TypingProps) {
  const [text, setText] = useState('');
  const act = useAct(onDone);
  const attributes = {
    ...wiring,
    className: 'setting-input',
    'aria-label': label,
    autoComplete: 'new-password',
    spellCheck: false,
    value: text,
    onBlur: () => {
      act(text === '' ? null : text);
      setText('');
    },
  };
  const focusFirst = (element: HTMLElement | null) => {
    if (first) element?.focus();
  };
  if (lines > 1)
    return <textarea {...attributes} ref={focusFirst} rows={lines} onChange={(event) => setText(event.target.value)} />;
  return (
    <input
      {...attributes}
      ref={focusFirst}
      type="password"
      onChange={(event) => setText(event.target.value)}
      onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
    />
  );
}
