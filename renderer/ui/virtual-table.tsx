import { memo, useEffect, type CSSProperties, type ReactNode } from 'react';
import { useSight } from './use-sight.ts';
import './virtual-table.css';

export interface Column<Row> {
  key: string;
  head: ReactNode;
  /** Minimum width in pixels. A table without enough room scrolls sideways. */
  least: number;
  /** Share of the remaining width; absent: the width is fixed. */
  grow?: number;
  /** Figures, right-aligned. */
  number?: boolean;
  renderCell: (row: Row) => ReactNode;
}

interface Props<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row, index: number) => string;
  /** Pixels of one row. */
  rowHeight?: number;
  classOf?: (row: Row) => string;
  /** A row without columns, such as the name of a folder; undefined: a normal row. */
  renderWhole?: (row: Row) => ReactNode;
  /** The visible rows, first and last; called again while the list is scrolled. */
  onSight?: (first: number, last: number) => void;
}

const ROW_HEIGHT = 48;
const HEAD_HEIGHT = 34;
/** A scrollable element must be reachable with the arrow keys, even if no row has a button. */
const FOCUSABLE = { tabIndex: 0 };

/** A table of any length: only the visible rows are in the page. It fills its container and scrolls within it. */
export function VirtualTable<Row>(props: Props<Row>) {
  const { label, columns, rows, keyOf, rowHeight = ROW_HEIGHT, onSight } = props;
  const [scroller, { first, last }] = useSight(rows.length, rowHeight);
  useEffect(() => onSight?.(first, last), [onSight, first, last]);
  const tracks = columns.map(trackOf).join(' ');
  return (
    <div className="virtual-table" ref={scroller} {...FOCUSABLE}>
      <table aria-label={label} aria-rowcount={rows.length + 1} style={{ minWidth: leastOf(columns) }}>
        <thead>
          <tr aria-rowindex={1} style={{ gridTemplateColumns: tracks, height: HEAD_HEIGHT }}>
            {columns.map(({ key, head, number }) => (
              <th key={key} className={number ? 'number-cell' : ''}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody style={{ height: rows.length * rowHeight }}>
          {rows.slice(first, last + 1).map((row, place) => {
            const index = first + place;
            const { classOf, renderWhole } = props;
            return (
              <TableRow key={keyOf(row, index)} {...{ row, index, rowHeight, tracks, columns, classOf, renderWhole }} />
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

type Size = Pick<Column<never>, 'least' | 'grow'>;

const trackOf = ({ least, grow }: Size) => (grow === undefined ? `${least}px` : `minmax(${least}px, ${grow}fr)`);
const leastOf = (columns: readonly Size[]) => columns.reduce((sum, { least }) => sum + least, 0);

interface RowProps<Row> extends Pick<Props<Row>, 'columns'> {
  classOf: Props<Row>['classOf'] | undefined;
  renderWhole: Props<Row>['renderWhole'] | undefined;
  row: Row;
  index: number;
  rowHeight: number;
  tracks: string;
}

function RowOf<Row>({ row, index, rowHeight, tracks, columns, classOf, renderWhole }: RowProps<Row>) {
  const style: CSSProperties = {
    gridTemplateColumns: tracks,
    transform: `translateY(${index * rowHeight}px)`,
    height: rowHeight,
  };
  const whole = renderWhole?.(row);
  return (
    <tr aria-rowindex={index + 2} className={classOf?.(row)} style={style}>
      {whole ? (
        <td className="whole" colSpan={columns.length}>
          {whole}
        </td>
      ) : (
        columns.map(({ key, number, renderCell }) => (
          <td key={key} className={number ? 'number-cell' : ''}>
            {renderCell(row)}
          </td>
        ))
      )}
    </tr>
  );
}

/** A row that remains visible while the list is scrolled is not rendered again. */
const TableRow = memo(RowOf) as typeof RowOf;
