import { z } from 'zod';
import { declareCall } from './declaration.ts';
import { auditRow, journalUsage, listOf, refusalRecord, verifyReport } from './records.ts';
import { expected } from '../errors/rules.ts';

export const EXPORT_ACCESS = 'view_audit';
const ROWS_MAX = 1000;

const instant = z.iso.datetime({
  offset: true,
  error: expected('form', { what: 'a time', example: '2026-03-01T06:00:00Z' }),
});
const short = z
  .string({ error: expected('text') })
  .min(1, expected('text'))
  .max(300, expected('length_max', { max: 300 }));
const rowsExpected = expected('range', { what: 'a number', from: 1, to: ROWS_MAX });

const filterFields = {
  from: instant.optional(),
  to: instant.optional(),
  project: short.optional(),
  keyId: short.optional(),
  route: short.optional(),
  code: short.optional(),
  requestId: short.optional(),
  type: auditRow.shape.type.optional(),
};
const limit = z
  .string()
  .regex(/^\d{1,4}$/, rowsExpected)
  .transform(Number)
  .pipe(z.number().min(1, rowsExpected).max(ROWS_MAX, rowsExpected));
const format = z.enum(['csv', 'jsonl'], { error: expected('one_of', { values: ['csv', 'jsonl'] }) }).default('csv');

export const auditContract = {
  search: declareCall({
    method: 'get',
    path: '/audit',
    access: 'view_audit',
    summary: 'Search the audit journal',
    description:
      'Returns journal rows that match all given filters, newest first, page by page. Send `next` of the reply as `cursor` to read on.',
    query: z.strictObject({ ...filterFields, cursor: short.optional(), limit: limit.optional() }),
    errors: ['disk_reserve'],
    response: listOf(auditRow),
  }),
  verify: declareCall({
    method: 'get',
    path: '/audit/verify',
    access: 'view_audit',
    summary: 'Verify the audit journal',
    description:
      'Checks both hash chains of the journal from the first batch to the last and reports every edit, deletion and unclean stop that it finds.',
    response: verifyReport,
  }),
  usage: declareCall({
    method: 'get',
    path: '/audit/usage',
    access: 'view_audit',
    summary: 'Read the size of the audit journal',
    description: 'Shows how many bytes the journal holds, since when, and how fast it grows.',
    response: journalUsage,
  }),
  exportRows: declareCall({
    method: 'get',
    path: '/audit/export',
    access: EXPORT_ACCESS,
    summary: 'Export the audit journal',
    description: 'Downloads the rows that match all given filters as CSV or JSON Lines.',
    query: z.strictObject({ ...filterFields, format }),
    errors: ['disk_reserve'],
    response: null,
    contentType: ['text/csv', 'application/jsonl'],
  }),
  refusal: declareCall({
    method: 'get',
    path: '/refusals/:requestId',
    access: 'view_audit',
    summary: 'Explain a refusal',
    description:
      'Shows why the gateway refused a request: the step, the values that were compared, and the change that would let the request pass. The id is the `X-Request-Id` of the reply.',
    errors: ['disk_reserve'],
    response: refusalRecord,
  }),
};
