import { auditContract, EXPORT_ACCESS } from '#common/contract/audit.ts';
import { SluiceError } from '#common/errors/catalogue.ts';
import type { Audit, AuditFilter, Verification } from '../contracts.ts';
import { defineCall, unknown, WRITTEN } from './call.ts';
import { whileAdmitted } from './still-admitted.ts';
import { writeOut } from './write-out.ts';

/**
 * Limits: one verification at a time, whose report is returned to everyone who requests it meanwhile
 * (verifications.ts); two exports at a time, each for as long as its reader makes progress (write-out.ts) and may read
 * the journal.
 */
const EXPORTS_MAX = 2;
/** Small, so that progress of a slow reader is noticed. */
const PIECE_CHARS = 64 * 1024;

const exportsUnderWay = new WeakMap<Audit, number>();

export const auditCalls = [
  defineCall(auditContract.search, {
    handle: ({ audit }, { query }) => audit.query(filterOf(query)),
  }),
  defineCall(auditContract.summary, {
    handle: ({ audit }, { query }) => audit.summary(filterOf(query)),
  }),
  defineCall(auditContract.verify, {
    handle: ({ audit }, { who, session }) => audit.verifyAndRecord({ ...who, user: session.user.name }),
  }),
  defineCall(auditContract.verification, {
    handle: ({ audit }) => shownVerification(audit.lastVerification()),
  }),
  defineCall(auditContract.proof, {
    handle({ audit }, { response }) {
      const proof = audit.proof();
      if (proof === null) throw unknown('proof');
      response.attachment('journal-proof.json').type('application/json; charset=utf-8').end(proof);
      return WRITTEN;
    },
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
        // The name first: it would otherwise set a content type.
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

function shownVerification(last: Verification | null) {
  if (last === null) return { last: null };
  const { at, by, ok, rows, findingCount } = last;
  return { last: { at, by, ok, rows, findingCount } };
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

/** Only the given fields: an absent one is not a filter. */
function filterOf(query: Given<AuditFilter>): AuditFilter {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));
}
