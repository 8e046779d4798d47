import { useState } from 'react';
import { CompletedInput } from './completed-input.tsx';
import type { SettingOf, SettingProps } from './setting-props.ts';
import { useFormContext } from './form-context.tsx';
import { Frame } from './frame.tsx';
import type { InputProps } from './input-props.ts';
import type { Places } from './mapping.ts';
import { useKindText } from '../kind-text/use-kind-text.ts';
import { PickedText } from './picked-text.tsx';
import { QuerySelect, ResourceSelect } from './resource-select.tsx';
import type { Control } from './schema-types.ts';
import { usePlaceholder } from './use-placeholder.ts';
import { plain } from './values.ts';
import { TargetNote } from './target-note.tsx';

type TextControl = Extract<Control, { kind: 'text' }>;

export function TextSetting(props: SettingProps<TextControl>) {
  const { field, control, path, value, onChange } = props;
  const text = useKindText();
  const { readOnly } = useFormContext();
  const own = typeof value === 'string' ? value : '';
  const change = (next: string) => onChange(next === '' ? undefined : next);
  const placeholder = usePlaceholder()(presetOf(field.preset), path);
  const shared = { value: own, placeholder, readOnly };
  return (
    <Frame path={path} title={text(field.title)} help={text(field.help)} required={field.required}>
      {(wiring) => {
        switch (control.picker) {
          case 'query':
            return <QuerySelect {...shared} wiring={wiring} onChange={change} />;
          case 'connection':
          case 'script':
            return <ResourceSelect {...shared} wiring={wiring} of={control.picker} onChange={change} />;
          case 'tag':
            return <PickedText {...shared} wiring={wiring} onChange={change} />;
          case 'target':
            return (
              <>
                <LeftText {...shared} wiring={wiring} places="template" onChange={change} />
                <TargetNote url={own} />
              </>
            );
          default:
            // Wires leave through it: a partly typed name would lose them.
            if (CASE_PORT.test(path)) return <LeftText {...shared} wiring={wiring} onChange={change} />;
            return (
              <CompletedInput
                {...wiring}
                {...shared}
                lines={control.lines}
                places={control.picker === 'path' ? 'path' : 'template'}
                onChange={change}
              />
            );
        }
      }}
    </Frame>
  );
}

/** A list, typed as one text. */
export function LinesField({ field, path, value, onChange }: SettingOf<'lines'>) {
  const text = useKindText();
  const { readOnly } = useFormContext();
  const shared = { value: plain(value), placeholder: '', readOnly, lines: LIST_LINES, places: null, onChange };
  return (
    <Frame path={path} title={text(field.title)} help={text(field.help)} required={field.required}>
      {(wiring) => <CompletedInput {...wiring} {...shared} />}
    </Frame>
  );
}
const LIST_LINES = 3;

/** The name of an out port (`model/ports.ts`). */
const CASE_PORT = /^cases\.\d+\.port$/;

/** The effective text if none is given. */
export function presetText(preset: unknown): string {
  return typeof preset === 'string' || typeof preset === 'number' ? String(preset) : '';
}

const presetOf = (preset: unknown) => (presetText(preset) === '' ? undefined : presetText(preset));

/**
 * Applied when the field loses the focus: a partly typed text must not reach the draft, where another host clears
 * secrets.
 */
export function LeftText({ wiring, value, placeholder, readOnly, places = null, onChange }: LeftProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const take = () => {
    if (typed !== null && typed !== value) onChange(typed);
    setTyped(null);
  };
  const shared = { ...wiring, placeholder, readOnly, places };
  return <CompletedInput {...shared} value={typed ?? value} onChange={setTyped} onEnter={take} onBlur={take} />;
}
type LeftProps = InputProps & { places?: Places | null };
