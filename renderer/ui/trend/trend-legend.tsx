import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { clockTime } from '../format.ts';
import { Icon } from '../icon.tsx';
import { measureText } from '../quantity.ts';
import { dashOf, lastValue, valueAt, type TrendSeries } from './trend-points.ts';

interface Props {
  series: readonly TrendSeries[];
  cursor: number | null;
  /** Absent: every line stays. */
  onRemove: ((label: string) => void) | undefined;
}

/** Which line is which, and what it shows at the cursor; without a cursor, last. */
export function TrendLegend({ series, cursor, onRemove }: Props) {
  const { t } = useTranslation();
  return (
    <ul className="trend-legend">
      {series.map((one, index) => (
        <li key={one.label}>
          <svg width="28" height="12" viewBox="0 0 28 12" aria-hidden="true">
            {one.bars === true ? (
              <path d="M8 6h12" className={`line-${(index % 4) + 1} bar`} />
            ) : (
              <path d="M0 6h28" className={`line-${(index % 4) + 1}`} strokeDasharray={dashOf(one, index).join(' ')} />
            )}
          </svg>
          <span className="mono">{one.label}</span>
          <LegendValue series={one} cursor={cursor} />
          {onRemove !== undefined && series.length > 1 && (
            <Button
              variant="subtle"
              className="square"
              aria-label={t('data.trend.remove', { path: one.label })}
              onClick={() => onRemove(one.label)}
            >
              <Icon name="close" small />
            </Button>
          )}
        </li>
      ))}
      <li className="t3">
        {cursor === null ? t('data.trend.last') : t('data.trend.at', { time: clockTime(new Date(cursor)) })}
      </li>
    </ul>
  );
}

function LegendValue({ series, cursor }: { series: TrendSeries; cursor: number | null }) {
  const { t, i18n } = useTranslation();
  const value = cursor === null ? lastValue(series.points) : valueAt(series.points, cursor);
  if (value === null) return <span className="t3">{t('data.trend.noValue')}</span>;
  return (
    <span>
      <b>{measureText(value, i18n.language)}</b> <span className="t3">{series.unit}</span>
    </span>
  );
}
