import { commandsOf, type ChildPeer, startChildPeer } from './child-peer.ts';

/** Starts and ends modbus-server.ts, a real Modbus TCP server in a separate process. */
export interface ModbusServerOptions {
  port: number;
  /** Initial values, by table and address; the same for every unit. Everything else is 0. */
  values?: Partial<Record<ModbusTable, Record<number, number>>>;
  /** Register addresses that it refuses with exception 2. */
  refused?: number[];
  /** Units that do not respond. */
  silent?: number[];
}

export type ModbusTable = 'coil' | 'discrete' | 'holding' | 'input';

export type ModbusCommand =
  | { do: 'set'; table: ModbusTable; address: number; value: number }
  | { do: 'silent'; units: number[] }
  | { do: 'report' };

export interface ModbusReport {
  /** Reads of holding registers, in order of arrival. */
  reads: { unit: number; address: number; length: number }[];
  /** Writes of registers, in order of arrival; `atMs` is the clock of the server. */
  writes: { address: number; value: number; atMs: number }[];
  values: Record<ModbusTable, Record<number, number>>;
}

export interface ModbusPeer extends ChildPeer {
  readonly port: number;
  tell(command: ModbusCommand): void;
  report(): Promise<ModbusReport>;
}

export async function startModbusPeer(options: ModbusServerOptions): Promise<ModbusPeer> {
  const peer = await startChildPeer('modbus-server.ts', options);
  return {
    ...peer,
    port: options.port,
    ...commandsOf<ModbusCommand, ModbusReport>(peer, { do: 'report' }),
  };
}
