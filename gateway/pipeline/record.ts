import { refusalOf } from '#common/errors/node-codes.ts';
import { CATALOGUE } from '#common/errors/catalogue.ts';
import type { Message } from '#common/model/message.ts';
import type { RunRecord, RunStep } from '#common/model/records.ts';
import { secretsOf } from './mask.ts';
import { listBudget, Renderer, type ShowBudget } from './render.ts';
import type { PipelineRun, Step } from './run.ts';

/** The part of a record about the pipeline. */
export interface RunLabel {
  readonly pipeline: string;
  readonly revision: number;
}

/** A run in the form in which it may be shown. */
export function renderRun(id: string, label: RunLabel, run: PipelineRun, budget: ShowBudget = listBudget()): RunRecord {
  const renderer = new Renderer(run.secrets ?? secretsOf(run.message), budget);
  return {
    id,
    requestId: run.message.request?.id ?? '',
    pipeline: label.pipeline,
    revision: label.revision,
    ...originOf(run),
    startedAt: new Date(run.startedAtMs).toISOString(),
    durationMs: roundTo(run.endedMs - run.startedMs, 3),
    outcome: run.outcome,
    status: statusOf(run),
    error: run.error && { ...run.error, message: renderer.text(run.error.message) },
    test: run.test,
    steps: run.steps.map((step) => renderStep(step, run, renderer)),
    payloadsOmitted: run.payloadsOmitted,
    ...(run.rehearsal !== null && { rehearsal: { count: run.rehearsal.count, writes: run.rehearsal.writes } }),
  };
}

/** Caller and route; in a test they are fictitious. */
function originOf({ test, message }: PipelineRun): Pick<RunRecord, 'caller' | 'route'> {
  const { caller, request } = message;
  if (test) return { caller: null, route: null };
  return {
    caller: caller && { keyId: caller.keyId, name: caller.name },
    route: request && `${request.method} ${request.route}`,
  };
}

function renderStep(step: Step, run: PipelineRun, renderer: Renderer): RunStep {
  const endedMs = step.endedMs < 0 ? run.endedMs : step.endedMs;
  return {
    node: step.node.id,
    kind: step.node.kind,
    port: step.port,
    startedUs: micros(step.startedMs - run.startedMs),
    durationUs: micros(endedMs - step.startedMs),
    input: show(step.input, run, renderer),
    output: show(step.output, run, renderer),
    ...(step.error && { error: { code: step.error.code, message: renderer.text(step.error.message) } }),
  };
}

/** Readers want the payload; on paths after an `error` port, `error` is shown as well. */
function show(message: Message | null, run: PipelineRun, renderer: Renderer): unknown {
  if (message === null || run.payloadsOmitted) return null;
  const payload = renderer.render(message.payload);
  return message.error === undefined ? { payload } : { payload, error: renderer.render(message.error) };
}

/** The HTTP status that the caller received, if any. */
function statusOf(run: PipelineRun): number | null {
  if (run.reply !== null) return run.reply.status;
  if (run.outcome === 'timeout') return CATALOGUE.route_timeout.status;
  if (run.outcome !== 'failed') return null;
  return CATALOGUE[run.error === null ? 'pipeline_failed' : refusalOf(run.error.code)].status;
}

function micros(ms: number): number {
  return Math.max(0, Math.round(ms * 1000));
}

function roundTo(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
