import modbus from 'modbus-serial';
import type { ModbusCommand, ModbusReport, ModbusServerOptions, ModbusTable } from './modbus-peer.ts';

/**
 * A Modbus TCP server for tests, run as a child process by modbus-peer.ts; its options are the first argument, as JSON.
 * Ends with its parent.
 */
const options = JSON.parse(process.argv[2] ?? '{}') as ModbusServerOptions;
const READS_KEPT_MAX = 10_000;
const WRITES_KEPT_MAX = 200_000;
const refused = new Set(options.refused);
const reads: ModbusReport['reads'] = [];
const writes: ModbusReport['writes'] = [];
let silent = new Set(options.silent);
const values: ModbusReport['values'] = {
  coil: { ...options.values?.coil },
  discrete: { ...options.values?.discrete },
  holding: { ...options.values?.holding },
  input: { ...options.values?.input },
};

type Answer<T> = (error: Error | null, value: T) => void;

function get<T>(
  table: ModbusTable,
  unit: number,
  address: number,
  answer: Answer<T>,
  make: (value: number) => T,
): void {
  if (silent.has(unit)) return;
  const value = make(values[table][address] ?? 0);
  answer(refused.has(address) ? illegalAddress() : null, value);
}

function set(table: ModbusTable, unit: number, address: number, value: number, answer: (error: Error | null) => void) {
  if (table === 'holding' && writes.length < WRITES_KEPT_MAX) writes.push({ address, value, atMs: Date.now() });
  if (silent.has(unit)) return;
  if (!refused.has(address)) values[table][address] = value;
  answer(refused.has(address) ? illegalAddress() : null);
}

function illegalAddress(): Error {
  return Object.assign(new Error('illegal data address'), { modbusErrorCode: 2 });
}

function getMany(unit: number, address: number, length: number, answer: Answer<number[]>): void {
  if (reads.length < READS_KEPT_MAX) reads.push({ unit, address, length });
  if (silent.has(unit)) return;
  const addresses = Array.from({ length }, (_, index) => address + index);
  const bad = addresses.some((one) => refused.has(one));
  answer(
    bad ? illegalAddress() : null,
    addresses.map((one) => values.holding[one] ?? 0),
  );
}

const server = new modbus.ServerTCP(
  {
    getCoil: (address, unit, answer: Answer<boolean>) => get('coil', unit, address, answer, Boolean),
    getDiscreteInput: (address, unit, answer: Answer<boolean>) => get('discrete', unit, address, answer, Boolean),
    getInputRegister: (address, unit, answer: Answer<number>) => get('input', unit, address, answer, Number),
    // For one register, the library never calls the function for many.
    getHoldingRegister: (address, unit, answer: Answer<number>) =>
      getMany(unit, address, 1, (error, [value]) => answer(error, value ?? 0)),
    getMultipleHoldingRegisters: (address, length, unit, answer: Answer<number[]>) =>
      getMany(unit, address, length, answer),
    setCoil: (address, value, unit, answer) => set('coil', unit, address, Number(value), answer),
    setRegister: (address, value, unit, answer) => set('holding', unit, address, value, answer),
  },
  { host: '127.0.0.1', port: options.port },
);

process.on('message', (command: ModbusCommand) => {
  if (command.do === 'set') values[command.table][command.address] = command.value;
  if (command.do === 'silent') silent = new Set(command.units);
  if (command.do === 'report') process.send?.({ reads, writes, values } satisfies ModbusReport);
});
process.on('disconnect', () => process.exit(0));
server.on('serverError', (error) => {
  throw error ?? new Error('the server failed');
});
server.on('socketError', () => undefined);
server.on('initialized', () => process.send?.('ready'));
