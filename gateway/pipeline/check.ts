import type { CheckFinding, CheckFindings, PipelineDefinition } from '#common/model/pipeline.ts';
import { CREDENTIAL_HEADERS } from '#common/model/route-settings.ts';
import { parsePattern, patternShape } from '#common/pattern.ts';
import { missingScopes, NO_SCOPES, type ScopeMask, scopeMask, scopeNames } from '#common/scopes.ts';
import { failureReplies } from './failure-replies.ts';
import type { ReadNode, ReadPipeline } from './read.ts';
import { sqlParamWarnings } from './sql-params.ts';
import { type Coverage, reachable, replyCoverage } from './reach.ts';

/** The limit of reported findings of each type; more would not help the reader. */
const FINDINGS_MAX = 200;

type Nodes = ReadPipeline['nodes'];
type RouteNode = ReadNode & { readonly route: NonNullable<ReadNode['route']> };

/**
 * Findings about a definition before a start (docs/spec/pipelines.md#check). Pure: everything comes from the arguments.
 */
export function checkPipeline(definition: PipelineDefinition, read: ReadPipeline): CheckFindings {
  const routes = [...read.nodes.values()].filter(isRoute);
  const triggers = [...read.nodes.values()].filter((node) => !node.input && node.route === null);
  const errors = [...read.errors, ...routesTwice(routes), ...triggers.flatMap((node) => deadTrigger(node, definition))];
  const coverage = replyCoverage(read.nodes);
  const warnings = [
    ...routes.flatMap((route) => routeWarnings(route, definition, read.nodes, coverage)),
    ...failureReplies(routes, read.nodes),
    ...triggers.flatMap((trigger) => behindTrigger(trigger, definition, read.nodes)),
    ...[...read.nodes.values()].flatMap(settingWarnings),
    ...[...read.nodes.values()].flatMap(sqlParamWarnings),
    ...wiresTwice(definition),
    ...unreachable(definition, read),
  ];
  const scopes = callerScopes(definition, routes, read.nodes);
  return { errors: errors.slice(0, FINDINGS_MAX), warnings: warnings.slice(0, FINDINGS_MAX), scopes };
}

function isRoute(node: ReadNode): node is RouteNode {
  return node.route !== null;
}

function routesTwice(routes: readonly RouteNode[]): CheckFinding[] {
  const seen = new Map<string, string>();
  const findings: CheckFinding[] = [];
  for (const { id, route } of routes) {
    const parsed = parsePattern(route.urlPattern);
    if (!parsed.ok) continue;
    const shape = `${route.method} ${patternShape(parsed.pattern)}`;
    const other = seen.get(shape);
    if (other === undefined) seen.set(shape, id);
    else
      findings.push({
        code: 'route_clash',
        node: id,
        field: 'settings.urlPattern',
        message: `node "${other}" of this pipeline answers ${route.method} ${route.urlPattern} already`,
      });
  }
  return findings;
}

type CoverageOf = (start: string) => Coverage;

function routeWarnings(node: RouteNode, definition: PipelineDefinition, nodes: Nodes, of: CoverageOf): CheckFinding[] {
  const found = [replyWarning(node, of(node.id)), publicWarning(node), ...headerWarnings(node)];
  return [...found.filter((finding) => finding !== null), ...scopeWarnings(node, definition, nodes)];
}

function replyWarning(node: RouteNode, coverage: Coverage): CheckFinding | null {
  if (coverage === 'always') return null;
  const paths = coverage === 'never' ? 'every path' : 'some path';
  return {
    code: 'reply_missing',
    node: node.id,
    message: `${paths} from "${node.id}" misses an HTTP Response node; on it the caller waits until the timeout of ${node.route.timeout} s`,
  };
}

function publicWarning(node: RouteNode): CheckFinding | null {
  if (node.route.authType !== 'none') return null;
  return {
    code: 'public_route',
    node: node.id,
    field: 'settings.authType',
    message: `the route is public: anyone who can reach the gateway can call ${node.route.method} ${node.route.urlPattern}`,
  };
}

function headerWarnings(node: RouteNode): CheckFinding[] {
  return CREDENTIAL_HEADERS.filter((name) => node.route.headerWhitelist.includes(name)).map((name) => ({
    code: 'sensitive_header',
    node: node.id,
    field: 'settings.headerWhitelist',
    message: `the header "${name}" contains credentials and is passed to every node of the pipeline`,
  }));
}

