import { Button, Checkbox, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Icon } from '#ui/icon.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { NativeSelect } from '#ui/native-select.tsx';
import { TextButton } from '#ui/text-button.tsx';
import { Fault } from './fault.tsx';
import { movedParam, PARAM_TYPES, type Param } from './query-draft.ts';

interface Props {
  params: readonly Param[];
  /** Names in the SQL that are missing in the table. */
  missing: readonly string[];
  fault: string | null;
  onAdd: (names: string[]) => void;
  /** Absent: read-only. */
  onChange?: (params: Param[]) => void;
}

/** The typed parameters of a query, in order. */
export function ParamTable({ params, missing, fault, onAdd, onChange }: Props) {
  const { t } = useTranslation();
  return (
    <div className="stack tight">
      <h3>{t('queries.params')}</h3>
      {params.length === 0 && <p className="t2">{t('queries.noParamsHelp')}</p>}
      <ul className="param-list">
        {params.map((param, index) =>
          onChange === undefined ? (
            <li key={param.name}>
              <span className="mono">:{param.name}</span> {t(`queries.type.${param.type}`)}
              {param.optional && `, ${t('queries.optional')}`}
            </li>
          ) : (
            // The name is the input itself, so labels distinguish the rows by their position.
            <ParamRow key={index} index={index} params={params} onChange={onChange} />
          ),
        )}
      </ul>
      <Fault text={fault} />
      {onChange && missing.length > 0 && (
        <p className="t2">
          {t('queries.missing', { names: missing.map((name) => `:${name}`).join(', ') })}{' '}
          <TextButton onClick={() => onAdd([...missing])}>{t('queries.addMissing')}</TextButton>
        </p>
      )}
      {onChange && (
        <Button className="start" leftSection={<Icon name="plus" />} onClick={() => onAdd([''])}>
          {t('queries.addParam')}
        </Button>
      )}
    </div>
  );
}

interface RowProps {
  index: number;
  params: readonly Param[];
  onChange: (params: Param[]) => void;
}

function ParamRow({ index, params, onChange }: RowProps) {
  const { t } = useTranslation();
  const param = params[index];
  if (param === undefined) return null;
  const { name, type, optional } = param;
  const set = (patch: Partial<Param>) => onChange(params.with(index, { ...param, ...patch }));
  const chooseType = (wanted: string) => {
    const found = PARAM_TYPES.find((one) => one === wanted);
    if (found !== undefined) set({ type: found });
  };
  const which = { name: name === '' ? String(index + 1) : name };
  return (
    <li className="param-row">
      <TextInput
        className="mono-field"
        aria-label={t('queries.paramName', { number: index + 1 })}
        value={name}
        autoComplete="off"
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <NativeSelect
        label={t('queries.paramType', which)}
        value={type}
        options={PARAM_TYPES.map((value) => ({ value, label: t(`queries.type.${value}`) }))}
        onChange={chooseType}
      />
      <Checkbox
        checked={optional}
        label={t('queries.optional')}
        onChange={(event) => set({ optional: event.currentTarget.checked })}
      />
      <span className="row">
        <IconButton
          icon="down"
          label={t('queries.up', which)}
          turned
          disabled={index === 0}
          onClick={() => onChange(movedParam(params, index, -1))}
        />
        <IconButton
          icon="down"
          label={t('queries.down', which)}
          disabled={index === params.length - 1}
          onClick={() => onChange(movedParam(params, index, 1))}
        />
        <IconButton
          icon="close"
          label={t('queries.removeParam', which)}
          onClick={() => onChange(params.toSpliced(index, 1))}
        />
      </span>
    </li>
  );
}
