import type { GatewayCallName, GatewayCalls, GatewayStats } from '#common/control/messages.ts';
import { stated } from '#common/errors/rules.ts';
import type { CheckFinding, CheckResult, PipelineDefinition } from '#common/model/pipeline.ts';
import { processFigures } from '#common/node/process-figures.ts';
import { scopeMask } from '#common/scopes.ts';
import { heldLimits } from '../capabilities/limits.ts';
import { grantsPrincipal } from '../capabilities/principal.ts';
import { blockedTargets } from './blocked-targets.ts';
import type { GatewayComponents } from './compose.ts';
import { replyChanged } from './reply-changed.ts';
import { scriptEngines } from './script-engines.ts';

type GatewayCallHandlers = {
  readonly [Call in GatewayCallName]: (
    live: GatewayComponents,
    args: GatewayCalls[Call]['args'],
  ) => GatewayCalls[Call]['value'] | Promise<GatewayCalls[Call]['value']>;
};

/** The gateway's handlers for calls of the host (common/control/messages.ts). */
const HANDLERS: GatewayCallHandlers = {
  check,
  test: ({ runtime }, { project, revision, definition, message, part, who, ...given }) => {
    const { limits } = heldLimits(given.limits ?? {}, given.limitsOf);
    const rights = grantsPrincipal(scopeMask(given.scopes), given.rehearsal, limits);
    return runtime.test({ project, revision, definition }, message, rights, part, who);
  },
  runs: ({ runtime }, { project, pipeline }) => runtime.runs(project, pipeline),
  run: ({ runtime }, { project, pipeline, run }) => runtime.run(project, pipeline, run),
  capability: ({ capabilities }, args) => capabilities.forPerson(args),
  'connection-test': ({ capabilities }, args) => capabilities.trials['connection-test'](args),
  'database-schema': ({ capabilities }, args) => capabilities.trials['database-schema'](args),
  'query-test': ({ capabilities }, args) => capabilities.trials['query-test'](args),
  'script-test': ({ capabilities }, args) => capabilities.trials['script-test'](args),
  'script-check': ({ capabilities }, args) => capabilities.trials['script-check'](args),
  stats,
  traffic: ({ edge }, { epoch, cursor }) => edge.traffic.tell(epoch, cursor, edge.inFlight),
  'key-things': ({ edge }, { keyId }) => {
    const things = edge.keys.things(keyId);
    return things && { since: things.since, lists: things.lists() };
  },
  'node-traffic': ({ edge }, { project, pipeline }) => {
    const compiled = edge.table.pipelines.get(`${project}/${pipeline}`)?.compiled;
    return compiled === undefined ? null : { revision: compiled.revision, nodes: compiled.traffic() };
  },
  'egress-state': ({ egress }, args) => egress.control['egress-state'](args),
  'egress-target-act': ({ egress }, args) => egress.control['egress-target-act'](args),
  'egress-events': ({ egress }, args) => egress.control['egress-events'](args),
  'egress-event': ({ egress }, args) => egress.control['egress-event'](args),
  'egress-event-act': ({ egress }, args) => egress.control['egress-event-act'](args),
  'egress-edit': ({ egress }, args) => egress.control['egress-edit'](args),
  'egress-import': ({ egress }, args) => egress.control['egress-import'](args),
};

/** The host has checked the arguments; the types of both sides come from the same table. */
export async function answerCall(live: GatewayComponents, call: GatewayCallName, args: unknown): Promise<unknown> {
  return (HANDLERS[call] as (live: GatewayComponents, args: unknown) => unknown)(live, args);
}

function check(live: GatewayComponents, { project, definition }: GatewayCalls['check']['args']): CheckResult {
  const result = live.runtime.check(definition);
  const { settings } = live.edge;
  result.errors.push(...clashes(live, project, definition));
  result.warnings.push(...blockedTargets(definition, settings.allowedInternalTargets));
  result.warnings.push(...replyChanged(live.publisher.running(project, definition.id), definition));
  return { ...result, scripts: scriptEngines(definition, settings.scriptExecution) };
}

/** At each node whose route is already served by a running pipeline. */
function clashes({ edge }: GatewayComponents, project: string, definition: PipelineDefinition): CheckFinding[] {
  return definition.nodes.flatMap((node) => {
    const clash = edge.table.clash({ project, definition: { ...definition, nodes: [node] } });
    if (!clash) return [];
    const { route, pipeline, project: of } = clash;
    const sentence = stated('route_taken', { route, pipeline, project: of });
    return [{ code: 'route_clash', node: node.id, field: 'settings.urlPattern', ...sentence }];
  });
}

function stats({ edge, listener, journal, capabilities, scripts }: GatewayComponents): GatewayStats {
  return {
    connections: listener.connections,
    inFlight: edge.inFlight,
    bodyBytes: edge.shares.bodies.used + edge.shares.parsed.used,
    journal: { state: journal.state, head: journal.head },
    routes: [...edge.table.routes.values()].map((route) => ({ ...route.stats })),
    process: processFigures(),
    scripts: scripts.runs(),
    ...capabilities.figures(),
  };
}
