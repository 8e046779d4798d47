/** Shared by the tests of the runtime and of the node kinds. Not used by the product. */
import { kinds as shipped } from '#plugins';
import { pipelineDefinition, type PipelineDefinition } from '#common/model/pipeline.ts';
import type { Message } from '#common/model/message.ts';
import { SCOPES, scopeMask } from '#common/scopes.ts';
import type { EgressService, NodeKind, ScriptService } from '#sdk';
import { defineKind, z } from '#sdk';
import { CapabilityBroker } from '../capabilities/capability-broker.ts';
import { MessageBus } from '../capabilities/messages/bus.ts';
import { Pace } from '../capabilities/pace.ts';
import type { Principal } from '../capabilities/principal.ts';
import { NO_TAGS } from '../capabilities/tags/no-tags.ts';
import type { RunResult } from './contract.ts';
import type { LogFields } from './run-log.ts';
import { NO_EGRESS } from '#sdk/testing.ts';
import { createPipelineRuntime } from './runtime.ts';
import { unwatchedRuns } from './run-watch/run-watch.ts';
import type { LivePipeline } from './pipeline.ts';

/** Principals without any scope, and with all of them. */
export const NOBODY: Principal = { scopes: 0, revoked: false, limits: null, rehearsal: false, things: null };
export const ANYBODY: Principal = {
  scopes: scopeMask(SCOPES),
  revoked: false,
  limits: null,
  rehearsal: false,
  things: null,
};

/** A capability broker with a fixed answer for each call; other calls are unknown. */
export function answeringDoor(answers: Readonly<Record<string, unknown>>): CapabilityBroker {
  const calls = Object.entries(answers).map(([name, answer]) => [name, () => answer]);
  return new CapabilityBroker([{ calls: Object.fromEntries(calls), close: () => Promise.resolve() }]);
}

export interface LoggedLine {
  readonly level: string;
  readonly message: string;
  readonly fields: LogFields;
}

type NodeInput = Record<string, unknown> & { id: string; kind: string };

/** `in → a → b` wires each node's `out`; `a.invalid → c` names a port. */
export function definition(
  nodes: readonly NodeInput[],
  wires: readonly string[],
  more: object = {},
): PipelineDefinition {
  return pipelineDefinition.parse({ id: 'test', name: 'Test', nodes, wires: wires.flatMap(readWires), ...more });
}

function readWires(text: string): { from: string; port: string; to: string }[] {
  const stops = text.split('→').map((stop) => stop.trim());
  return stops.slice(1).map((to, i) => {
    const [from = '', port = 'out'] = (stops[i] ?? '').split('.');
    return { from, port, to: to.split('.')[0] ?? '' };
  });
}

export const ingress = (settings: object = {}): NodeInput => ({
  id: 'in',
  kind: 'rest-api',
  settings: { mode: 'ingress', ...settings },
});
export const response = (settings: object = {}, id = 'reply'): NodeInput => ({ id, kind: 'http-response', settings });

export const noScripts: ScriptService = {
  compile: () => Promise.reject(new Error('these tests have no scripts')),
};

export interface Harness {
  readonly lines: LoggedLine[];
  readonly runtime: ReturnType<typeof createPipelineRuntime>;
  compile(definition: PipelineDefinition): Promise<LivePipeline>;
}

export function makeHarness(
  more: readonly NodeKind[] = [],
  scripts: ScriptService = noScripts,
  door = new CapabilityBroker([]),
  egress: EgressService = NO_EGRESS,
): Harness {
  const lines: LoggedLine[] = [];
  const pace = new Pace();
  const runtime = createPipelineRuntime({
    watch: unwatchedRuns(),
    kinds: [...shipped, ...more],
    scripts,
    egress: () => egress,
    surroundings: { door, bus: new MessageBus(pace), pace, tags: NO_TAGS },
    log: (level, message, fields) => lines.push({ level, message, fields }),
  });
  return {
    lines,
    runtime,
    compile: async (definition) => (await runtime.compile({ project: 'p', revision: 1, definition })) as LivePipeline,
  };
}

export function message(payload: unknown): Message {
  return { payload, request: null, caller: null };
}

/** Dispatches at the first entry; `results` receives the results of the run. */
export function dispatch(
  pipeline: LivePipeline,
  payload: unknown,
  rights = NOBODY,
): { results: RunResult[]; told: Promise<RunResult> } {
  const results: RunResult[] = [];
  const { promise, resolve } = Promise.withResolvers<RunResult>();
  pipeline.entries[0]?.start(message(payload), rights, {
    done(result) {
      results.push(result);
      resolve(result);
    },
  });
  return { results, told: promise };
}

/** A kind whose nodes do what the test defines: `act` by node id. */
export function actor(
  acts: Record<string, ReturnType<NodeKind['create']>>,
  ports: readonly string[] = ['out'],
): NodeKind {
  return defineKind({
    id: 'actor',
    version: '1.0.0',
    title: 'Actor',
    summary: 'Does what a test says.',
    category: 'diagnostics',
    settings: z.looseObject({ scopes: z.array(z.enum(['db:read', 'tag:write'])).default([]) }),
    ports,
    scopes: ({ scopes }) => scopes,
    examples: [],
    create(_settings, { node }) {
      const act = acts[node.id];
      if (act === undefined) throw new Error(`the test has no act for ${node.id}`);
      return act;
    },
  });
}
