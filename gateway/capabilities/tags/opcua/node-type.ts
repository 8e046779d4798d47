import type { DataType, NodeId } from 'node-opcua-client';
import { NodeError } from '#sdk';
import type { Link } from './link.ts';
import { TYPE_LEVELS_MAX } from './limits.ts';

/** The values that a node accepts. `dataType` null: any; the value decides. */
export interface NodeType {
  readonly dataType: DataType | null;
  /** Part 3, 5.6.2: -1 is a scalar, 1 or more an array with that many dimensions; -2, -3 and 0 leave it open. */
  readonly rank: number;
}

const ENUMERATION = 29;
/** BaseDataType, Number, Integer and UInteger: the current value of the node determines the type. */
const ABSTRACT = new Set([24, 26, 27, 28]);
const BUILT_IN_MAX = 25;

/** Throws NodeError `tag_write_failed` if the node does not provide it. */
export async function readNodeType(link: Link, id: string): Promise<NodeType> {
  const { AttributeIds, coerceNodeId } = link.opcua;
  const nodeId = coerceNodeId(id);
  const attributes = [AttributeIds.DataType, AttributeIds.ValueRank, AttributeIds.Value];
  const [type, rank, present] = await link.session.read(attributes.map((attributeId) => ({ nodeId, attributeId })));
  if (type?.statusCode.isGood() !== true) {
    throw new NodeError(
      'tag_write_failed',
      `the server does not tell the data type of ${id}: ${type?.statusCode.name ?? 'nothing'}`,
    );
  }
  const dataType = await builtInType(link, type.value.value);
  const held = present?.value?.dataType ?? link.opcua.DataType.Null;
  const open = held === link.opcua.DataType.Null ? null : held;
  const known: unknown = rank?.value?.value;
  return { dataType: dataType ?? open, rank: typeof known === 'number' ? known : -2 };
}

/** Follows the ancestors of the type, at most TYPE_LEVELS_MAX: the peer could describe a cycle. */
async function builtInType(link: Link, start: unknown): Promise<DataType | null> {
  let type = start;
  for (let level = 0; level < TYPE_LEVELS_MAX && type instanceof link.opcua.NodeId; level++) {
    const number = type.namespace === 0 && typeof type.value === 'number' ? type.value : Infinity;
    if (ABSTRACT.has(number)) return null;
    if (number === ENUMERATION) return link.opcua.DataType.Int32;
    if (number >= 1 && number <= BUILT_IN_MAX) return number;
    type = await parentOf(link, type);
  }
  throw new NodeError('tag_write_failed', 'the server does not tell the built-in data type of the node');
}

async function parentOf({ opcua, session }: Link, nodeId: NodeId): Promise<NodeId | null> {
  const { references } = await session.browse({
    nodeId,
    browseDirection: opcua.BrowseDirection.Inverse,
    referenceTypeId: opcua.coerceNodeId(opcua.ReferenceTypeIds.HasSubtype),
    includeSubtypes: false,
    resultMask: 0,
  });
  return references?.[0]?.nodeId ?? null;
}
