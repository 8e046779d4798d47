import { z } from 'zod';
import { declareCall } from './declaration.ts';
import { CALL_OUTCOMES } from '../model/call-outcome.ts';
import { auditRow, auditSummary, journalUsage, refusalRecord, verifyReport } from './records.ts';
import { WRITE_KINDS } from '../model/audit.ts';
import { expected } from '../errors/rules.ts';
import { textUpTo } from '../model/bounds.ts';

export const EXPORT_ACCESS = 'view_audit';
const ROWS_MAX = 1000;

const instant = z.iso.datetime({
  offset: true,
  error: expected('form', { what: 'a time', example: '2026-03-01T06:00:00Z' }),
});
const THING = new RegExp(`^(?:${WRITE_KINDS.join('|')}):.`);
const short = textUpTo(300).min(1, expected('text'));
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
  thing: textUpTo(1_100)
    .regex(THING, expected('form', { what: 'a kind and a name', example: 'tag:line7/filler/setpoint' }))
    .optional(),
  find: textUpTo(300).optional(),
  address: short.optional(),
  outcome: z.enum(CALL_OUTCOMES, { error: expected('one_of', { values: [...CALL_OUTCOMES] }) }).optional(),
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
      'Returns journal rows that match all given filters, newest first, page by page. Send `next` of the reply as `cursor` to read on. A page on which the time of a query ran out has fewer rows, or none, and a `next`; `searchedTo` is the time down to which rows were looked at, and `newest` the time of the newest row of the journal. `find` takes words, each of which must occur in the row: a part of a name, key ID, user, route, path, cause or request ID, a status, an address or a range such as `10.20.0.0/16`. `thing` finds the writes of one thing, such as `tag:line7/filler/setpoint`.',
    query: z.strictObject({ ...filterFields, cursor: short.optional(), limit: limit.optional() }),
    errors: ['disk_reserve'],
    response: z.strictObject({
      items: z.array(auditRow),
      next: z.string().nullable(),
      searchedTo: z.string().nullable(),
      newest: z.string().nullable(),
    }),
  }),
  summary: declareCall({
    method: 'get',
    path: '/audit/summary',
    access: 'view_audit',
    errors: ['disk_reserve'],
    summary: 'Count calls in the audit journal',
    description:
      'Counts the calls that match all given filters, by time and outcome, and by consumer, route and address. Each of these lists leaves out its own filter. With `next`, the counts cover a part of the range: send it as `cursor` with the same filters and add up the counts of all pages.',
    query: z.strictObject({ ...filterFields, cursor: short.optional() }),
    response: auditSummary,
  }),
  verify: declareCall({
    method: 'get',
    path: '/audit/verify',
    audit: ['journal.verify'],
    access: 'view_audit',
    summary: 'Verify the audit journal',
    description:
      'Checks both hash chains of the journal from the first batch to the last and reports every edit, deletion and unclean stop that it finds. The verification is recorded in the journal and leaves a proof. A call while one is running gets its report.',
    response: verifyReport,
  }),
  verification: declareCall({
    method: 'get',
    path: '/audit/verification',
    access: 'view_audit',
    summary: 'Read the last verification',
    description: 'Returns when and for whom the journal was last verified, by hand or at night, and with which result.',
    response: z.strictObject({
      last: z
        .strictObject({ at: z.string(), by: z.string(), ok: z.boolean(), rows: z.number(), findingCount: z.number() })
        .nullable(),
    }),
  }),
  proof: declareCall({
    method: 'get',
    path: '/audit/proof',
    access: 'view_audit',
    summary: 'Download the proof of the last verification',
    description:
      'One line of JSON with a MAC: range, rows, heads, anchors, version, user and time of the last verification. `sluice audit verify --proof` accepts or rejects it.',
    response: null,
    contentType: 'application/json',
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
