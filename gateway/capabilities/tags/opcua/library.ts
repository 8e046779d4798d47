import type * as Library from 'node-opcua-client';

/**
 * The OPC UA library, loaded when the first connection needs it: it takes about 100 MB and a second. Its output is
 * silenced, because it prints requests and certificates to the console; errors are returned.
 */
export type Opcua = typeof Library;

export async function loadOpcua(): Promise<Opcua> {
  // If set, the library would dial the address that a server names instead of the checked one.
  delete process.env['NODEOPCUA_CLIENT_FORCE_ENDPOINT_DISCOVERY'];
  const opcua = await import('node-opcua-client');
  opcua.setLogLevel(opcua.LogLevel.Emergency);
  opcua.setDebugLogger(silent);
  opcua.setWarningLogger(silent);
  opcua.setErrorLogger(silent);
  return opcua;
}

function silent(): void {}
