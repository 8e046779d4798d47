import type { RunRecord } from '#common/model/records.ts';
import { nodeOf, type Draft } from '../model/draft.ts';

/** The body that the first HTTP Response node sent; null: there was no reply, or the payloads are not kept. */
export function replyOf(run: RunRecord, draft: Draft): { body: unknown; headers: readonly string[] } | null {
  const step = run.steps.find(({ kind, error }) => kind === 'http-response' && error === undefined);
  if (step === undefined || run.payloadsOmitted) return null;
  const { body, headers } = nodeOf(draft, step.node)?.settings ?? {};
  const lines = typeof headers === 'object' && headers !== null ? Object.entries(headers) : [];
  return {
    body: body === undefined ? bodyIn(step.input) : body,
    headers: lines.map(([name, value]) => `${name}: ${String(value)}`),
  };
}

function bodyIn(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || !('payload' in input)) return null;
  const { payload } = input;
  return typeof payload === 'object' && payload !== null && 'body' in payload ? payload.body : null;
}

/** Any 2xx with `error` in the body: callers evaluate the status, and take it for a success. */
export function isErrorAsSuccess(run: RunRecord, draft: Draft): boolean {
  if (run.outcome !== 'replied' || run.status === null || run.status < 200 || run.status > 299) return false;
  const body = replyOf(run, draft)?.body;
  return typeof body === 'object' && body !== null && !Array.isArray(body) && Object.hasOwn(body, 'error');
}
