import { SluiceError } from '#common/errors/catalogue.ts';
import type { AuditRow } from '#common/model/audit.ts';
import type { Audit } from '../contracts.ts';
import type { Context, Services } from './call.ts';

/**
 * Audited actions in the journal (docs/spec/admin-api.md#changes), like a key's use: one row before the action (without
 * `status`), one with its outcome before the response. Fail closed:
 * - the first row cannot be written: nothing is done, 503 `audit_unavailable`. Revocations and stops are the exception:
 *   they take effect first and are recorded when that is possible (perform-restriction.ts).
 * - the second cannot be written: the action remains done, and the response is a 503 that says so. Every completed
 *   action therefore has at least its first row, even after a `kill -9`; a first row without a second one is an action
 *   whose outcome is unknown.
 */
export const RECORD_WAIT_MS = 2000;

/** Without `act`, the one that the call declares. */
export type ActRow = Partial<Omit<AuditRow, 'time'>>;

export type NamedActRow = ActRow & { act: string };

/** Fields of the request in each row. `acts` is absent for a change that an earlier request made. */
export type ActContext = Pick<Context<unknown, unknown>, 'who'> & Partial<Pick<Context<unknown, unknown>, 'acts'>>;

/**
 * `outcome` adds data that is known only afterwards, such as the ID of a new key. Throws before anything is done if the
 * call does not declare the act.
 */
export async function performAct<T>(
  services: Pick<Services, 'audit'>,
  context: ActContext,
  row: ActRow,
  perform: () => Promise<T> | T,
  outcome: (value: T) => Partial<ActRow> = () => ({}),
): Promise<T> {
  const { audit } = services;
  const full = declared(context, { ...context.who, ...row });
  // Not for actions that are retried repeatedly.
  const options = { mayUseSpare: context.acts !== undefined };
  await record(audit, full, 'Nothing was done.', options);
  let value: T;
  try {
    value = await perform();
  } catch (error) {
    await record(audit, { ...full, ...failure(error) }, 'The act had failed already.', options);
    markRecorded(error);
    throw error;
  }
  await record(
    audit,
    { ...full, status: 200, ...outcome(value) },
    'The act was done, but its outcome is not in the journal.',
    options,
  );
  return value;
}

/** Throws if the call does not declare the act. */
export function declared({ acts }: ActContext, row: ActRow): NamedActRow {
  const { act } = row;
  if (act === undefined || acts?.includes(act) === false)
    throw new Error(`the call does not declare the act ${act ?? 'that it writes'}`);
  return { ...row, act };
}

/** Writes one row; any failure becomes `audit_unavailable`. */
export async function record(
  audit: Pick<Audit, 'record'>,
  row: NamedActRow,
  consequence: string,
  options: Parameters<Audit['record']>[1] = {},
): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Error(`no word from the journal within ${RECORD_WAIT_MS} ms`)),
    RECORD_WAIT_MS,
  );
  try {
    await Promise.race([audit.record(row, options), late.promise]);
  } catch (cause) {
    throw new SluiceError('audit_unavailable', `The audit journal cannot be written. ${consequence}`, { cause });
  } finally {
    clearTimeout(timer);
  }
}

const recorded = new WeakSet<object>();

/** The journal already contains this error: it is not recorded again as a refused call (journal-refusals.ts). */
export function markRecorded(error: unknown): void {
  if (typeof error === 'object' && error !== null) recorded.add(error);
}

export function isRecorded(error: object): boolean {
  return recorded.has(error);
}

/** The error in the form of the journal. */
export function failure(error: unknown): Partial<ActRow> {
  return error instanceof SluiceError ? { code: error.code, status: error.status } : { code: 'internal', status: 500 };
}
