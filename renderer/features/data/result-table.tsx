import { useTranslation } from 'react-i18next';
import { VirtualTable, type Column } from '#ui/virtual-table.tsx';
import { cellText, columnsOf } from './result-columns.ts';

type Row = Readonly<Record<string, unknown>>;

const ROW_HEIGHT = 34;

/** Rows of any shape, with a type for each column. */
export function ResultTable({ label, rows }: { label: string; rows: readonly Row[] }) {
  const { t } = useTranslation();
  const columns = columnsOf(rows).map(({ name, type }): Column<Row> => ({
    key: name,
    head: (
      <>
        <span className="mono">{name}</span> <span className="t3">{t(`queries.cell.${type}`)}</span>
      </>
    ),
    least: 150,
    grow: 1,
    number: type === 'number',
    renderCell: (row) => {
      const value = row[name];
      const absent = value === null || value === undefined;
      return <span className={absent ? 'mono t3 cut' : 'mono cut'}>{cellText(value)}</span>;
    },
  }));
  return (
    <div className="result-table">
      <VirtualTable
        label={label}
        columns={columns}
        rows={rows}
        keyOf={(_row, index) => String(index)}
        rowHeight={ROW_HEIGHT}
      />
    </div>
  );
}
