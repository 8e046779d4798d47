import { z } from 'zod';
import { ALARM_NOTE_CHARS_MAX, SHELF_ALARM_HOURS_MAX, SHELF_DAYS_MAX } from '../alarms/severity.ts';
import { expected } from '../errors/rules.ts';
import { declareCall } from './declaration.ts';
import { alarmRecord, listOf, pastAlarm } from './records.ts';

export const ALARM_PAGE_MAX = 200;

const note = z
  .string({ error: expected('text') })
  .trim()
  .max(ALARM_NOTE_CHARS_MAX, expected('length_max', { max: ALARM_NOTE_CHARS_MAX }))
  .transform((text) => (text === '' ? null : text))
  .nullable()
  .default(null)
  .meta({ description: 'For others; up to 300 characters.' });
const until = z.iso.datetime({
  offset: true,
  error: expected('form', { what: 'a time', example: '2026-03-01T06:00:00Z' }),
});
const limitExpected = expected('range', { what: 'a number', from: 1, to: ALARM_PAGE_MAX });
const limit = z
  .string()
  .regex(/^\d{1,3}$/, limitExpected)
  .transform(Number)
  .pipe(z.number().min(1, limitExpected).max(ALARM_PAGE_MAX, limitExpected));
const cursor = z.string().regex(/^\d{1,15}$/, expected('form', { what: 'a cursor', example: '120' }));

export const alarmContract = {
  acknowledge: declareCall({
    method: 'post',
    path: '/alarms/:alarm/acknowledge',
    access: 'run_pipelines',
    audit: ['alarm.acknowledge'],
    summary: 'Acknowledge an alarm',
    description:
      'Records that somebody has seen the alarm. Its banner disappears; the alarm is counted until its cause is gone. An alarm whose cause is already gone, `gateway_outage`, ends.',
    body: z.strictObject({ note }),
    response: alarmRecord,
  }),
  shelve: declareCall({
    method: 'post',
    path: '/alarms/:alarm/shelve',
    access: 'run_pipelines',
    audit: ['alarm.shelve'],
    summary: 'Shelve an alarm',
    description: `Hides the alarm until a time: it is not counted and has no banner until then, or until it is about something else. An alarm of the severity \`alarm\` can be shelved for up to ${SHELF_ALARM_HOURS_MAX} hours, others for up to ${SHELF_DAYS_MAX} days.`,
    body: z.strictObject({ until, note }),
    response: alarmRecord,
  }),
  unshelve: declareCall({
    method: 'post',
    path: '/alarms/:alarm/unshelve',
    access: 'run_pipelines',
    audit: ['alarm.unshelve'],
    summary: 'End the shelving of an alarm',
    description: 'Counts and shows the alarm again.',
    response: alarmRecord,
  }),
  history: declareCall({
    method: 'get',
    path: '/alarms/history',
    access: 'view',
    summary: 'List past alarms',
    description:
      'Lists alarms from the newest to the oldest, those that are raised now with `endedAt` null. The newest 100 of each code are kept, also across a restart. Send `next` of the reply as `cursor` to read on.',
    query: z.strictObject({ limit: limit.optional(), cursor: cursor.optional() }),
    response: listOf(pastAlarm),
  }),
};
