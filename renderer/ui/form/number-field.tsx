import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { SettingOf } from './setting-props.ts';
import { useAct, useFormContext } from './form-context.tsx';
import { Frame } from './frame.tsx';
import { useKindText } from '../kind-text/use-kind-text.ts';
import { Icon } from '../icon.tsx';
import { readNumber, readSize, SIZE_UNITS, writeSize, type SizeUnit } from './size.ts';
import { presetText } from './text-setting.tsx';
import { amountOf, BYTE_UNITS, type ByteUnit } from './typed-values.ts';
import { plain } from './values.ts';
import { usePlaceholder } from './use-placeholder.ts';
import { useText, type Reading } from './use-text.ts';

/** An empty input means no value. */
function readAmount(text: string): Reading<unknown> {
  if (text.trim() === '') return { ok: true, value: undefined };
  const value = readNumber(text);
  return value === null ? { ok: false } : { ok: true, value };
}

/** As typed: the form parses it when it is saved. */
const asTyped = (text: string): Reading<unknown> => ({ ok: true, value: text });

export function NumberField({ field, control, path, value, onChange }: SettingOf<'number'>) {
  const { t } = useTranslation();
  const kindText = useKindText();
  const { typed } = useFormContext();
  const placeholder = usePlaceholder()(typed === null ? field.preset : '', path);
  const amount = useText(value, plain, typed === null ? readAmount : asTyped, onChange);
  const fault = amount.isWrong ? t(control.whole ? 'editorForm.fault.whole' : 'editorForm.fault.number') : null;
  return (
    <Amount field={field} path={path} fault={fault} amount={amount} placeholder={placeholder}>
      {control.unit !== '' && <span className="setting-unit">{kindText(control.unit)}</span>}
    </Amount>
  );
}

/** An amount and its unit. */
export function SizeField({ field, path, value, onChange }: SettingOf<'size'>) {
  const { t } = useTranslation();
  const act = useAct(onChange);
  const preset = readSize(field.preset);
  const size = value === undefined ? null : readSize(value);
  const unit = size?.unit ?? preset?.unit ?? 'KB';
  const write = (amount: unknown) => onChange(typeof amount === 'number' ? writeSize({ amount, unit }) : undefined);
  const amount = useText<unknown>(size?.amount, plain, readAmount, write);
  const fault = amount.isWrong ? t('editorForm.fault.number') : null;
  const choose = (next: SizeUnit) => act(writeSize({ amount: size?.amount ?? preset?.amount ?? 1, unit: next }));
  return (
    <Amount field={field} path={path} fault={fault} amount={amount} placeholder={presetText(preset?.amount)}>
      <UnitSelect title={field.title} unit={unit} units={SIZE_UNITS} onChange={choose} />
    </Amount>
  );
}

/** An amount of bytes and its unit, as typed: `1.5 GiB`. */
export function BytesField({ field, path, value, onChange }: SettingOf<'bytes'>) {
  const { amount, unit } = amountOf(plain(value));
  const type = (text: string) => onChange(`${text.replaceAll(' ', '')} ${unit}`);
  const choose = (next: ByteUnit) => onChange(`${amount} ${next}`);
  return (
    <Amount field={field} path={path} fault={null} amount={{ text: amount, type }} placeholder="">
      <UnitSelect title={field.title} unit={unit} units={BYTE_UNITS} onChange={choose} />
    </Amount>
  );
}

interface AmountProps extends Pick<SettingOf<'number'>, 'field' | 'path'> {
  fault: string | null;
  amount: { text: string; type: (text: string) => void; leave?: () => void };
  placeholder: string;
  /** After the field. */
  children: ReactNode;
}

function Amount({ field, path, fault, amount, placeholder, children }: AmountProps) {
  const kindText = useKindText();
  const { readOnly } = useFormContext();
  const { title, help, required } = field;
  return (
    <Frame path={path} title={kindText(title)} help={kindText(help)} required={required} fault={fault}>
      {(wiring) => (
        <span className="setting-amount">
          <input
            {...wiring}
            type="text"
            inputMode="decimal"
            className="setting-input"
            value={amount.text}
            placeholder={placeholder}
            readOnly={readOnly}
            autoComplete="off"
            onChange={(event) => amount.type(event.target.value)}
            onBlur={amount.leave}
          />
          {children}
        </span>
      )}
    </Frame>
  );
}

interface UnitProps<U extends string> {
  title: string;
  unit: U;
  units: readonly U[];
  onChange: (unit: U) => void;
}

function UnitSelect<U extends string>({ title, unit, units, onChange }: UnitProps<U>) {
  const { t } = useTranslation();
  const kindText = useKindText();
  const { readOnly } = useFormContext();
  return (
    <span className="native">
      <select
        aria-label={t('editorForm.unitOf', { field: kindText(title) })}
        value={unit}
        disabled={readOnly}
        onChange={({ target }) => onChange(units.find((one) => one === target.value) ?? unit)}
      >
        {units.map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </select>
      <Icon name="down" />
    </span>
  );
}
