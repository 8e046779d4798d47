import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLogger } from '#common/node/log.ts';
import { ALARM_RECORDS_PER_CODE_MAX, type AlarmRecords, openAlarmFile } from './alarm-file.ts';
import { type Alarms, createAlarms } from './alarms.ts';

let folder: string;
let file: string;
let logged: string;
let nowMs: number;
let records: AlarmRecords;
let alarms: Alarms;

/** A host that starts with the same file. */
function start(): void {
  records?.close();
  records = openAlarmFile(
    file,
    createLogger('alarms', (line) => (logged += line)),
  );
  alarms = createAlarms(() => new Date(nowMs), records);
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'alarms-'));
  file = join(folder, 'alarms.sqlite');
  logged = '';
  nowMs = Date.parse('2026-03-01T10:00:00Z');
  start();
});
afterEach(async () => {
  records.close();
  await rm(folder, { recursive: true });
});

const later = (minutes: number) => (nowMs += minutes * 60_000);
const inAnHour = () => new Date(nowMs + 3_600_000).toISOString();

test('past alarms are listed with their times, who acknowledged them and the note, also after a restart', () => {
  alarms.raise('egress_paused', { text: 'MES refuses', subject: 'mes', values: { targets: 'mes' } });
  later(5);
  alarms.acknowledge('egress_paused', 'anna', 'token ordered');
  later(5);
  alarms.clear('egress_paused');
  alarms.raise('disk_low', { text: 'low' });
  start();
  expect(alarms.history(10)).toMatchObject([
    { code: 'disk_low', severity: 'warning', endedAt: null },
    {
      code: 'egress_paused',
      severity: 'alarm',
      values: { targets: 'mes' },
      since: '2026-03-01T10:00:00.000Z',
      acknowledgedAt: '2026-03-01T10:05:00.000Z',
      acknowledgedBy: 'anna',
      note: 'token ordered',
      endedAt: '2026-03-01T10:10:00.000Z',
    },
  ]);
});

test('an alarm that is raised again after a restart keeps its time, its acknowledgement and its record', () => {
  alarms.raise('keys_readable', { text: 'plain', subject: 'off' });
  alarms.acknowledge('keys_readable', 'anna');
  later(60);
  start();
  expect(alarms.list()).toEqual([]);
  alarms.raise('keys_readable', { text: 'plain', subject: 'off' });
  expect(alarms.list()).toMatchObject([{ since: '2026-03-01T10:00:00.000Z', acknowledgedBy: 'anna' }]);
  expect(alarms.history(10)).toHaveLength(1);
});

test('an alarm about another subject is new, and one that is not raised again has ended', () => {
  alarms.raise('caller_silent', { text: 'MES', subject: 'MES' });
  alarms.raise('disk_low', { text: 'low' });
  alarms.acknowledge('caller_silent', 'anna');
  start();
  alarms.raise('caller_silent', { text: 'ERP', subject: 'ERP' });
  later(1);
  alarms.settle();
  expect(alarms.list()).toMatchObject([{ code: 'caller_silent', acknowledgedBy: null }]);
  expect(alarms.history(10).map(({ code, endedAt }) => [code, endedAt])).toEqual([
    ['caller_silent', null],
    ['disk_low', '2026-03-01T10:01:00.000Z'],
    ['caller_silent', '2026-03-01T10:00:00.000Z'],
  ]);
});

test('a shelf hides an alarm until its end, also when the alarm comes and goes, and across a restart', () => {
  const until = inAnHour();
  alarms.raise('caller_silent', { text: 'MES', subject: 'MES' });
  expect(alarms.shelve('caller_silent', { until, by: 'anna', note: 'line is down' })).toMatchObject({
    shelvedUntil: until,
  });
  alarms.clear('caller_silent');
  alarms.raise('caller_silent', { text: 'MES', subject: 'MES' });
  expect(alarms.list()).toMatchObject([{ shelvedUntil: until, shelvedBy: 'anna', note: 'line is down' }]);
  start();
  alarms.raise('caller_silent', { text: 'MES', subject: 'MES' });
  expect(alarms.list()).toMatchObject([{ shelvedUntil: until }]);
  later(60);
  expect(alarms.list()).toMatchObject([{ shelvedUntil: null, shelvedBy: null }]);
});

