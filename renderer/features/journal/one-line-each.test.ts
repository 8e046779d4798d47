import { expect, test } from 'vitest';
import type { AuditRow } from '#common/model/audit.ts';
import { isAttempt, OneLineEach } from './one-line-each.ts';

let clock = Date.parse('2026-03-01T06:00:00Z');
/** Each row is older than the one before. */
const row = (fields: Partial<AuditRow>): AuditRow => ({
  time: new Date((clock -= 1)).toISOString(),
  type: 'admin',
  ...fields,
});
const oneLine = (rows: AuditRow[]) => new OneLineEach().add(rows);
const outcome = row({ act: 'key.create', requestId: 'r1', status: 200 });
const attempt = row({ act: 'key.create', requestId: 'r1' });

test('a completed or refused action has one line, its outcome', () => {
  expect(oneLine([outcome, attempt])).toEqual([outcome]);
  const refused = { ...outcome, status: 409, code: 'conflict' };
  expect(oneLine([refused, attempt])).toEqual([refused]);
});

test('an action with an unknown outcome remains and differs from a completed one', () => {
  expect(oneLine([attempt])).toEqual([attempt]);
  expect([isAttempt(attempt), isAttempt(outcome)]).toEqual([true, false]);
});

test('another action, or one without a request ID, is never merged with it', () => {
  const others = [row({ act: 'key.create', requestId: 'r2' }), row({ act: 'key.revoke', requestId: 'r1' })];
  const rows = [outcome, row({ act: 'backup', status: 200 }), ...others, row({ act: 'backup' })];
  expect(oneLine(rows)).toEqual(rows);
});

const ended = row({ type: 'outcome', requestId: 'c1', status: 201 });
const use = row({ type: 'use', requestId: 'c1' });

test('a call has one line, even if its two rows are on two pages', () => {
  expect(oneLine([ended, use])).toEqual([ended]);
  const lines = new OneLineEach();
  expect([lines.add([ended]), lines.add([use])]).toEqual([[ended], []]);
});

test('a running call is replaced by its outcome, in chronological order', () => {
  const lines = new OneLineEach();
  const between = { ...outcome, time: use.time };
  const shown = lines.add([between, use]);
  expect(shown).toEqual([between, use]);
  expect(lines.addNewer([ended], shown)).toEqual([ended, between]);
});
