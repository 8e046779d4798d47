import { useTranslation } from 'react-i18next';
import { fieldTime } from '#ui/field-time.ts';
import { RangeForm } from '#ui/range-form.tsx';
import { Segments } from '#ui/segments.tsx';
import type { useAddress } from '#ui/use-address.ts';
import { chosenRange, LENGTHS, rangeAddress, type Chosen } from './trend-range.ts';

const KINDS = ['15min', '1h', '8h', '24h', '7d', 'own'] as const satisfies readonly Chosen['kind'][];

/** A range that ends now, or one with fixed ends. */
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
    <div className="row wrap">
      <Segments
        label={t('data.trend.rangeLabel')}
        value={chosen.kind}
        options={KINDS.map((value) => ({ value, label: t(`data.trend.length.${value}`) }))}
        onChange={choose}
      />
      {chosen.kind === 'own' && (
        <RangeForm
          key={`${chosen.range.from} ${chosen.range.to}`}
          from={fieldTime(chosen.range.from)}
          to={fieldTime(chosen.range.to)}
          labels={{
            from: t('data.trend.from'),
            to: t('data.trend.to'),
            show: t('data.trend.showRange'),
            wrong: t('data.trend.wrongRange'),
          }}
          isRight={(from, to) => Date.parse(from) < Date.parse(to)}
          onShow={(from, to) => change(rangeAddress({ from: Date.parse(from), to: Date.parse(to) }))}
        />
      )}
    </div>
  );
}
