import type { z } from 'zod';
import { ruleOf } from '#common/errors/rule-of-issue.ts';
import { clip } from '#common/clip.ts';
import type { CheckFinding, PipelineDefinition, PipelineNode } from '#common/model/pipeline.ts';
import type { RouteSettings } from '#common/model/route-settings.ts';
import { NODE_ID } from '#common/model/ids.ts';
import type { Scope } from '#common/scopes.ts';
import { type NodeKind, takesInput } from '#sdk';
import { ERROR_PORT } from './graph.ts';
import { READ_MS_MAX } from './limits.ts';

/** A node of a known kind with parsed settings. */
export interface ReadNode {
  readonly id: string;
  readonly index: number;
  readonly name: string;
  readonly kind: NodeKind;
  readonly settings: unknown;
  /** False: a path begins here. */
  readonly input: boolean;
  /** Includes `error` if the node has it. */
  readonly ports: readonly string[];
  readonly scopes: readonly Scope[];
  /** The route of the node, if it is a REST API node in ingress mode. */
  readonly route: RouteSettings | null;
  /** Port → node IDs, in the order of the wires; dangling wires are left out. */
  readonly outs: Map<string, string[]>;
}

export interface ReadPipeline {
  readonly nodes: ReadonlyMap<string, ReadNode>;
  readonly errors: readonly CheckFinding[];
}

export type KindTable = ReadonlyMap<string, NodeKind>;

/** Reads a definition once, for check and compilation. Runs no node code except the schemas of the kinds. */
export function readPipeline(definition: PipelineDefinition, kinds: KindTable): ReadPipeline {
  const errors: CheckFinding[] = [];
  const nodes = new Map<string, ReadNode>();
  const endMs = performance.now() + READ_MS_MAX;
  for (const [index, node] of definition.nodes.entries()) {
    if (performance.now() > endMs) {
      errors.push(tooCostly(node.id));
      break;
    }
    const read = readNode(node, index, kinds, nodes, errors);
    if (read !== null) nodes.set(node.id, read);
  }
  const ids = new Set(definition.nodes.map((node) => node.id));
  for (const [index, wire] of definition.wires.entries()) {
    const wrong = wireFault(wire, ids, nodes);
    if (wrong !== null) errors.push({ ...wrong, field: `wires.${index}.${wrong.field}` });
    else connect(wire, nodes);
  }
  return { nodes, errors };
}

function tooCostly(node: string): CheckFinding {
  const message = `reading the settings took more than ${READ_MS_MAX / 1000} s; expected fewer or smaller schemas and patterns`;
  return { code: 'settings_too_costly', node, field: 'settings', message };
}

function readNode(
  node: PipelineNode,
  index: number,
  kinds: KindTable,
  before: ReadonlyMap<string, ReadNode>,
  errors: CheckFinding[],
): ReadNode | null {
  const wrongId = idFault(node, before);
  if (wrongId !== null) {
    errors.push({ ...wrongId, node: clip(node.id), field: 'id' });
    return null;
  }
  const kind = kinds.get(node.kind);
  if (kind === undefined) {
    const known = [...kinds.keys()].join(', ');
    errors.push({
      code: 'unknown_kind',
      node: node.id,
      field: 'kind',
      message: `there is no node kind "${clip(node.kind)}"; expected one of ${known}`,
    });
    return null;
  }
  const settings = kind.settings.safeParse(node.settings);
  if (!settings.success) {
    errors.push(...settingFaults(node.id, settings.error.issues));
    return null;
  }
  const input = takesInput(kind, settings.data);
  return {
    id: node.id,
    index,
    name: node.name ?? node.id,
    kind,
    settings: settings.data,
    input,
    ports: [...kind.ports(settings.data), ...(input ? [ERROR_PORT] : [])],
    scopes: kind.scopes(settings.data),
    route: routeOf(kind, settings.data),
    outs: new Map(),
  };
}

function idFault(node: PipelineNode, before: ReadonlyMap<string, ReadNode>): CheckFinding | null {
  if (!NODE_ID.test(node.id)) {
    return {
      code: 'node_id_invalid',
      message: `"${clip(node.id)}" is not a node id; expected 1 to 64 letters, digits, "_" or "-"`,
    };
  }
  if (!before.has(node.id)) return null;
  return { code: 'node_id_twice', message: `two nodes have the id "${node.id}"; expected each once` };
}

function settingFaults(node: string, issues: readonly z.core.$ZodIssue[]): CheckFinding[] {
  return issues.map((issue) => {
    const field = ['settings', ...issue.path.map(String)].join('.');
    return { code: 'setting_invalid', node, field, ...ruleOf(issue) };
  });
}

type Wire = PipelineDefinition['wires'][number];
type WireFault = CheckFinding & { field: string };

function wireFault(wire: Wire, ids: ReadonlySet<string>, nodes: ReadonlyMap<string, ReadNode>): WireFault | null {
  if (!ids.has(wire.from)) {
    return {
      code: 'wire_from_nowhere',
      field: 'from',
      message: `the wire comes from "${clip(wire.from)}", which is not a node of this pipeline`,
    };
  }
  const from = nodes.get(wire.from);
  if (!ids.has(wire.to)) {
    return {
      code: 'wire_to_nowhere',
      node: wire.from,
      field: 'to',
      message: `the wire goes to "${clip(wire.to)}", which is not a node of this pipeline`,
    };
  }
  if (from !== undefined && !from.ports.includes(wire.port)) {
    const expected = from.ports.length === 0 ? 'it has no ports out' : `expected ${from.ports.join(', ')}`;
    return {
      code: 'port_unknown',
      node: wire.from,
      field: 'port',
      message: `node "${wire.from}" has no port "${clip(wire.port)}"; ${expected}`,
    };
  }
  const to = nodes.get(wire.to);
  if (to === undefined || to.input) return null;
  return {
    code: 'wire_into_start',
    node: wire.to,
    field: 'to',
    message: `node "${wire.to}" begins a path and takes no wire in`,
  };
}

function connect(wire: Wire, nodes: ReadonlyMap<string, ReadNode>): void {
  const from = nodes.get(wire.from);
  if (from === undefined || !nodes.has(wire.to)) return;
  const targets = from.outs.get(wire.port);
  if (targets === undefined) from.outs.set(wire.port, [wire.to]);
  else targets.push(wire.to);
}

/** The only kind that publishes routes is known by name: routes belong to the gateway, not to a plugin. */
function routeOf(kind: NodeKind, settings: unknown): RouteSettings | null {
  if (kind.id !== 'rest-api') return null;
  const read = settings as RouteSettings | { mode: 'egress' };
  return read.mode === 'ingress' ? read : null;
}
