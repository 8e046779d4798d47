import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { AuditRow } from '#common/model/audit.ts';
import { Icon } from '#ui/icon.tsx';
import { Shape } from '#ui/shape.tsx';
import { Moment } from '#ui/time.tsx';
import { isAttempt } from './one-line-per-act.ts';

interface Props {
  rows: AuditRow[];
  /** The request id whose refusal is being explained, or "". */
  chosen: string;
  onWhy: (row: AuditRow) => void;
  foot: ReactNode;
}

export function JournalTable({ rows, chosen, onWhy, foot }: Props) {
  const { t } = useTranslation();
  return (
    <div className="scroll">
      <table>
        <thead>
          <tr>
            <th>{t('journal.time')}</th>
            <th>{t('journal.decision')}</th>
            <th>{t('journal.what')}</th>
            <th className="wide number-cell">{t('journal.took')}</th>
            <th>
              <span className="visually-hidden">{t('journal.why')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <JournalRow
              key={rowKey(row, index)}
              row={row}
              selected={chosen !== '' && row.requestId === chosen}
              onWhy={onWhy}
            />
          ))}
        </tbody>
      </table>
      <div className="journal-foot">{foot}</div>
    </div>
  );
}

/** A request has a use and an outcome; two rows of one kind may share a millisecond, so the place counts as well. */
const rowKey = (row: AuditRow, index: number) =>
  `${row.time} ${row.type} ${row.requestId ?? ''} ${row.act ?? ''} ${row.requestId === undefined ? index : ''}`;

function JournalRow({ row, selected, onWhy }: { row: AuditRow; selected: boolean; onWhy: (row: AuditRow) => void }) {
  const { t } = useTranslation();
  const explainable = row.type === 'refusal' && row.requestId !== undefined;
  return (
    <tr className={selected ? 'selected' : ''}>
      <td className="mono nowrap">
        <Moment iso={row.time} precise />
      </td>
      <td>
        <Decision row={row} />
      </td>
      <td>
        <What row={row} />
      </td>
      <td className="wide number-cell">
        {row.durationMs !== undefined && (
          <>
            {row.durationMs < 10 ? row.durationMs.toFixed(1) : Math.round(row.durationMs)}{' '}
            <span className="t3">ms</span>
          </>
        )}
      </td>
      <td className="number-cell tight-cell">
        {explainable && (
          <button
            type="button"
            className="why-button"
            aria-pressed={selected}
            aria-label={t('journal.whyOf', { code: row.code ?? '', time: row.time })}
            onClick={() => onWhy(row)}
          >
            {t('journal.whyShort')}
          </button>
        )}
      </td>
    </tr>
  );
}

function Decision({ row }: { row: AuditRow }) {
  const { t } = useTranslation();
  return (
    <span className="row">
      <DecisionShape row={row} />
      <span className="two">
        <DecisionWord row={row} />
        <small>
          {whoOf(row, t('journal.unknownCaller'))}
          {row.count !== undefined && row.count > 1 && `, ${t('journal.counted', { count: row.count })}`}
        </small>
      </span>
    </span>
  );
}

/** The person of an act, else the key's name, else where the call came from. */
function whoOf(row: AuditRow, noKey: string): string {
  if (row.type === 'admin') return row.user ?? row.ip ?? '';
  if (row.keyName !== undefined) return row.keyName;
  return row.status === 401 ? `${noKey}, ${row.ip ?? ''}` : (row.ip ?? '');
}

function DecisionShape({ row }: { row: AuditRow }) {
  if (row.type === 'admin' || row.type === 'prune') return <Icon name="user" small />;
  if (row.type !== 'refusal')
    return <Shape name={row.status !== undefined && row.status >= 500 ? 'error' : 'passed'} small />;
  return <Shape name={row.count !== undefined && row.count > 1 ? 'counted' : 'refused'} small />;
}

function DecisionWord({ row }: { row: AuditRow }) {
  const { t } = useTranslation();
  switch (row.type) {
    case 'refusal':
      return (
        <b>
          {row.status} {row.code}
        </b>
      );
    case 'outcome':
      return (
        <>
          {row.status} {row.code}
        </>
      );
    case 'use':
      return <>{t('journal.use')}</>;
    case 'test':
      return (
        <>
          {t('journal.test')}
          <ActOutcome row={row} />
        </>
      );
    case 'prune':
      return <>{t('journal.prune')}</>;
    case 'admin':
      return (
        <>
          {row.act === undefined ? (row.code ?? '') : t(`acts.${row.act}`, { defaultValue: row.act })}
          <ActOutcome row={row} />
        </>
      );
  }
}

/** Nothing for an act that was done: its name says so already, as that of a refused log-in does. */
function ActOutcome({ row }: { row: AuditRow }) {
  const { t } = useTranslation();
  const { act, status, code } = row;
  if (isAttempt(row)) return <b>: {t('journal.begun')}</b>;
  if (act === undefined || act === 'session.login-failed' || status === undefined || status < 400) return null;
  return <b>: {t('journal.notDone', { status, code: code ?? '' })}</b>;
}

function What({ row }: { row: AuditRow }) {
  const isAct = row.type === 'admin' || row.type === 'prune';
  const text = isAct ? actText(row) : (row.path ?? row.route ?? '');
  return (
    <span className="two">
      <span className={isAct ? 'act-text' : 'mono break'}>
        {!isAct && <span className="t2">{row.method} </span>}
        {text}
      </span>
      {row.requestId !== undefined && <small className="mono cut">{row.requestId}</small>}
    </span>
  );
}

/** What the act was done to and what changed; of a log-in, where it came from. */
function actText(row: AuditRow): string {
  if (row.act?.startsWith('session.')) return row.ip ?? '';
  return [row.target, row.detail].filter((part) => part !== undefined).join(': ');
}
