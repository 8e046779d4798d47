import { memo, useEffect, useMemo, type CSSProperties, type ReactNode } from 'react';
import { equalRows, unequalRows, type RowPlaces } from './rows-in-sight.ts';
import { useNarrow } from './use-narrow.ts';
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
  /** In a card, below 900 px: what its first line shows; the rest is in the second. Absent = the first column. */
  card?: 'title' | 'acts';
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
  /** Rows without columns, such as the name of a folder. `is` is called for every row of the list. */
  whole?: { is: (row: Row) => boolean; render: (row: Row) => ReactNode };
  /** The visible rows, first and last; called again while the list is scrolled. */
  onSight?: (first: number, last: number) => void;
}

const ROW_HEIGHT = 48;
const HEAD_HEIGHT = 34;
/** A scrollable element must be reachable with the arrow keys, even if no row has a button. */
const FOCUSABLE = { tabIndex: 0 };

/** Two lines: the name with the row's buttons; everything else. */
const CARD_HEIGHT = 128;
/** One line. */
const WHOLE_CARD_HEIGHT = 64;

/**
 * A table of any length: only the rows in sight are in the page. It fills its place and scrolls within. On a narrow screen
 * each row is a card, unless its rows are too low to hold a button.
 */
export function VirtualTable<Row>(props: Props<Row>) {
  const { label, columns, rows, keyOf, classOf, whole, onSight } = props;
  const asCards = useNarrow() && (props.rowHeight ?? ROW_HEIGHT) >= ROW_HEIGHT;
  const places = usePlaces(props, asCards);
  const [scroller, { first, last }] = useSight(places);
  useEffect(() => onSight?.(first, last), [onSight, first, last]);
  const tracks = columns.map(trackOf).join(' ');
  return (
    <div className={asCards ? 'virtual-table cards-table' : 'virtual-table'} ref={scroller} {...FOCUSABLE}>
      <table
        aria-label={label}
        aria-rowcount={rows.length + 1}
        style={asCards ? undefined : { minWidth: leastOf(columns) }}
      >
        <thead>
          <tr aria-rowindex={1} style={{ gridTemplateColumns: tracks, height: HEAD_HEIGHT }}>
            {columns.map(({ key, head, number }) => (
              <th key={key} className={number ? 'number-cell' : ''}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody style={{ height: places.top(rows.length) }}>
          {rows.slice(first, last + 1).map((row, place) => {
            const index = first + place;
            const top = places.top(index);
            const height = places.top(index + 1) - top;
            return (
              <TableRow key={keyOf(row, index)} {...{ row, index, top, height, tracks, columns, classOf, whole }} />
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function usePlaces<Row>({ rows, rowHeight = ROW_HEIGHT, whole }: Props<Row>, asCards: boolean): RowPlaces {
  const isWhole = whole?.is;
  const count = rows.length;
  const height = asCards ? CARD_HEIGHT : rowHeight;
  const mixed = asCards && isWhole !== undefined ? rows : null;
  return useMemo(
    () =>
      mixed === null
        ? equalRows(count, height)
        : unequalRows(mixed.map((row) => (isWhole?.(row) ? WHOLE_CARD_HEIGHT : height))),
    [count, height, mixed, isWhole],
  );
}

type Size = Pick<Column<never>, 'least' | 'grow'>;

const trackOf = ({ least, grow }: Size) => (grow === undefined ? `${least}px` : `minmax(${least}px, ${grow}fr)`);
const leastOf = (columns: readonly Size[]) => columns.reduce((sum, { least }) => sum + least, 0);

/** Shares of the second line are as those of the columns; the first has room for the buttons beside the name. */
function cellProps<Row>(column: Column<Row>, columns: readonly Column<Row>[]) {
  const { card, head, least, number } = column;
  const place = card ?? (columns.some((one) => one.card === 'title') || column !== columns[0] ? 'rest' : 'title');
  const acts = columns.find((one) => one.card === 'acts')?.least;
  const style: CSSProperties & Record<`--${string}`, string | number> = {
    '--least': least,
    '--acts': `${acts}px`,
    '--title': acts === undefined ? '100%' : `calc(100% - ${acts}px - var(--sp-3))`,
  };
  return {
    className: `${number ? 'number-cell ' : ''}card-${place}`,
    'data-label': place === 'rest' && typeof head === 'string' ? head : undefined,
    style,
  };
}

interface RowProps<Row> extends Pick<Props<Row>, 'columns'> {
  classOf: Props<Row>['classOf'] | undefined;
  whole: Props<Row>['whole'] | undefined;
  row: Row;
  index: number;
  /** Pixels. */
  top: number;
  height: number;
  tracks: string;
}

function RowOf<Row>({ row, index, top, height, tracks, columns, classOf, whole }: RowProps<Row>) {
  const style: CSSProperties = {
    gridTemplateColumns: tracks,
    transform: `translateY(${top}px)`,
    height,
  };
  return (
    <tr aria-rowindex={index + 2} className={classOf?.(row)} style={style}>
      {whole?.is(row) ? (
        <td className="whole" colSpan={columns.length}>
          {whole.render(row)}
        </td>
      ) : (
        columns.map((column) => (
          <td key={column.key} {...cellProps(column, columns)}>
            {column.renderCell(row)}
          </td>
        ))
      )}
    </tr>
  );
}

/** A row that remains visible while the list is scrolled is not rendered again. */
const TableRow = memo(RowOf) as typeof RowOf;
