import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDefinitions } from '#api/definition-queries.ts';
import { FieldFault } from '../field-error.tsx';
import { Icon } from '../icon.tsx';
import type { SettingProps } from './setting-props.ts';
import { useAct, useFormContext } from './form-context.tsx';
import { Frame } from './frame.tsx';
import { useKindText } from '../kind-text/use-kind-text.ts';
import { PairValue } from './pair-value.tsx';
import type { Control } from './schema-types.ts';
import { sqlParameters } from './sql-parameters.ts';
import { isValues, join, withValue } from './values.ts';

type PairsControl = Extract<Control, { kind: 'pairs' }>;

/** Names and their values. Predefined names (the parameters of a query) are shown without a value. */
export function PairsField({ field, control, path, value, onChange }: SettingProps<PairsControl>) {
  const kindText = useKindText();
  const { readOnly } = useFormContext();
  const pairs = isValues(value) ? value : {};
  const write = (next: Record<string, unknown>) =>
    onChange(Object.keys(next).length === 0 && !field.required ? undefined : next);
  const act = useAct(write);
  const known = useKnownNames(control.names, path);
  const names = [...new Set([...known, ...Object.keys(pairs)])];
  const title = kindText(field.title);
  return (
    <Frame path={path} title={title} help={kindText(field.help)} required={field.required} holdsFields group>
      {() => (
        <>
          {names.map((name) => (
            <Pair
              key={name}
              name={name}
              isKnown={known.includes(name)}
              control={control.value}
              path={join(path, name)}
              value={pairs[name]}
              taken={names}
              onChange={(next) => write(withValue(pairs, name, next))}
              onRename={(next) => act(renamed(pairs, name, next))}
              onRemove={() => act(withValue(pairs, name, undefined))}
            />
          ))}
          {!readOnly && (
            <NewPair title={title} taken={names} onAdd={(name) => act({ ...pairs, [name]: startOf(control) })} />
          )}
        </>
      )}
    </Frame>
  );

  function startOf({ value: inner }: PairsControl): unknown {
    return inner.kind === 'text' ? '' : null;
  }
}

/** At its previous position. */
function renamed(pairs: Record<string, unknown>, name: string, next: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(pairs).map(([one, value]) => [one === name ? next : one, value]));
}

function useKnownNames(names: PairsControl['names'], path: string): string[] {
  const { project, settings } = useFormContext();
  const queries = useDefinitions(project, 'queries').data;
  if (names === 'query')
    return queries?.find(({ id }) => id === settings['query'])?.params.map(({ name }) => name) ?? [];
  if (names === 'sql') return sqlParameters(besideOf(settings, path));
  return [];
}

/** The statement that belongs to the parameters at `statements.0.params`. */
function besideOf(settings: Record<string, unknown>, path: string): string {
  const owner = path.split('.').slice(0, -1);
  const holder = owner.reduce<unknown>(
    (inner, name) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, name) : undefined),
    settings,
  );
  return isValues(holder) && typeof holder['sql'] === 'string' ? holder['sql'] : '';
}

interface PairProps {
  name: string;
  /** Its name is predefined. */
  isKnown: boolean;
  control: Control;
  path: string;
  value: unknown;
  taken: readonly string[];
  onChange: (value: unknown) => void;
  onRename: (name: string) => void;
  onRemove: () => void;
}

function Pair({ name, isKnown, control, path, value, taken, onChange, onRename, onRemove }: PairProps) {
  const { t } = useTranslation();
  const { readOnly, faultAt } = useFormContext();
  const fault = faultAt(path, true);
  // A stored value belongs to its name, and cannot be read to be moved to another one.
  const fixed = isKnown || readOnly || control.kind === 'secret';
  return (
    <div className="setting-pair" data-field={path}>
      {fixed ? (
        <span className="mono setting-name">{name}</span>
      ) : (
        <NameInput name={name} taken={taken} onRename={onRename} />
      )}
      <PairValue
        name={name}
        isKnown={isKnown}
        control={control}
        value={value}
        isFaulty={fault !== null}
        placeholder={isKnown ? t('editorForm.mapping.placeholder') : ''}
        onChange={onChange}
      />
      {!isKnown && !readOnly && (
        <Button className="square" aria-label={t('editorForm.removePair', { name })} onClick={onRemove}>
          <Icon name="close" />
        </Button>
      )}
      {fault !== null && (
        <p className="mantine-InputWrapper-error">
          <FieldFault text={fault} />
        </p>
      )}
    </div>
  );
}

/** Applied when the field loses focus, so that a partly typed name does not replace another entry. */
function NameInput({
  name,
  taken,
  onRename,
}: {
  name: string;
  taken: readonly string[];
  onRename: (name: string) => void;
}) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(name);
  const leave = () => {
    const next = typed.trim();
    if (next === '' || (next !== name && taken.includes(next))) setTyped(name);
    else if (next !== name) onRename(next);
  };
  return (
    <input
      type="text"
      className="setting-input mono"
      aria-label={t('editorForm.pairName')}
      value={typed}
      spellCheck={false}
      autoComplete="off"
      onChange={(event) => setTyped(event.target.value)}
      onKeyDown={(event) => event.key === 'Enter' && leave()}
      onBlur={leave}
    />
  );
}

interface NewProps {
  title: string;
  taken: readonly string[];
  onAdd: (name: string) => void;
}

function NewPair({ title, taken, onAdd }: NewProps) {
  const { t } = useTranslation();
  const [name, setName] = useState('');
  const plain = name.trim();
  const add = () => {
    if (plain === '' || taken.includes(plain)) return;
    onAdd(plain);
    setName('');
  };
  return (
    <div className="setting-line">
      <input
        type="text"
        className="setting-input mono"
        aria-label={t('editorForm.newPair', { field: title })}
        placeholder={t('editorForm.newPairPlaceholder')}
        value={name}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => setName(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          add();
        }}
      />
      <Button disabled={plain === '' || taken.includes(plain)} onClick={add}>
        {t('editorForm.addPair')}
      </Button>
    </div>
  );
}
