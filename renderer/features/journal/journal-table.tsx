import { Button } from '@mantine/core';
import { memo, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AuditRow } from '#common/model/audit.ts';
import { outcomeOf } from '#common/model/call-outcome.ts';
import { type FeedState, type JournalFeed, ROWS_MAX } from '#api/journal-feed.ts';
import { utcTime } from '#ui/format.ts';
import { Icon } from '#ui/icon.tsx';
import { useNow } from '#ui/now.ts';
import { Shape } from '#ui/shape.tsx';
import { equalRows } from '#ui/rows-in-sight.ts';
import { useSight } from '#ui/use-sight.ts';
import '#ui/virtual-table.css';
import {
  actText,
  decisionOf,
  isCounted,
  isRefusal,
  isRefusedCall,
  lastOf,
  rowTime,
  whoOf,
  writeText,
} from './row-text.ts';

const ROW_HEIGHT = 48;
/** Distance from the end, in rows, at which older ones are loaded. */
const AHEAD = 300;
/** A scrollable element must be reachable with the arrow keys. */
const FOCUSABLE = { tabIndex: 0 };

interface Props {
  feed: JournalFeed;
  state: FeedState;
  /** There are rows of other days among them. */
  dated: boolean;
  /** The request ID whose refusal is being explained, or "". */
  chosen: string;
  /** The row whose details are shown. */
  opened: AuditRow | null;
  onWhy: (requestId: string) => void;
  onOpen: (row: AuditRow) => void;
}

/**
 * Only the visible rows are in the page; older ones are loaded on scrolling towards them, new ones are added at the
 * top.
 */
export function JournalTable({ feed, state, dated, chosen, opened, onWhy, onOpen }: Props) {
  const { t } = useTranslation();
  const { rows } = state;
  const places = useMemo(() => equalRows(rows.length, ROW_HEIGHT), [rows.length]);
  const [place, { first, last }] = useSight(places);
  const today = useNow().toDateString();
  const why = useSteady(onWhy);
  const open = useSteady(onOpen);
  const atTop = useAtTop(place);
  useEffect(() => feed.follow(atTop), [feed, atTop]);
  useEffect(() => {
    if (last >= rows.length - AHEAD) void feed.older();
  }, [feed, last, rows.length]);
  const showNew = () => {
    place.current?.scrollTo({ top: 0 });
    feed.show();
  };
  return (
    <>
      {!atTop && state.waiting > 0 && <NewRows state={state} onShow={showNew} />}
      <div
        className={dated ? 'virtual-table journal-table dated' : 'virtual-table journal-table'}
        ref={place}
        {...FOCUSABLE}
      >
        <table aria-label={t('journal.title')} aria-rowcount={state.complete ? rows.length + 1 : -1}>
          <Head />
          <tbody style={{ height: rows.length * ROW_HEIGHT }}>
            {rows.slice(first, last + 1).map((row, index) => (
              <JournalRow
                key={idOf(row)}
                row={row}
                index={first + index}
                selected={row === opened || (chosen !== '' && row.requestId === chosen)}
                today={today}
                onWhy={why}
                onOpen={open}
              />
            ))}
          </tbody>
        </table>
        <Foot feed={feed} state={state} />
      </div>
    </>
  );
}

function NewRows({ state, onShow }: { state: FeedState; onShow: () => void }) {
  const { t, i18n } = useTranslation();
  const count = state.waiting.toLocaleString(i18n.language);
  return (
    <div className="new-rows">
      <output>{t(state.waitingMore ? 'journalPage.newRowsMore' : 'journalPage.newRows', { count })}</output>
      <Button onClick={onShow}>{t('journalPage.showNew')}</Button>
    </div>
  );
}

/** The same function for the lifetime of the page, so that rows need not be rendered again; it calls the newest one. */
function useSteady<T>(act: (value: T) => void): (value: T) => void {
  const newest = useRef(act);
  useEffect(() => {
    newest.current = act;
  });
  return useCallback((value: T) => newest.current(value), []);
}

function useAtTop(place: ReturnType<typeof useSight>[0]): boolean {
  const [atTop, setAtTop] = useState(true);
  useEffect(() => {
    const { current: element } = place;
    if (element === null) return undefined;
    const look = () => setAtTop(element.scrollTop < ROW_HEIGHT / 2);
    element.addEventListener('scroll', look, { passive: true });
    return () => element.removeEventListener('scroll', look);
  }, [place]);
  return atTop;
}

/** A key for each row: rows have no ID, and two can be equal. */
const ids = new WeakMap<AuditRow, number>();
let lastId = 0;
function idOf(row: AuditRow): number {
  const known = ids.get(row);
  if (known !== undefined) return known;
  lastId += 1;
  ids.set(row, lastId);
  return lastId;
}