test('a shelf ends when the alarm changes its subject, or on request', () => {
  alarms.raise('caller_silent', { text: 'MES', subject: 'MES' });
  alarms.shelve('caller_silent', { until: inAnHour(), by: 'anna', note: null });
  alarms.raise('caller_silent', { text: 'MES, ERP', subject: 'MES, ERP' });
  expect(alarms.list()).toMatchObject([{ shelvedUntil: null }]);
  alarms.shelve('caller_silent', { until: inAnHour(), by: 'anna', note: null });
  expect(alarms.unshelve('caller_silent')).toMatchObject({ shelvedUntil: null });
  alarms.clear('caller_silent');
  alarms.raise('caller_silent', { text: 'MES, ERP', subject: 'MES, ERP' });
  expect(alarms.list()).toMatchObject([{ shelvedUntil: null }]);
  expect(alarms.shelve('none', { until: inAnHour(), by: 'anna', note: null })).toBeNull();
  expect(alarms.unshelve('none')).toBeNull();
});

test('an alarm that waits to be seen is raised again after a restart', () => {
  alarms.raise('gateway_outage', { text: 'gone', subject: 'then', endsWhenSeen: true });
  start();
  expect(alarms.list()).toMatchObject([{ code: 'gateway_outage' }]);
  alarms.acknowledge('gateway_outage', 'anna');
  start();
  expect(alarms.list()).toEqual([]);
  expect(alarms.history(10)).toMatchObject([{ acknowledgedBy: 'anna', endedAt: expect.any(String) }]);
});

test('an alarm that comes and goes displaces only its own oldest records', () => {
  alarms.raise('disk_low', { text: 'low' });
  alarms.clear('disk_low');
  for (let time = 0; time < ALARM_RECORDS_PER_CODE_MAX + 5; time++) {
    alarms.raise('caller_refused', { text: String(time) });
    alarms.clear('caller_refused');
  }
  const all = alarms.history(10_000);
  expect(all.filter(({ code }) => code === 'caller_refused')).toHaveLength(ALARM_RECORDS_PER_CODE_MAX);
  expect(all.at(-1)?.code).toBe('disk_low');
  const [first] = alarms.history(1);
  expect(alarms.history(1, first?.id)[0]?.id).toBe((first?.id ?? 0) - 1);
});

test('the end of the host raises no alarm', () => {
  alarms.raise('disk_low', { text: 'low' });
  records.close();
  alarms.raise('gateway_down', { text: 'down' });
  start();
  expect(alarms.history(10).map(({ code }) => code)).toEqual(['disk_low']);
});

test('a file that is not a database is set aside, and records start over', () => {
  records.close();
  writeFileSync(file, 'not a database, and long enough to be read as one'.repeat(100));
  start();
  alarms.raise('disk_low', { text: 'low' });
  expect(alarms.history(10)).toHaveLength(1);
  expect(existsSync(`${file}.damaged`)).toBe(true);
  expect(logged).toContain('records of alarms cannot be read');
});

test('one damaged page of the file does not stop the host', () => {
  for (let n = 0; n < 60; n++) alarms.raise(`code_${n}`, { text: 'x'.repeat(1_000) });
  records.close();
  const bytes = readFileSync(file);
  const pageBytes = bytes.readUInt16BE(16);
  // Only pages of rows: the schema is on the first one.
  for (let at = 4 * pageBytes; at < bytes.length; at += pageBytes) bytes.fill(0xff, at, at + pageBytes);
  writeFileSync(file, bytes);
  start();
  expect([alarms.list(), alarms.history(10), existsSync(`${file}.damaged`)]).toEqual([[], [], true]);
});
