import { useId, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../icon.tsx';
import { Setting } from './control.tsx';
import { useAct, useFormContext } from './form-context.tsx';
import { Frame } from './frame.tsx';
import { useKindText } from '../kind-text/use-kind-text.ts';
import type { Field } from './schema-types.ts';
import type { FieldsProps } from './setting-props.ts';
import { join, withValue } from './values.ts';

/** The fields of one object: alternatives together, rarely used ones below "More". */
export function Fields({ fields, values, path, onChange }: FieldsProps) {
  const set = (name: string, value: unknown) => onChange(withValue(values, name, value));
  const draw = (one: Field | readonly Field[]): ReactNode =>
    isOne(one) ? (
      <Setting
        key={one.name}
        field={one}
        control={one.control}
        path={join(path, one.name)}
        value={values[one.name]}
        onChange={(value) => set(one.name, value)}
      />
    ) : (
      <Alternatives key={one[0]?.choice} fields={one} values={values} path={path} onChange={onChange} />
    );
  const rare = fields.filter(({ more }) => more);
  return (
    <>
      {grouped(fields.filter(({ more }) => !more)).map(draw)}
      {rare.length > 0 && (
        <More names={rare.map(({ name }) => join(path, name))} given={rare.some(({ name }) => name in values)}>
          {grouped(rare).map(draw)}
        </More>
      )}
    </>
  );
}

function isOne(one: Field | readonly Field[]): one is Field {
  return !Array.isArray(one);
}

/** Alternatives are shown at the position of the first one. */
function grouped(fields: readonly Field[]): (Field | readonly Field[])[] {
  return fields.flatMap((field, index) => {
    if (field.choice === null) return [field];
    const all = fields.filter(({ choice }) => choice === field.choice);
    return fields.indexOf(all[0] ?? field) === index ? [all] : [];
  });
}

/** One of several settings is given: the user selects which one, and only its field is shown. */
function Alternatives({ fields, values, path, onChange }: FieldsProps) {
  const { t } = useTranslation();
  const text = useKindText();
  const { readOnly } = useFormContext();
  const given = fields.find(({ name }) => values[name] !== undefined);
  const [chosen, setChosen] = useState<string | null>(null);
  const shown = given ?? fields.find(({ name }) => name === chosen);
  const act = useAct(onChange);
  const choose = (name: string) => {
    setChosen(name);
    const without = fields.reduce((rest, field) => withValue(rest, field.name, undefined), { ...values });
    const next = fields.find((field) => field.name === name);
    const start = next?.control.kind === 'tick' ? next.control.value : undefined;
    act(withValue(without, name, start));
  };
  const [first] = fields;
  if (first === undefined) return null;
  const title =
    first.choice === 'source' || first.choice === 'schedule'
      ? t(`editorForm.choice.${first.choice}`)
      : fields.map((field) => text(field.title)).join(', ');
  return (
    <>
      <Frame path={`${path}?${first.choice}`} title={title} help="" required={false} holdsFields>
        {(wiring) => (
          <span className="native full">
            <select
              {...wiring}
              value={shown?.name ?? ''}
              disabled={readOnly}
              onChange={({ target }) => choose(target.value)}
            >
              <option value="">{t('editorForm.notGiven')}</option>
              {fields.map((field) => (
                <option key={field.name} value={field.name}>
                  {text(field.title)}
                </option>
              ))}
            </select>
            <Icon name="down" />
          </span>
        )}
      </Frame>
      {shown !== undefined && shown.control.kind !== 'tick' && (
        <Setting
          key={shown.name}
          field={shown}
          control={shown.control}
          path={join(path, shown.name)}
          value={values[shown.name]}
          onChange={(value) => onChange(withValue(values, shown.name, value))}
        />
      )}
    </>
  );
}

/** `names`: paths of its fields, so that it can be expanded for one of them. */
function More({ names, given, children }: { names: readonly string[]; given: boolean; children: ReactNode }) {
  const { t } = useTranslation();
  const { faultAt } = useFormContext();
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const faulty = names.some((name) => faultAt(name, true) !== null);
  return (
    <div className="setting-more" data-holds={names.join(' ')}>
      <button type="button" aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
        <Icon name={isOpen ? 'down' : 'right'} />
        {t('editorForm.more')}
        {given && !isOpen && <small className="t3">{t('editorForm.moreGiven')}</small>}
        {faulty && !isOpen && <small className="strong">{t('editorForm.moreFaulty')}</small>}
      </button>
      <div id={id} className="settings-list" hidden={!isOpen}>
        {isOpen && children}
      </div>
    </div>
  );
}
