import { expect, test } from 'vitest';
import type { AuditRow } from '#common/model/audit.ts';
import { isAttempt, oneLinePerAct } from './one-line-per-act.ts';

const row = (fields: Partial<AuditRow>): AuditRow => ({ time: '2026-03-01T06:00:00.000Z', type: 'admin', ...fields });
const attempt = row({ act: 'key.create', requestId: 'r1' });
const outcome = row({ act: 'key.create', requestId: 'r1', status: 200 });

test('an act is one line, its outcome, whether it was done or refused', () => {
  expect(oneLinePerAct([outcome, attempt])).toEqual([outcome]);
  const refused = { ...outcome, status: 409, code: 'conflict' };
  expect(oneLinePerAct([refused, attempt])).toEqual([refused]);
});

test('an act whose outcome is not known stays, and is told from one that is', () => {
  expect(oneLinePerAct([attempt])).toEqual([attempt]);
  expect([isAttempt(attempt), isAttempt(outcome)]).toEqual([true, false]);
});

test('another act, or an act without a request id, is never taken for it', () => {
  const others = [row({ act: 'key.create', requestId: 'r2' }), row({ act: 'key.revoke', requestId: 'r1' })];
  const nameless = row({ act: 'backup' });
  const rows = [outcome, row({ act: 'backup', status: 200 }), ...others, nameless];
  expect(oneLinePerAct(rows)).toEqual(rows);
});

test('calls and their refusals are left as they are', () => {
  const calls = [row({ type: 'outcome', requestId: 'r1', status: 201 }), row({ type: 'use', requestId: 'r1' })];
  expect(oneLinePerAct(calls)).toEqual(calls);
});
