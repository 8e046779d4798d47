import { z } from 'zod';
import { nodeId } from './ids.ts';

export const PINS_MAX = 50;
const PORT_CHARS_MAX = 64;

const pin = z.strictObject({ port: z.string().max(PORT_CHARS_MAX), payload: z.unknown() });

/** The part of a pipeline that a test runs; without `upTo` and `only` it is all of it. */
export const testPart = z
  .strictObject({
    upTo: nodeId.optional().meta({ description: 'Only the paths that lead to this node, which is the last one.' }),
    only: nodeId.optional().meta({ description: 'Only this node. It gets the payload of the message unchanged.' }),
    pins: z
      .record(nodeId, pin)
      .optional()
      .meta({ description: `Nodes that are not run, with the port and payload that they give; at most ${PINS_MAX}.` }),
  })
  .refine(({ upTo, only }) => upTo === undefined || only === undefined, 'expected upTo or only, not both')
  .refine(({ pins = {} }) => Object.keys(pins).length <= PINS_MAX, `expected at most ${PINS_MAX} pins`);

export type TestPart = z.infer<typeof testPart>;
export type Pin = z.infer<typeof pin>;

interface Drawn {
  readonly nodes: readonly { readonly id: string }[];
  readonly wires: readonly { readonly from: string; readonly to: string }[];
}

/** Only the nodes and wires that the test runs. A node that does not exist leads to an empty part. */
export function testedPart<D extends Drawn>(definition: D, { upTo, only }: Pick<TestPart, 'upTo' | 'only'>): D {
  if (only !== undefined) return { ...definition, nodes: definition.nodes.filter(({ id }) => id === only), wires: [] };
  if (upTo === undefined) return definition;
  const kept = leadingTo(upTo, definition.wires);
  return {
    ...definition,
    nodes: definition.nodes.filter(({ id }) => kept.has(id)),
    wires: definition.wires.filter(({ from, to }) => from !== upTo && kept.has(from) && kept.has(to)),
  };
}

function leadingTo(node: string, wires: Drawn['wires']): Set<string> {
  const found = new Set<string>();
  const open = [node];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    for (const { from, to } of wires) if (to === id) open.push(from);
  }
  return found;
}
