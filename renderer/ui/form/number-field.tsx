import { useTranslation } from 'react-i18next';
import type { SettingOf } from './setting-props.ts';
import { useAct, useFormContext } from './form-context.tsx';
import { Frame } from './frame.tsx';
import { useKindText } from '../kind-text/use-kind-text.ts';
import { Icon } from '../icon.tsx';
import { readNumber, readSize, SIZE_UNITS, writeSize, type SizeUnit } from './size.ts';
import { presetText } from './text-setting.tsx';
import { plain } from './values.ts';
import { useText, type Reading } from './use-text.ts';

/** Nothing typed is nothing given. */
function readAmount(text: string): Reading<unknown> {
  if (text.trim() === '') return { ok: true, value: undefined };
  const value = readNumber(text);
  return value === null ? { ok: false } : { ok: true, value };
}

export function NumberField({ field, control, path, value, onChange }: SettingOf<'number'>) {
  const { t } = useTranslation();
  const kindText = useKindText();
  const { readOnly } = useFormContext();
  const { text, isWrong, type, leave } = useText(value, plain, readAmount, onChange);
  const fault = isWrong ? t(control.whole ? 'editorForm.fault.whole' : 'editorForm.fault.number') : null;
  const { title, help, required, preset } = field;
  return (
    <Frame path={path} title={kindText(title)} help={kindText(help)} required={required} fault={fault}>
      {(wiring) => (
        <span className="setting-amount">
          <input
            {...wiring}
            type="text"
            inputMode="decimal"
            className="setting-input"
            value={text}
            placeholder={presetText(preset)}
            readOnly={readOnly}
            autoComplete="off"
            onChange={(event) => type(event.target.value)}
            onBlur={leave}
          />
          {control.unit !== '' && <span className="setting-unit">{control.unit}</span>}
        </span>
      )}
    </Frame>
  );
}

/** An amount and its unit. */
export function SizeField({ field, path, value, onChange }: SettingOf<'size'>) {
  const { t } = useTranslation();
  const kindText = useKindText();
  const { readOnly } = useFormContext();
  const act = useAct(onChange);
  const preset = readSize(field.preset);
  const size = value === undefined ? null : readSize(value);
  const unit = size?.unit ?? preset?.unit ?? 'KB';
  const write = (amount: unknown) => onChange(typeof amount === 'number' ? writeSize({ amount, unit }) : undefined);
  const { text, isWrong, type, leave } = useText<unknown>(size?.amount, plain, readAmount, write);
  const title = kindText(field.title);
  return (
    <Frame
      path={path}
      title={title}
      help={kindText(field.help)}
      required={field.required}
      fault={isWrong ? t('editorForm.fault.number') : null}
    >
      {(wiring) => (
        <span className="setting-amount">
          <input
            {...wiring}
            type="text"
            inputMode="decimal"
            className="setting-input"
            value={text}
            placeholder={preset === null ? '' : String(preset.amount)}
            readOnly={readOnly}
            autoComplete="off"
            onChange={(event) => type(event.target.value)}
            onBlur={leave}
          />
          <span className="native">
            <select
              aria-label={t('editorForm.unitOf', { field: title })}
              value={unit}
              disabled={readOnly}
              onChange={({ target }) =>
                act(writeSize({ amount: size?.amount ?? preset?.amount ?? 1, unit: target.value as SizeUnit }))
              }
            >
              {SIZE_UNITS.map((one) => (
                <option key={one} value={one}>
                  {one}
                </option>
              ))}
            </select>
            <Icon name="down" />
          </span>
        </span>
      )}
    </Frame>
  );
}
