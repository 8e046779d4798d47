import { SluiceError } from '#common/errors/catalogue.ts';
import type { PipelineDefinition } from '#common/model/pipeline.ts';
import { type TestPart, testedPart } from '#common/model/test-part.ts';
import { type CopyBudget, copyMessage } from './copy.ts';
import type { GraphNode } from './graph.ts';
import { COPIED_BYTES_PER_RUN_MAX } from './limits.ts';

/** `entry`: where the test begins unless only one node is run. Throws SluiceError `invalid` that names the field. */
export function cutForTest(active: PipelineDefinition, entry: string, part: TestPart): PipelineDefinition {
  for (const field of ['upTo', 'only'] as const) {
    const id = part[field];
    if (id !== undefined && active.nodes.every((node) => node.id !== id))
      throw refused(`part.${field}`, `there is no enabled node "${id}"`);
  }
  const cut = testedPart(active, part);
  if (part.upTo !== undefined && cut.nodes.every(({ id }) => id !== entry))
    throw refused('part.upTo', `no path leads from "${entry}" to "${part.upTo}"`);
  return cut;
}

/**
 * Pinned nodes give their value instead of running, copied within the limit of a run (`copies_too_large`). Throws SluiceError `invalid` that names the
 * field.
 */
export function pinNodes(graph: ReadonlyMap<string, GraphNode>, pins: NonNullable<TestPart['pins']>): void {
  // The budget of the whole test: a loop of wires may ask for a value again and again.
  const budget: CopyBudget = { bytesLeft: COPIED_BYTES_PER_RUN_MAX };
  for (const [id, { port, payload }] of Object.entries(pins)) {
    const node = graph.get(id);
    // It is not in the part that is run.
    if (node === undefined) continue;
    if (!node.outs.has(port)) throw refused(`part.pins.${id}.port`, `the node has no port "${port}"`);
    const { instance } = node;
    node.instance = {
      // A node after it may change what it gets.
      run: (message) => ({ port, message: copyMessage({ ...message, payload }, budget) }),
      close: () => instance.close?.(),
    };
  }
}

function refused(path: string, message: string): SluiceError {
  return new SluiceError('invalid', message, { errors: [{ path, message }] });
}
