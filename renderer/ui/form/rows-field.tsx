import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Icon } from '../icon.tsx';
import type { SettingOf } from './setting-props.ts';
import { isValues, join } from './values.ts';
import { useAct, useFormContext } from './form-context.tsx';
import { Frame } from './frame.tsx';
import { useKindText } from '../kind-text/use-kind-text.ts';
import type { Control } from './schema-types.ts';

type Row = Record<string, unknown>;

/** A list of objects: each a box of fields, in the order of execution. */
export function RowsField({ field, control, path, value, onChange }: SettingOf<'rows'>) {
  const { t } = useTranslation();
  const kindText = useKindText();
  const { readOnly, Fields } = useFormContext();
  const act = useAct(onChange);
  const rows = rowsOf(value);
  // Rows have no names: they are identified by their position.
  const places = [...rows.keys()];
  const title = kindText(field.title);
  return (
    <Frame path={path} title={title} help={kindText(field.help)} required={field.required} holdsFields group>
      {() => (
        <>
          {places.map((index) => (
            <div key={index} className="setting-row">
              <div className="setting-row-head">
                <span className="strong grow">{t('editorForm.entry', { field: title, number: index + 1 })}</span>
                {!readOnly && <RowButtons {...{ rows, index, title }} onChange={act} />}
              </div>
              <RowFault path={join(path, index)} />
              <Fields
                fields={
                  index === 0 ? control.fields : control.fields.map((one) => ({ ...one, help: '', required: false }))
                }
                values={rows[index] ?? {}}
                path={join(path, index)}
                onChange={(next) => onChange(rows.with(index, next))}
              />
            </div>
          ))}
          {!readOnly && rows.length < control.most && (
            <Button leftSection={<Icon name="plus" />} onClick={() => act([...rows, newRow(control, rows)])}>
              {t('editorForm.addTo', { field: title })}
            </Button>
          )}
        </>
      )}
    </Frame>
  );
}

/** The error of the row as a whole. */
function RowFault({ path }: { path: string }) {
  const { faultAt } = useFormContext();
  const fault = faultAt(path, false);
  return fault === null ? null : <p className="mantine-InputWrapper-error">{fault}</p>;
}

function rowsOf(value: unknown): Row[] {
  return Array.isArray(value) ? value.map((row: unknown) => (isValues(row) ? row : {})) : [];
}

/** A new row has the required fields that have a choice of values, and a unique port. */
function newRow({ fields }: Extract<Control, { kind: 'rows' }>, rows: readonly Row[]): Row {
  const taken = new Set(rows.map(({ port }) => port));
  return Object.fromEntries(
    fields.flatMap(({ name, required, preset, control }): [string, unknown][] => {
      if (!required || preset !== undefined) return [];
      if (control.kind === 'select') return [[name, control.options[0]]];
      return name === 'port' ? [[name, freeName('case', taken)]] : [];
    }),
  );
}

function freeName(base: string, taken: ReadonlySet<unknown>): string {
  for (let count = taken.size + 1; ; count++) if (!taken.has(`${base}${count}`)) return `${base}${count}`;
}

interface ButtonsProps {
  rows: readonly Row[];
  index: number;
  title: string;
  onChange: (rows: readonly Row[]) => void;
}

function RowButtons({ rows, index, title, onChange }: ButtonsProps) {
  const { t } = useTranslation();
  const named = { field: title, number: index + 1 };
  const swap = (other: number) => {
    const [one, two] = [rows[index], rows[other]];
    if (one !== undefined && two !== undefined) onChange(rows.with(index, two).with(other, one));
  };
  return (
    <>
      <Button
        className="square up"
        aria-label={t('editorForm.moveUp', named)}
        disabled={index === 0}
        onClick={() => swap(index - 1)}
      >
        <Icon name="down" />
      </Button>
      <Button
        className="square"
        aria-label={t('editorForm.moveDown', named)}
        disabled={index === rows.length - 1}
        onClick={() => swap(index + 1)}
      >
        <Icon name="down" />
      </Button>
      <Button
        className="square"
        aria-label={t('editorForm.removeEntry', named)}
        onClick={() => onChange(rows.filter((_, place) => place !== index))}
      >
        <Icon name="close" />
      </Button>
    </>
  );
}
