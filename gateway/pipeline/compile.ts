import { type FieldError, SluiceError } from '#common/errors/catalogue.ts';
import type { CheckFinding, PipelineDefinition } from '#common/model/pipeline.ts';
import { type EgressService, NodeError, type NodeInstance, type ScriptService } from '#sdk';
import { asNodeError } from './node-error.ts';
import { CLOSED, type GraphNode } from './graph.ts';
import { NodeCounters } from './node-counters.ts';
import { SLICE_MS_MAX } from './limits.ts';
import type { ReadNode, ReadPipeline } from './read.ts';
import type { NodeMark } from './run-watch/node-mark.ts';

/** Services that nodes can use while they are created. */
export interface Lent {
  readonly project: string;
  readonly scripts: ScriptService;
  egress(node: string): EgressService;
  mark(node: string): NodeMark;
}

/** Creates every node and links them; throws SluiceError `invalid` if one cannot be created, closing the others. */
export async function buildGraph(read: ReadPipeline, lent: Lent): Promise<Map<string, GraphNode>> {
  const graph = new Map<string, GraphNode>();
  let sliceEndMs = performance.now() + SLICE_MS_MAX;
  try {
    for (const node of read.nodes.values()) {
      graph.set(node.id, await createNode(node, lent));
      if (performance.now() < sliceEndMs) continue;
      await nextTurn();
      sliceEndMs = performance.now() + SLICE_MS_MAX;
    }
  } catch (error) {
    await closeGraph(graph.values(), () => undefined);
    throw error;
  }
  for (const node of read.nodes.values()) link(node, graph);
  return graph;
}

/** Lets requests through while many nodes are created. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Closes each node once. An error of one node is logged and does not prevent closing the others. */
export async function closeGraph(
  nodes: Iterable<GraphNode>,
  failed: (node: string, message: string) => void,
): Promise<void> {
  for (const node of nodes) {
    const { instance } = node;
    node.instance = CLOSED;
    node.mark.release();
    try {
      await instance.close?.();
    } catch (error) {
      failed(node.id, asNodeError(error).message);
    }
  }
}

async function createNode(node: ReadNode, lent: Lent): Promise<GraphNode> {
  const instance = await createInstance(node, lent);
  return {
    id: node.id,
    kind: node.kind.id,
    instance,
    outs: new Map(),
    traffic: new NodeCounters(node.ports),
    mark: lent.mark(node.id),
  };
}

async function createInstance(node: ReadNode, lent: Lent): Promise<NodeInstance> {
  try {
    const { id, name } = node;
    return await node.kind.create(node.settings, {
      project: lent.project,
      node: { id, name },
      scripts: lent.scripts,
      egress: lent.egress(id),
    });
  } catch (error) {
    const { code, message } = asNodeError(error);
    const field = error instanceof NodeError && code === 'script_invalid' ? 'settings.code' : 'settings';
    throw invalid([{ path: `nodes.${node.index}.${field}`, message: `node "${node.id}": ${message}` }], error);
  }
}

function link(node: ReadNode, graph: ReadonlyMap<string, GraphNode>): void {
  const from = graph.get(node.id);
  for (const [index, port] of node.ports.entries()) {
    const targets = (node.outs.get(port) ?? []).map((id) => graph.get(id));
    from?.outs.set(port, { targets: targets.filter((target) => target !== undefined), index });
  }
}

/** The check's errors as the error of a start; `path` is dotted from the definition's root. */
export function invalidPipeline(definition: PipelineDefinition, errors: readonly CheckFinding[]): SluiceError {
  return invalid(errors.map((finding) => fieldError(definition, finding)));
}

function fieldError(definition: PipelineDefinition, finding: CheckFinding): FieldError {
  const { code: _code, node, field = '', ...sentence } = finding;
  if (node === undefined || field.startsWith('wires.')) return { path: field, ...sentence };
  const index = definition.nodes.findIndex(({ id }) => id === node);
  const path = `nodes.${index}${field === '' ? '' : `.${field}`}`;
  return { path, ...sentence, message: `node "${node}": ${sentence.message}` };
}

function invalid(errors: FieldError[], cause?: unknown): SluiceError {
  const [first] = errors;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  const detail = `the pipeline cannot start: ${first?.message ?? 'it is not valid'}${more}`;
  return new SluiceError('invalid', detail, cause === undefined ? { errors } : { errors, cause });
}
