import type { ConnectionTest } from '#common/control/messages.ts';
import type { TargetGuard } from '#net/target-guard.ts';
import { ConnectionLost } from '../dial.ts';
import { timedTest } from '../timed-test.ts';
import { BrokerLink } from './broker-link.ts';
import { KEEP_ALIVE_SECONDS } from './keep-alive.ts';
import type { MqttConnection } from './open-stream.ts';
import { clientIdOf } from './provider.ts';

/** Connects with the settings of the connection and disconnects. Never rejects unless the signal aborts. */
export async function probeMqtt(
  connection: MqttConnection,
  parts: { readonly guard: TargetGuard; readonly signal?: AbortSignal },
): Promise<ConnectionTest> {
  const signal = parts.signal ?? new AbortController().signal;
  const result = timedTest();
  try {
    // The connection's own client ID would disconnect the provider; a broker that requires it reports that.
    const clientId = clientIdOf({ ...connection, clientId: '' });
    const link = await BrokerLink.open(
      connection,
      { guard: parts.guard, clientId, keepAliveSeconds: KEEP_ALIVE_SECONDS, onMessage: () => undefined },
      signal,
    );
    link.close();
    return result(true, (ms) => `MQTT broker accepted the connection in ${ms} ms`);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ConnectionLost) return result(false, error.message);
    throw error;
  }
}
