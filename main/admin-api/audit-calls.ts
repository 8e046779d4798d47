import { z } from 'zod';
import { SluiceError } from '#common/errors/catalogue.ts';
import type { Audit, AuditFilter, VerifyReport } from '../contracts.ts';
import { defineCall, unknown, WRITTEN } from './call.ts';
import { auditRow, journalUsage, listOf, refusalRecord, verifyReport } from '#common/contract/records.ts';
import { whileAdmitted } from './still-admitted.ts';
import { writeOut } from './write-out.ts';

/**
 * Limits: one verification at a time, whose report goes to all who ask meanwhile; two exports at a time, each as long as
 * its reader takes something (write-out.ts) and may read the journal.
 */
const EXPORTS_MAX = 2;
const EXPORT_ACCESS = 'view_audit';
/** Small, so that a slow reader is seen to go on. */
const PIECE_CHARS = 64 * 1024;
const ROWS_MAX = 1000;

const instant = z.iso.datetime({ offset: true, error: 'expected a time such as 2026-03-01T06:00:00Z' });
const short = z
  .string({ error: 'expected one text' })
  .min(1, 'expected a text')
  .max(300, 'expected at most 300 characters');
const rowsExpected = `expected a number from 1 to ${ROWS_MAX}`;

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
const format = z.enum(['csv', 'jsonl'], { error: 'expected "csv" or "jsonl"' }).default('csv');

const verifications = new WeakMap<Audit, Promise<VerifyReport>>();
const exportsUnderWay = new WeakMap<Audit, number>();

export const auditCalls = [
  defineCall({
    method: 'get',
    path: '/audit',
    access: 'view_audit',
    summary: 'Search the audit journal',
    description:
      'Returns journal rows that match all given filters, newest first, page by page. Send `next` of the reply as `cursor` to read on.',
    query: z.strictObject({ ...filterFields, cursor: short.optional(), limit: limit.optional() }),
    response: listOf(auditRow),
    handle: ({ audit }, { query }) => audit.query(filterOf(query)),
  }),
  defineCall({
    method: 'get',
    path: '/audit/verify',
    access: 'view_audit',
    summary: 'Verify the audit journal',
    description:
      'Checks both hash chains of the journal from the first batch to the last and reports every edit, deletion and unclean stop that it finds.',
    response: verifyReport,
    handle: ({ audit }) => verifyOnce(audit),
  }),
  defineCall({
    method: 'get',
    path: '/audit/usage',
    access: 'view_audit',
    summary: 'Read the size of the audit journal',
    description: 'Shows how many bytes the journal holds, since when, and how fast it grows.',
    response: journalUsage,
    handle: ({ audit }) => audit.usage(),
  }),
  defineCall({
    method: 'get',
    path: '/audit/export',
    access: EXPORT_ACCESS,
    summary: 'Export the audit journal',
    description: 'Downloads the rows that match all given filters as CSV or JSON Lines.',
    query: z.strictObject({ ...filterFields, format }),
    response: null,
    contentType: ['text/csv', 'application/jsonl'],
    async handle(services, context) {
      const { audit } = services;
      const { query, response } = context;
      const { format, ...filter } = query;
      const underWay = exportsUnderWay.get(audit) ?? 0;
      if (underWay >= EXPORTS_MAX)
        throw new SluiceError('conflict', `At most ${EXPORTS_MAX} exports run at a time; try again.`);
      exportsUnderWay.set(audit, underWay + 1);
      try {
        // The name first: it would set a type of its own.
        response.attachment(`audit.${format}`);
        response.type(format === 'csv' ? 'text/csv; charset=utf-8' : 'application/jsonl; charset=utf-8');
        const rows = pieces(audit.export(filterOf(filter), format));
        await writeOut(whileAdmitted(services, context, EXPORT_ACCESS, rows), response);
      } finally {
        exportsUnderWay.set(audit, (exportsUnderWay.get(audit) ?? 1) - 1);
      }
      response.end();
      return WRITTEN;
    },
  }),
  defineCall({
    method: 'get',
    path: '/refusals/:requestId',
    access: 'view_audit',
    summary: 'Explain a refusal',
    description:
      'Shows why the gateway refused a request: the step, the values that were compared, and the change that would let the request pass. The id is the `X-Request-Id` of the reply.',
    response: refusalRecord,
    async handle({ audit }, { param }) {
      const refusal = await audit.refusal(param('requestId').slice(0, 300));
      if (refusal === null) throw unknown('refusal');
      return refusal;
    },
  }),
];

function verifyOnce(audit: Audit): Promise<VerifyReport> {
  const running = verifications.get(audit);
  if (running) return running;
  const report = audit.verify().finally(() => verifications.delete(audit));
  verifications.set(audit, report);
  return report;
}

async function* pieces(lines: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  let held = '';
  for await (const line of lines) {
    held += line;
    if (held.length < PIECE_CHARS) continue;
    yield Buffer.from(held);
    held = '';
  }
  yield Buffer.from(held);
}

type Given<T> = { [Field in keyof T]?: T[Field] | undefined };

/** Only the fields that were given: an absent one is no filter. */
function filterOf(query: Given<AuditFilter>): AuditFilter {
  const { from, to, project, keyId, route, code, requestId, type, cursor, limit } = query;
  return {
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(project !== undefined && { project }),
    ...(keyId !== undefined && { keyId }),
    ...(route !== undefined && { route }),
    ...(code !== undefined && { code }),
    ...(requestId !== undefined && { requestId }),
    ...(type !== undefined && { type }),
    ...(cursor !== undefined && { cursor }),
    ...(limit !== undefined && { limit }),
  };
}
