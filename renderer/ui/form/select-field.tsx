import { Checkbox } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Icon } from '../icon.tsx';
import type { SettingOf } from './setting-props.ts';
import { plain } from './values.ts';
import { useAct, useFormContext } from './form-context.tsx';
import { Frame } from './frame.tsx';
import { useKindText } from '../kind-text/use-kind-text.ts';

/** All options are visible if they fit side by side, otherwise a list. */
const SEGMENTS_MAX = 4;
const SEGMENTS_CHARS_MAX = 20;

export function SelectField({ field, control, path, value, onChange }: SettingOf<'select'>) {
  const { t } = useTranslation();
  const kindText = useKindText();
  const { readOnly } = useFormContext();
  const act = useAct(onChange);
  const chosen = value ?? field.preset;
  const { options, labels } = control;
  const labelOf = (option: string | number) => kindText(labels?.[option] ?? String(option));
  const few =
    options.length <= SEGMENTS_MAX &&
    options.reduce((sum: number, one) => sum + labelOf(one).length, 0) <= SEGMENTS_CHARS_MAX;
  const known = options.some((option) => option === chosen);
  const title = kindText(field.title);
  const frame = { path, title, help: kindText(field.help), required: field.required };
  if (few)
    return (
      <Frame {...frame} group>
        {() => (
          <span className="segments">
            {options.map((option) => (
              <button
                key={option}
                type="button"
                aria-pressed={option === chosen}
                disabled={readOnly && option !== chosen}
                onClick={() => !readOnly && act(option)}
              >
                {labelOf(option)}
              </button>
            ))}
          </span>
        )}
      </Frame>
    );
  // Codes use the font of code, texts do not.
  const isText = options.some((option) => labelOf(option) !== String(option));
  return (
    <Frame {...frame}>
      {(wiring) => (
        <span className={isText ? 'native full text' : 'native full'}>
          <select
            {...wiring}
            value={known ? String(chosen) : ''}
            disabled={readOnly}
            onChange={({ target }) => act(options.find((option) => String(option) === target.value))}
          >
            {!known && (
              <option value="">
                {chosen === undefined ? t('editorForm.choose') : t('editorForm.lost', { id: plain(chosen) })}
              </option>
            )}
            {options.map((option) => (
              <option key={option} value={String(option)}>
                {labelOf(option)}
              </option>
            ))}
          </select>
          <Icon name="down" />
        </span>
      )}
    </Frame>
  );
}

export function SwitchField({ field, path, value, onChange }: SettingOf<'switch'>) {
  return <Tick field={field} path={path} isOn={(value ?? field.preset) === true} onChange={onChange} />;
}

/** Given with its single value, or not given. */
export function TickField({ field, control, path, value, onChange }: SettingOf<'tick'>) {
  const set = (on: boolean) => onChange(on ? control.value : undefined);
  return <Tick field={field} path={path} isOn={value !== undefined} onChange={set} />;
}

interface TickProps extends Pick<SettingOf<'switch'>, 'field' | 'path'> {
  isOn: boolean;
  onChange: (on: boolean) => void;
}

/** The title is the label of the checkbox. */
function Tick({ field, path, isOn, onChange }: TickProps) {
  const kindText = useKindText();
  const { readOnly, faultAt } = useFormContext();
  const act = useAct(onChange);
  return (
    <div className="setting" data-field={path}>
      <Checkbox
        checked={isOn}
        disabled={readOnly}
        label={
          <>
            <span className="setting-title">{kindText(field.title)}</span>
            <small>{kindText(field.help)}</small>
          </>
        }
        error={faultAt(path, true)}
        onChange={(event) => act(event.currentTarget.checked)}
      />
    </div>
  );
}