const Head = memo(function Head() {
  const { t } = useTranslation();
  return (
    <thead>
      <tr aria-rowindex={1}>
        <th>{t('journal.time')}</th>
        <th>{t('journal.decision')}</th>
        <th>{t('journal.what')}</th>
        <th className="address">{t('journalPage.row.address')}</th>
        <th className="wide number-cell">{t('journal.took')}</th>
        <th>
          <span className="visually-hidden">{t('journal.why')}</span>
        </th>
      </tr>
    </thead>
  );
});

function Foot({ feed, state }: { feed: JournalFeed; state: FeedState }) {
  const { t, i18n } = useTranslation();
  const count = state.rows.length.toLocaleString(i18n.language);
  if (state.complete) return <p className="journal-foot t3">{t('journalPage.end', { count })}</p>;
  if (state.rows.length >= ROWS_MAX) return <p className="journal-foot t2">{t('journalPage.full', { count })}</p>;
  if (state.loading === 'older') return <p className="journal-foot t3">{t('common.loading')}</p>;
  return (
    <div className="journal-foot">
      <Button onClick={() => void feed.older()}>{t('journal.older')}</Button>
    </div>
  );
}

interface RowProps {
  row: AuditRow;
  index: number;
  selected: boolean;
  /** As formatted by `Date.toDateString`. */
  today: string;
  onWhy: (requestId: string) => void;
  onOpen: (row: AuditRow) => void;
}

const JournalRow = memo(function JournalRow({ row, index, selected, today, onWhy, onOpen }: RowProps) {
  const { t, i18n } = useTranslation();
  const time = new Date(row.time);
  const shownTime = rowTime(time, today, i18n.language);
  const { requestId, durationMs } = row;
  const refused = isRefusal(row);
  return (
    <tr
      className={selected ? 'selected' : ''}
      aria-rowindex={index + 2}
      style={{ transform: `translateY(${index * ROW_HEIGHT}px)` }}
    >
      <td className="mono">
        <button
          type="button"
          className="line-button row-open"
          title={utcTime(time)}
          aria-label={t('journalPage.row.open', { time: shownTime })}
          onClick={() => onOpen(row)}
        >
          <time dateTime={row.time}>{shownTime}</time>
        </button>
      </td>
      <td>
        <DecisionShape row={row} />
        <span className="two grow">
          <span className={refused && !isCounted(row) ? 'cut strong' : 'cut'}>{decisionOf(t, row)}</span>
          <small className="cut">
            {whoOf(t, row)}
            {isCounted(row) && `, ${row.status} ${row.code}`}
          </small>
        </span>
      </td>
      <td>
        <What row={row} />
      </td>
      <td className="address mono">
        <span className="cut">{row.ip}</span>
      </td>
      <td className="wide number-cell">
        {durationMs !== undefined && (
          <>
            {durationMs < 10 ? durationMs.toFixed(1) : Math.round(durationMs)} <span className="t3">ms</span>
          </>
        )}
      </td>
      <td>
        {refused && requestId !== undefined && (
          <button
            type="button"
            className="why-button"
            aria-pressed={selected}
            aria-label={t('journal.whyOf', { code: row.code ?? '', time: row.time })}
            onClick={() => onWhy(requestId)}
          >
            {t('journal.whyShort')}
          </button>
        )}
      </td>
    </tr>
  );
});

const RESULT_SHAPES = {
  done: 'passed',
  failed: 'error',
  unknown: 'error',
  not_performed: 'refused',
  rehearsed: 'refused',
} as const;

function DecisionShape({ row }: { row: AuditRow }) {
  const isRefused = row.type === 'refusal' || isRefusedCall(row);
  if (isRefused) return <Shape name={isCounted(row) ? 'counted' : 'refused'} small />;
  if (row.type === 'admin' || row.type === 'prune') return <Icon name="user" small />;
  if (row.result !== undefined) return <Shape name={RESULT_SHAPES[row.result]} small />;
  const outcome = outcomeOf(row);
  if (outcome === 'failed') return <Shape name="error" small />;
  return <Shape name={outcome === 'refused' || row.why !== undefined ? 'refused' : 'passed'} small />;
}

function What({ row }: { row: AuditRow }) {
  const { t } = useTranslation();
  const isAct = row.type === 'admin' || row.type === 'prune';
  const text = row.write !== undefined ? writeText(t, row) : isAct ? actText(t, row) : (row.path ?? row.route ?? '');
  return (
    <span className="two grow" title={text}>
      <span className={isAct ? 'cut' : 'mono cut'}>
        {isAct ? (
          text
        ) : (
          <>
            {isCounted(row) && <span className="t2">{lastOf(t, row, '')}</span>}
            <span className="t2">{row.method} </span>
            {text}
          </>
        )}
      </span>
      {row.requestId !== undefined && <small className="mono cut">{row.requestId}</small>}
    </span>
  );
}
