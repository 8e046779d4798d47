import { auditContract, EXPORT_ACCESS } from '#common/contract/audit.ts';
import { SluiceError } from '#common/errors/catalogue.ts';
import type { Audit, AuditFilter, VerifyReport } from '../contracts.ts';
import { defineCall, unknown, WRITTEN } from './call.ts';
import { whileAdmitted } from './still-admitted.ts';
import { writeOut } from './write-out.ts';

/**
 * Limits: one verification at a time, whose report goes to all who ask meanwhile; two exports at a time, each as long as
 * its reader takes something (write-out.ts) and may read the journal.
 */
const EXPORTS_MAX = 2;
/** Small, so that progress of a slow reader is noticed. */
const PIECE_CHARS = 64 * 1024;

const verifications = new WeakMap<Audit, Promise<VerifyReport>>();
const exportsUnderWay = new WeakMap<Audit, number>();

export const auditCalls = [
  defineCall(auditContract.search, {
    handle: ({ audit }, { query }) => audit.query(filterOf(query)),
  }),
  defineCall(auditContract.verify, {
    handle: ({ audit }) => verifyOnce(audit),
  }),
  defineCall(auditContract.usage, {
    handle: ({ audit }) => audit.usage(),
  }),
  defineCall(auditContract.exportRows, {
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
  defineCall(auditContract.refusal, {
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