/** Warnings of the kind itself about valid settings. */
function settingWarnings({ id, kind, settings }: ReadNode): CheckFinding[] {
  const found = kind.warnings?.(settings) ?? [];
  return found.map(({ code, field, message }) => ({ code, node: id, field: `settings.${field}`, message }));
}

/**
 * The rights of a run from this route (docs/spec/capabilities.md#rights-of-a-run): the caller's required scopes, or the
 * pipeline's grants.
 */
function scopeWarnings(node: RouteNode, definition: PipelineDefinition, nodes: Nodes): CheckFinding[] {
  if (node.route.authType === 'none' || definition.runAs === 'pipeline') return grantWarnings(node, definition, nodes);
  return lacking(node, scopeMask(node.route.requiredScopes), nodes, {
    code: 'scope_not_required',
    lack: `that the route of "${node.id}" does not require`,
  });
}

/**
 * Runs without a caller, and those with `runAs: "pipeline"`, have the grants; one begun by a message has at most those.
 */
function grantWarnings(node: ReadNode, definition: PipelineDefinition, nodes: Nodes): CheckFinding[] {
  const held = scopeMask(definition.grants);
  return lacking(node, held, nodes, { code: 'scope_not_granted', lack: 'that the pipeline does not grant' });
}

function lacking(
  start: ReadNode,
  held: ScopeMask,
  nodes: Nodes,
  { code, lack }: { code: string; lack: string },
): CheckFinding[] {
  return reachable([start.id], nodes).flatMap((reached) =>
    scopeNames(missingScopes(scopeMask(reached.scopes), held)).map((scope) => ({
      code,
      node: reached.id,
      message: `node "${reached.id}" needs ${scope}, a scope ${lack}`,
    })),
  );
}

/** A trigger without the scope for its source can never begin a run. This is an error, not a warning. */
function deadTrigger(node: ReadNode, { grants }: PipelineDefinition): CheckFinding[] {
  const missing = scopeNames(missingScopes(scopeMask(node.scopes), scopeMask(grants)));
  if (missing.length === 0) return [];
  const message = `the trigger "${node.id}" needs the grant ${missing.join(', ')}; without it, it never begins anything`;
  return [{ code: 'scope_not_granted', node: node.id, field: 'grants', message }];
}

/** Scopes that the trigger itself lacks are already an error. */
function behindTrigger(trigger: ReadNode, definition: PipelineDefinition, nodes: Nodes): CheckFinding[] {
  return grantWarnings(trigger, definition, nodes).filter(({ node }) => node !== trigger.id);
}

function wiresTwice(definition: PipelineDefinition): CheckFinding[] {
  const seen = new Set<string>();
  const findings: CheckFinding[] = [];
  for (const [index, { from, port, to }] of definition.wires.entries()) {
    const wire = `${from}\n${port}\n${to}`;
    if (seen.has(wire))
      findings.push({
        code: 'wire_twice',
        node: from,
        field: `wires.${index}`,
        message: `two wires lead from "${from}" (${port}) to "${to}"; each message arrives twice`,
      });
    seen.add(wire);
  }
  return findings;
}

/** Reported only if the graph could be read: a node after a faulty one would wrongly be reported as unreachable. */
function unreachable(definition: PipelineDefinition, read: ReadPipeline): CheckFinding[] {
  if (read.errors.length > 0) return [];
  const starts = [...read.nodes.values()].filter((node) => !node.input).map((node) => node.id);
  if (starts.length === 0)
    return [
      {
        code: 'no_start',
        message: 'no node begins a path, so nothing ever runs; expected a REST API node or a trigger',
      },
    ];
  const reached = new Set(reachable(starts, read.nodes).map((node) => node.id));
  return definition.nodes
    .filter((node) => !reached.has(node.id))
    .map((node) => ({ code: 'unreachable', node: node.id, message: `no wire leads to node "${node.id}"` }));
}

function callerScopes(definition: PipelineDefinition, routes: readonly RouteNode[], nodes: Nodes): string[] {
  if (definition.runAs === 'pipeline') return [];
  let mask: ScopeMask = NO_SCOPES;
  const keyed = routes.filter(({ route }) => route.authType === 'api_key').map(({ id }) => id);
  for (const node of reachable(keyed, nodes)) mask |= scopeMask(node.scopes);
  return scopeNames(mask);
}
