import type { ConnectionTest } from '#common/control/messages.ts';
import type { TargetGuard } from '#net/target-guard.ts';
import { ConnectionLost, whereIs } from '../dial.ts';
import { timedTest } from '../timed-test.ts';
import { ModbusException, UnitSilent } from './exceptions.ts';
import { type ModbusConnection, ModbusLink } from './link.ts';

const PROBE_UNIT = 1;

/**
 * Connects and reads one register of unit 1; an exception also counts as a response. Never rejects unless the signal
 * aborts.
 */
export async function probeModbus(
  connection: ModbusConnection,
  parts: { readonly guard: TargetGuard; readonly signal?: AbortSignal },
): Promise<ConnectionTest> {
  const signal = parts.signal ?? new AbortController().signal;
  const result = timedTest();
  let link: ModbusLink | null = null;
  try {
    link = await ModbusLink.open(connection, parts.guard, signal);
    await answerOf(link);
    return result(true, (ms) => `Modbus server answered in ${ms} ms`);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof UnitSilent)
      return result(false, `${whereIs(connection)} accepts connections, but unit ${PROBE_UNIT}: ${error.message}`);
    if (error instanceof ConnectionLost) return result(false, error.message);
    throw error;
  } finally {
    link?.close();
  }
}

async function answerOf(link: ModbusLink): Promise<void> {
  try {
    await link.request(PROBE_UNIT, (client) => client.readHoldingRegisters(0, 1));
  } catch (error) {
    if (!(error instanceof ModbusException)) throw error;
  }
}
