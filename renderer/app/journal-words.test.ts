import { createInstance } from 'i18next';
import { expect, test } from 'vitest';
import type { AuditRow } from '#common/model/audit.ts';
import { actText, decisionOf, lastOf, whoOf } from '../features/journal/row-text.ts';
import { ui } from '#common/languages/en/ui.ts';
import { later } from '#common/languages/en/later.ts';

/** As on the page after loading (i18n.ts). */
const en = { ...ui, ...later };

async function english() {
  const i18n = createInstance();
  return i18n.init({ lng: 'en', defaultNS: 'ui', nsSeparator: false, resources: { en: { ui: en } } });
}

const TIME = '2026-03-01T06:00:00.000Z';
const COUNTED = { time: TIME, count: 12, detail: `12 from ${TIME} to ${TIME}`, method: 'PUT', path: '/api/v1/x' };
const rows: Record<string, AuditRow> = {
  address: { ...COUNTED, type: 'refusal', status: 403, code: 'ip_not_allowed', ip: '10.0.0.9' },
  key: { ...COUNTED, type: 'refusal', status: 403, code: 'scope_missing', ip: '10.0.0.9', keyName: 'MES' },
  person: { ...COUNTED, type: 'admin', act: 'call.refused', status: 403, code: 'permission_missing', user: 'Ada' },
  nobody: { ...COUNTED, type: 'admin', act: 'call.refused', status: 401, code: 'no_session', ip: '127.0.0.1' },
};

test.each([
  ['address', 'last: 10.0.0.9'],
  ['key', 'MES'],
  ['person', 'Ada'],
  ['nobody', 'last: 127.0.0.1'],
])('a row of counted refusals names its caller: %s', async (name, who) => {
  const t = await english();
  const row = rows[name] as AuditRow;
  expect(whoOf(t, row)).toBe(who);
  expect(lastOf(t, row, 'PUT /api/v1/x')).toBe('last: PUT /api/v1/x');
});

test('a refused call of the admin API and the end of a session have a text', async () => {
  const t = await english();
  const { count: _count, ...single } = rows['person'] as AuditRow;
  expect(decisionOf(t, single)).toBe('Refused: 403 permission_missing');
  expect(actText(t, single)).toBe('PUT /api/v1/x');
  expect(decisionOf(t, rows['person'] as AuditRow)).toMatch(/^12 more refused at \d\d:\d\d$/);
  const ended = { time: TIME, type: 'admin', act: 'session.end', status: 200, user: 'Ada' } as const;
  expect(actText(t, { ...ended, detail: 'expired' })).toBe('Expired after 12 hours.');
});

test.each([
  ['key.create', '“MES”'],
  ['key.rotate', '“MES”: second key created'],
])('only a rotation is described as creating a second key: %s', async (act, text) => {
  const t = await english();
  const row: AuditRow = {
    time: TIME,
    type: 'admin',
    act,
    keyName: 'MES',
    target: 'MES',
    detail: 'made key abcDEF012345',
  };
  expect(actText(t, row)).toBe(text);
});
