import { Button, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { FieldFault } from '#ui/field-error.tsx';
import { FIELD_ORDER } from '#ui/form-fields.tsx';
import { Segments } from '#ui/segments.tsx';
import type { useAddress } from '#ui/use-address.ts';
import { chosenRange, fieldTime, LENGTHS, rangeAddress, type Chosen } from './trend-range.ts';

const KINDS = ['15min', '1h', '8h', '24h', '7d', 'own'] as const satisfies readonly Chosen['kind'][];

/** The last so long, or from one time to another. */
export function RangeRow({ read, change }: ReturnType<typeof useAddress>) {
  const { t } = useTranslation();
  const chosen = chosenRange(read);
  const choose = (kind: Chosen['kind']) => {
    if (kind !== 'own') return change({ range: kind, from: '', to: '' });
    if (chosen.kind === 'own') return;
    const to = Date.now();
    change(rangeAddress({ from: to - LENGTHS[chosen.kind], to }));
  };
  return (
    <div className="row wrap top">
      <Segments
        label={t('data.trend.rangeLabel')}
        value={chosen.kind}
        options={KINDS.map((value) => ({ value, label: t(`data.trend.length.${value}`) }))}
        onChange={choose}
      />
      {chosen.kind === 'own' && (
        <OwnRange
          key={`${chosen.range.from} ${chosen.range.to}`}
          from={chosen.range.from}
          to={chosen.range.to}
          onChange={(from, to) => change(rangeAddress({ from, to }))}
        />
      )}
    </div>
  );
}

interface OwnProps {
  from: number;
  to: number;
  onChange: (from: number, to: number) => void;
}

function OwnRange({ from, to, onChange }: OwnProps) {
  const { t } = useTranslation();
  const [begins, setBegins] = useState(fieldTime(from));
  const [ends, setEnds] = useState(fieldTime(to));
  const [asked, setAsked] = useState(false);
  const right = Date.parse(begins) < Date.parse(ends);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
    if (right) onChange(Date.parse(begins), Date.parse(ends));
  };
  return (
    <form className="row wrap top" onSubmit={submit} noValidate>
      <TextInput
        type="datetime-local"
        aria-label={t('data.trend.from')}
        inputWrapperOrder={FIELD_ORDER}
        value={begins}
        onChange={(event) => setBegins(event.currentTarget.value)}
        error={asked && !right && <FieldFault text={t('data.trend.wrongRange')} />}
      />
      <TextInput
        type="datetime-local"
        aria-label={t('data.trend.to')}
        value={ends}
        onChange={(event) => setEnds(event.currentTarget.value)}
      />
      <Button type="submit">{t('data.trend.showRange')}</Button>
    </form>
  );
}
