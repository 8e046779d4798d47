import type { ConnectionTest } from '#common/control/messages.ts';
import { timedTest } from '../timed-test.ts';
import { type OpcuaSettings, peerName } from './address.ts';
import { type Link, type LinkParts, openLink } from './link.ts';
import { cut, reasonOf } from './reason.ts';

const NAME_CHARS_MAX = 100;

/** One session with these settings, opened and closed: the same checks as the real connection. Never throws. */
export async function probeOpcua(
  settings: OpcuaSettings,
  parts: LinkParts,
  signal = new AbortController().signal,
): Promise<ConnectionTest> {
  const result = timedTest();
  try {
    const link = await openLink(settings, parts, signal);
    try {
      const name = await productName(link);
      return result(true, (ms) => `OPC UA server "${name}", ${ms} ms`);
    } finally {
      await link.close();
    }
  } catch (error) {
    return result(false, reasonOf(error, peerName(settings)));
  }
}

async function productName({ opcua, session }: Link): Promise<string> {
  const nodeId = opcua.coerceNodeId(opcua.VariableIds.Server_ServerStatus_BuildInfo_ProductName);
  const { value } = await session.read({ nodeId, attributeId: opcua.AttributeIds.Value });
  const name: unknown = value.value;
  return typeof name === 'string' ? cut(name).slice(0, NAME_CHARS_MAX) : '';
}
