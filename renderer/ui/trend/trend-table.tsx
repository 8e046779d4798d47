import { useTranslation } from 'react-i18next';
import { preciseTime, shortDate } from '../format.ts';
import { measureText } from '../quantity.ts';
import { VirtualTable, type Column } from '../virtual-table.tsx';
import { alignedColumns, type TrendSeries } from './trend-points.ts';

interface Row {
  at: number;
  values: (number | null)[];
}

/** The same values as figures, newest first. */
export function TrendTable({ label, series }: { label: string; series: readonly TrendSeries[] }) {
  const { t, i18n } = useTranslation();
  const locale = i18n.language;
  const { times, values } = alignedColumns(series);
  const rows = times
    .map((at, place): Row => ({ at, values: values.map((column) => column[place] ?? null) }))
    .toReversed();
  const columns: Column<Row>[] = [
    {
      key: 'time',
      head: t('data.time'),
      least: 190,
      grow: 1,
      renderCell: ({ at }) => (
        <time className="mono" dateTime={new Date(at).toISOString()}>
          {shortDate(new Date(at), locale)} {preciseTime(new Date(at))}
        </time>
      ),
    },
    ...series.map(({ label: name, unit }, place): Column<Row> => ({
      key: name,
      head: unit === '' ? name : `${name}, ${unit}`,
      least: 160,
      grow: 1,
      number: true,
      renderCell: (row) => {
        const value = row.values[place] ?? null;
        return value === null ? <span className="t3">{t('data.trend.noValue')}</span> : measureText(value, locale);
      },
    })),
  ];
  return (
    <div className="trend-table">
      <VirtualTable label={label} columns={columns} rows={rows} keyOf={({ at }) => String(at)} rowHeight={30} />
    </div>
  );
}
