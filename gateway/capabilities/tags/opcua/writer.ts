import type { StatusCode, Variant } from 'node-opcua-client';
import { NodeError } from '#sdk';
import type { OpcuaTag } from './subscriptions.ts';
import type { Link } from './link.ts';
import { TAGS_PER_CONNECTION_MAX } from './limits.ts';
import { type NodeType, readNodeType } from './node-type.ts';
import { reasonOf, statusName } from './reason.ts';
import { refuseLate, type SendBefore } from '../send-before.ts';
import { unlessAborted } from './timing.ts';
import { variantOf } from './write-value.ts';

/** Writes of one session; the data type of a node is read once and kept until a write is refused. */
export interface Writer {
  /** Throws NodeError `tag_write_failed`, `device_unreachable`, `target_refused`, `interlock`. */
  write(tag: OpcuaTag, value: unknown, when: { sendBefore: SendBefore; signal: AbortSignal }): Promise<void>;
}

export function createWriter(link: Link): Writer {
  const types = new Map<string, Promise<NodeType>>();
  const typeOf = (nodeId: string) => {
    const known = types.get(nodeId);
    if (known !== undefined) return known;
    if (types.size >= TAGS_PER_CONNECTION_MAX) types.clear();
    const read = readNodeType(link, nodeId);
    types.set(nodeId, read);
    return read;
  };
  return {
    async write(tag, value, { sendBefore, signal }) {
      const { nodeId } = tag.source;
      try {
        const variant = variantOf(link.opcua, await unlessAborted(typeOf(nodeId), link.ended), value);
        // The type of the node may have been waited for.
        signal.throwIfAborted();
        refuseLate(tag.path, sendBefore);
        refuseBad(tag, await unlessAborted(put(link, nodeId, variant), link.ended));
      } catch (error) {
        types.delete(nodeId);
        throw failure(error, tag, link);
      }
    },
  };
}

function put({ opcua, session }: Link, nodeId: string, value: Variant): Promise<StatusCode> {
  const { coerceNodeId, AttributeIds } = opcua;
  return session.write({ nodeId: coerceNodeId(nodeId), attributeId: AttributeIds.Value, value: { value } });
}

function refuseBad(tag: OpcuaTag, status: StatusCode): void {
  if (status.isGoodish()) return;
  throw new NodeError('tag_write_failed', `the server refuses the value of "${tag.path}": ${status.name}`);
}

function failure(error: unknown, tag: OpcuaTag, link: Link): NodeError {
  if (error instanceof NodeError) return error;
  const status = statusName(error);
  if (status === null) return new NodeError('device_unreachable', reasonOf(error, link.peer), { cause: error });
  return new NodeError('tag_write_failed', `the server refuses the write of "${tag.path}": ${status}`, {
    cause: error,
  });
}
