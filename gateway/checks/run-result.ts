import { scopeNames } from '#common/scopes.ts';
import { faultDetail } from '../http/problem-reply.ts';
import { comparedText, refusalReason, type RefusalReason } from '../http/refusal-reason.ts';
import type { RequestContext } from '../http/request-context.ts';
import type { MissingLimit } from '#sdk';
import type { RunResult } from '../pipeline/contract.ts';

/** Entries of a limit in the answer to its caller. */
const ENTRIES_SHOWN_MAX = 5;

type RunFailure = Extract<RunResult, { kind: 'failed' }>;

const RUN_CANCELLED: RefusalReason = {
  ...refusalReason(10, 'run_cancelled'),
  detail: 'The pipeline was stopped while it ran.',
};
const GATEWAY_STOPPED: RefusalReason = {
  ...refusalReason(10, 'gateway_stopped'),
  detail: 'Sluice was stopped while the pipeline ran.',
};

const WRITE_UNRECORDED = 'The audit journal cannot be written, so the pipeline wrote nothing.';

const OUTSIDE_PIPELINE = 'The pipeline asked for something outside of its own limits.';

/** Step 10: the reason for refusing a run without a reply. */
export function failedRun(context: RequestContext, result: Exclude<RunResult, { kind: 'reply' }>): RefusalReason {
  switch (result.kind) {
    case 'timeout': {
      const compared = { timeoutMs: context.liveRoute.timeoutMs, node: result.node };
      return refusalReason(10, 'route_timeout', compared);
    }
    case 'cancelled':
      return context.gateway.draining ? GATEWAY_STOPPED : RUN_CANCELLED;
    case 'failed':
      return runFailure(context, result);
  }
}

function runFailure(context: RequestContext, result: RunFailure): RefusalReason {
  const compared = { node: result.node, cause: comparedText(result.cause) };
  if (result.code === 'value_invalid') {
    const reason = refusalReason(10, 'value_invalid', compared);
    return { ...reason, detail: faultDetail('value_invalid', valueFault(result)) };
  }
  if (result.code === 'value_stale') {
    const reason = refusalReason(10, 'value_stale', compared);
    return { ...reason, detail: `A value of the plant is too old: ${asciiText(result.cause)}.` };
  }
  if (result.code === 'limit_missing' && result.limit !== null) return outsideLimit(result.limit, compared);
  if (result.code === 'interlock' || result.code === 'write_stopped')
    return refusedWrite(result.code, result.refusedWrite, compared);
  if (result.code === 'storage_unavailable') return refusalReason(10, 'storage_unavailable', compared);
  if (result.code === 'audit_unavailable') {
    return { ...refusalReason(10, 'write_unrecorded', compared), detail: WRITE_UNRECORDED };
  }
  if (result.code !== 'scope_missing') return refusalReason(10, 'pipeline_failed', compared);
  const missing = result.missing.join(', ');
  return {
    code: 'scope_missing',
    step: 10,
    cause: 'scope_missing',
    compared: { ...compared, missing, ...runRights(context) },
    detail: `The run lacks: ${missing}.`,
  };
}

/** The limits of a pipeline are configuration: its callers do not learn them. */
function outsideLimit(missing: MissingLimit, compared: { node: string | null; cause: string }): RefusalReason {
  const { scope, thing, entries, owner } = missing;
  const limit = comparedText(entries.join(', ')) || 'nothing';
  const shown = { scope, thing: comparedText(thing), entries: entries.slice(0, ENTRIES_SHOWN_MAX).map(comparedText) };
  const row = { ...compared, scope, thing: shown.thing, limit };
  if (owner === 'pipeline') return { ...refusalReason(10, 'pipeline_limit', row), detail: OUTSIDE_PIPELINE };
  return {
    ...refusalReason(10, 'limit_missing', row),
    detail: `The limits of the API key for ${scope} do not include "${shown.thing}".`,
    members: { limit: { ...shown, more: Math.max(0, entries.length - ENTRIES_SHOWN_MAX) } },
  };
}

/** The node states no more than its message if the write was refused by the thread of the drivers. */
function refusedWrite(
  code: 'interlock' | 'write_stopped',
  refused: RunFailure['refusedWrite'],
  compared: { node: string | null; cause: string },
): RefusalReason {
  const detail = `Not written: ${asciiText(compared.cause)}.`;
  if (refused === null) return { ...refusalReason(10, code, compared), detail };
  if ('limit' in refused) {
    const shown = { ...refused, expected: comparedText(refused.expected), found: comparedText(refused.found) };
    return { ...refusalReason(10, 'interlock', { ...compared, ...shown }), detail, members: { interlock: shown } };
  }
  const stop = { ...refused, reason: comparedText(refused.reason) };
  return { ...refusalReason(10, 'write_stopped', { ...compared, ...stop }), detail, members: { stop } };
}

/** The rights of the run, to explain a refusal. */
function runRights({ liveRoute, key }: RequestContext): { rights: 'key' | 'grants'; held: string; revoked: boolean } {
  const { grants, runAs } = liveRoute.owner.compiled;
  const ofKey = key !== null && runAs === 'caller';
  const held = scopeNames(ofKey ? key.scopes : grants.scopes).join(', ');
  return { rights: ofKey ? 'key' : 'grants', held, revoked: key?.revoked ?? false };
}

/** The fault of the value, in ASCII. Parameters are named; the author's tag paths are not revealed. */
function valueFault({ nodeCode, cause }: RunFailure): string {
  if (nodeCode === 'tag_path_invalid') return 'expected a value that makes a tag path, without "*"';
  return asciiText(cause);
}

function asciiText(cause: string): string {
  return comparedText(cause).replace(/[^\x20-\x7e]/g, '?');
}
