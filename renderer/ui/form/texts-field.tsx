import { Button } from '@mantine/core';
import { useState, type ClipboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../icon.tsx';
import type { SettingOf } from './setting-props.ts';
import { useAct, useFormContext } from './form-context.tsx';
import { Frame, type Wiring } from './frame.tsx';
import { useKindText } from '../kind-text/use-kind-text.ts';
import { PickedText } from './picked-text.tsx';
import type { Control } from './schema-types.ts';
import { usePlaceholder } from './use-placeholder.ts';
import { splitEntries } from './split-entries.ts';

/** A list of texts, or one text with commas. */
export function textsOf(value: unknown): string[] {
  if (typeof value !== 'string') return Array.isArray(value) ? value.map(String) : [];
  return value
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

/** One line per entry; the last one is empty, for the next. */
export function TextsField({ field, control, path, value, onChange }: SettingOf<'texts'>) {
  const { t } = useTranslation();
  const kindText = useKindText();
  const { readOnly } = useFormContext();
  const texts = textsOf(value);
  const placeholder = usePlaceholder();
  const [isAdding, setAdding] = useState(false);
  const write = (next: readonly string[]) => onChange(next.every((one) => one === '') ? undefined : next);
  const act = useAct(write);
  const title = kindText(field.title);
  const shown = isAdding || texts.length === 0 ? [...texts, ''] : texts;
  // Lines have no names: they are identified by their position.
  const places = [...shown.keys()];
  const change = (index: number, text: string) => {
    const next = [...texts.slice(0, index), text, ...texts.slice(index + 1)];
    write(next.filter((one, place) => one !== '' || place < texts.length));
    if (index === texts.length) setAdding(false);
  };
  /** Several entries in one line, typed or pasted, are split into lines. */
  const spread = (index: number, text: string): boolean => {
    const entries = splitEntries(text);
    if (entries.length < 2) return false;
    setAdding(false);
    write([...texts.slice(0, index), ...entries, ...texts.slice(index + 1)]);
    return true;
  };
  const remove = (index: number) => {
    setAdding(false);
    act(texts.filter((_, place) => place !== index));
  };
  return (
    <Frame path={path} title={title} help={kindText(field.help)} required={field.required} group>
      {(wiring) => (
        <>
          {places.map((index) => (
            <div key={index} className="setting-line">
              <Line
                wiring={{ ...wiring, id: `${wiring.id}-${index}` }}
                label={t('editorForm.entry', { field: title, number: index + 1 })}
                picker={control.picker}
                value={shown[index] ?? ''}
                placeholder={texts.length === 0 ? placeholder(presetTexts(field.preset), path) : ''}
                readOnly={readOnly}
                onChange={(next) => change(index, next)}
                onSeveral={(next) => spread(index, next)}
              />
              {!readOnly && texts.length > 0 && (
                <Button
                  className="square"
                  aria-label={t('editorForm.removeEntry', { field: title, number: index + 1 })}
                  onClick={() => remove(index)}
                >
                  <Icon name="close" />
                </Button>
              )}
            </div>
          ))}
          {!readOnly && texts.length > 0 && !isAdding && (
            <Button leftSection={<Icon name="plus" />} onClick={() => setAdding(true)}>
              {t('editorForm.addEntry')}
            </Button>
          )}
        </>
      )}
    </Frame>
  );
}

const presetTexts = (preset: unknown) => (textsOf(preset).length === 0 ? undefined : textsOf(preset).join(', '));

interface LineProps {
  wiring: Wiring;
  label: string;
  picker: Extract<Control, { kind: 'texts' }>['picker'];
  value: string;
  placeholder: string;
  readOnly: boolean;
  onChange: (value: string) => void;
  /** Adds each entry of a pasted list; false if the text is a single entry. */
  onSeveral: (text: string) => boolean;
}

function Line({ label, picker, wiring, onChange, onSeveral, ...input }: LineProps) {
  const named = { ...wiring, 'aria-label': label };
  const pasted = (event: ClipboardEvent<HTMLElement>) => {
    // An input removes the line breaks from pasted text.
    if (!input.readOnly && input.value === '' && onSeveral(event.clipboardData.getData('text'))) event.preventDefault();
  };
  const left = () => {
    if (!input.readOnly) onSeveral(input.value);
  };
  if (picker === 'tag')
    return (
      <div className="grow" onPaste={pasted} onBlur={left}>
        <PickedText {...input} wiring={named} onChange={onChange} />
      </div>
    );
  return (
    <input
      {...named}
      {...input}
      type="text"
      className="setting-input"
      spellCheck={false}
      autoComplete="off"
      onChange={(event) => onChange(event.target.value)}
      onPaste={pasted}
      onBlur={left}
    />
  );
}
