import type { EgressTarget } from '#common/model/egress.ts';
import type { CheckFinding, CheckResult, ErrorsWith200 } from '#common/model/pipeline.ts';
import { nodeOf, type Draft, type DraftNode } from '../model/draft.ts';
import { portsOf, type Kinds } from '../model/ports.ts';

/**
 * error: prevents the start; alarm: a current condition; warning and advisory: should be checked. In the draft, or in
 * the running revision.
 */
export type ProblemKind = 'error' | 'alarm' | 'warning' | 'advisory';

export interface Problem {
  kind: ProblemKind;
  code: string;
  /** Null: the pipeline as a whole. */
  node: string | null;
  /** As named by the check, such as `settings.urlPattern`. */
  field: string | null;
  /** In English, from the server; the UI has its own text for an advisory or an alarm. */
  message: string;
  /** Values of the sentence, in addition to those in the message. */
  values: Record<string, string>;
  /** The issue of the check; null: it is not from the check. */
  finding: CheckFinding | null;
}

/** The most urgent first. */
export function problemsOf(
  draft: Draft,
  kinds: Kinds,
  check: CheckResult | null,
  targets: readonly EgressTarget[],
  errorsWith200: readonly ErrorsWith200[],
): Problem[] {
  return [
    ...(check?.errors ?? []).map((finding) => problemOf('error', finding)),
    ...alarmsOf(draft, targets),
    ...errorsWith200.map(repliesOf),
    ...(check?.warnings ?? []).map((finding) => problemOf('warning', finding)),
    ...advisoriesOf(draft, kinds),
  ];
}

export function problemOf(kind: ProblemKind, finding: CheckFinding): Problem {
  const { code, node, field, message } = finding;
  return { kind, code, node: node ?? null, field: field ?? null, message, values: {}, finding };
}

/** Unwired ports of nodes that continue through other ports: the message ends there. */
export function advisoriesOf(draft: Draft, kinds: Kinds): Problem[] {
  return draft.nodes.filter(isOn).flatMap((node) => {
    const { outs } = portsOf(node, kinds);
    if (outs.length < 2) return [];
    const wired = new Set(draft.wires.filter(({ from }) => from === node.id).map(({ port }) => port));
    return outs.filter((port) => !wired.has(port)).map((port) => advisory(node, port));
  });
}

const isOn = (node: DraftNode) => node.off !== true;

function advisory({ id }: DraftNode, port: string): Problem {
  return {
    kind: 'advisory',
    code: 'port_unwired',
    node: id,
    field: null,
    message: '',
    values: { port },
    finding: null,
  };
}

/** Paused targets of this pipeline's calls. */
function alarmsOf(draft: Draft, targets: readonly EgressTarget[]): Problem[] {
  return draft.nodes.filter(isOn).flatMap((node): Problem[] => {
    const origin = egressOrigin(node);
    const target = targets.find((one) => one.target === origin && one.state === 'paused');
    if (target === undefined) return [];
    const values = { target: target.target, reason: target.reason ?? '' };
    return [{ kind: 'alarm', code: 'target_paused', node: node.id, field: null, message: '', values, finding: null }];
  });
}

/** Behaviour of the running revision; its node may no longer be in the draft. */
function repliesOf({ node, count }: ErrorsWith200): Problem {
  const values = { count: String(count) };
  return { kind: 'warning', code: 'error_with_200', node, field: null, message: '', values, finding: null };
}

export const isEgress = (node: DraftNode) => node.kind === 'rest-api' && node.settings['mode'] === 'egress';

/** Scheme, host and port of the node's target; null: it has none, or it cannot be parsed. */
export function egressOrigin(node: DraftNode): string | null {
  const url = node.settings['url'];
  return isEgress(node) && typeof url === 'string' && URL.canParse(url) ? new URL(url).origin : null;
}

/** Scopes that a node after a route needs and the route does not require. */
export function lackingScopes(check: CheckResult): string[] {
  const lacking = check.warnings.filter(({ code }) => code === 'scope_not_required');
  return [...new Set(lacking.map(({ message }) => scopeIn(message)).filter((scope) => scope !== null))];
}

/** The scope in an issue. */
export function scopeIn(message: string): string | null {
  return /\b[a-z]+:(?:read|write|execute)\b/.exec(message)?.[0] ?? null;
}

/** A node's field as its form names it; null: the issue is not about a setting. */
export function settingOf({ field }: Pick<Problem, 'field'>): string | null {
  return field?.startsWith('settings.') === true ? field.slice('settings.'.length) : null;
}

/** The node to show for a problem, if it still exists. */
export function nodeOfProblem(draft: Draft, { node }: Problem): DraftNode | null {
  return (node !== null && nodeOf(draft, node)) || null;
}
