import type { TFunction } from 'i18next';
import type { AuditRow } from '#common/model/audit.ts';
import { clockTime, preciseTime, shortDate } from '#ui/format.ts';
import { actName } from './act-name.ts';
import { isAttempt } from './one-line-each.ts';

/** Local time in milliseconds, with the date unless it is `today` (as formatted by `Date.toDateString`). */
export function rowTime(time: Date, today: string, locale: string): string {
  const day = time.toDateString() === today ? '' : `${shortDate(time, locale)} `;
  return `${day}${preciseTime(time)}`;
}

/** A call of the admin API. */
export const isRefusedCall = ({ act }: AuditRow) => act === 'call.refused';

/** It can be explained with _Why?_. */
export const isRefusal = (row: AuditRow) => row.type === 'refusal' || row.why !== undefined;

/** A row that represents refusals that were only counted. */
export const isCounted = (row: AuditRow) => (row.type === 'refusal' || isRefusedCall(row)) && row.count !== undefined;

/**
 * The user of an action, otherwise the name of the key, otherwise the source of the call. A row of counted refusals has
 * the source of the last one, because only the key or the user is the same for all of them.
 */
export function whoOf(t: TFunction, row: AuditRow): string {
  const who = callerOf(t, row);
  const isSame = row.user !== undefined || row.keyName !== undefined;
  return isCounted(row) && !isSame ? t('journalPage.last', { what: who }) : who;
}

function callerOf(t: TFunction, row: AuditRow): string {
  if (row.user === undefined && row.keyName === undefined && row.trigger !== undefined)
    return t('journalPage.write.byTrigger', { pipeline: row.pipeline ?? '', trigger: row.trigger });
  if (row.type === 'admin' || row.write !== undefined) return row.user ?? row.keyName ?? row.ip ?? '';
  if (row.keyName !== undefined) return row.keyName;
  return row.status === 401 ? `${t('journal.unknownCaller')}, ${row.ip ?? ''}` : (row.ip ?? '');
}

/** The decision in a row. */
export function decisionOf(t: TFunction, row: AuditRow): string {
  const { type, status = '', code = '', act, count } = row;
  switch (type) {
    case 'refusal':
      return isCounted(row) ? t('journalPage.counted', { count, time: minuteOf(row) }) : `${status} ${code}`;
    case 'outcome':
      return `${status} ${code}`;
    case 'use':
      return t('journal.use');
    case 'test':
      return t('journal.test') + actOutcome(t, row);
    case 'prune':
      return t('journal.prune');
    case 'write':
      return t(row.rehearsal === true ? 'journalPage.write.rehearsing' : 'journalPage.write.begun');
    case 'written':
      return t(`journalPage.write.${row.result ?? 'unknown'}`) + (code === '' ? '' : `: ${code}`);
    case 'admin':
      if (isRefusedCall(row)) return refusedCall(t, row);
      return (act === undefined ? code : actName(t, act)) + actOutcome(t, row);
  }
}

function refusedCall(t: TFunction, row: AuditRow): string {
  const { count, status = '', code = '' } = row;
  if (isCounted(row)) return t('journalPage.countedCalls', { count, time: minuteOf(row) });
  return `${actName(t, 'call.refused')}: ${status} ${code}`;
}

/** The minute in which the counted refusals began: its row is written at the end of the minute. */
function minuteOf({ detail, time }: AuditRow): string {
  const from = /from (\S+) to/.exec(detail ?? '')?.[1] ?? time;
  const began = new Date(from);
  return clockTime(Number.isNaN(began.getTime()) ? new Date(time) : began).slice(0, 5);
}

/** Nothing for a completed action: its name is enough, as for a refused log-in. */
function actOutcome(t: TFunction, row: AuditRow): string {
  const { act, status, code = '' } = row;
  if (isAttempt(row)) return `: ${t('journal.begun')}`;
  if (act === undefined || act === 'session.login-failed' || status === undefined || status < 400) return '';
  return `: ${t('journal.notDone', { status, code })}`;
}

/** The object of the action and the change; for a log-in, its source; for a refused call, the call. */
export function actText(t: TFunction, row: AuditRow): string {
  const { act, ip = '', method = '', path = '' } = row;
  if (isRefusedCall(row)) return lastOf(t, row, `${method} ${path}`);
  if (act === 'session.end' && row.ip === undefined)
    return row.detail === 'expired' ? t('journalPage.sessionExpired') : t('journalPage.sessionDisplaced');
  if (act?.startsWith('session.')) return ip;
  return [targetName(t, row), detailText(t, row)].filter((part) => part !== '').join(': ');
}

/** A name instead of an ID: of a key from its row, of a user or a role from the detail, which begins with it. */
function targetName(t: TFunction, { act = '', target = '', keyId, keyName, detail }: AuditRow): string {
  if (keyName !== undefined && (target === keyId || act.startsWith('key.')))
    return t('journalPage.named', { name: keyName });
  const isNamedInDetail = detail !== undefined && RANDOM_ID.test(target) && /^(user|role)\./.test(act);
  return isNamedInDetail ? '' : target;
}

/** As Sluice generates them for users and keys. */
const RANDOM_ID = /^[0-9A-Za-z]{12}$/;
const MADE_KEY = /^made key [0-9A-Za-z]{12}$/;

function detailText(t: TFunction, { act, detail = '' }: AuditRow): string {
  if (!MADE_KEY.test(detail)) return detail;
  return act === 'key.rotate' ? t('journalPage.secondKey') : '';
}

/** Counted refusals differ; these values are those of the last one. */
export function lastOf(t: TFunction, row: AuditRow, what: string): string {
  return isCounted(row) ? t('journalPage.last', { what }) : what;
}

/** The thing of a write and its value: before → after, or first … last of several writes. */
export function writeText(t: TFunction, { thing = '', count, ...values }: AuditRow): string {
  const { from, first, to } = values;
  const several = count === undefined ? '' : ` ${t('journalPage.write.times', { count })}`;
  const change = [from, first, to].filter((value) => value !== undefined).join(' → ');
  return `${thing}${change === '' ? '' : `: ${change}`}${several}`;
}
