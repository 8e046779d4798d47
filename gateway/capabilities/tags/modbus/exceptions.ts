/** The device responded with an exception (MODBUS Application Protocol 1.1b3, 7). */
export class ModbusException extends Error {
  readonly code: number;

  constructor(code: number) {
    super(textOf(code));
    this.name = 'ModbusException';
    this.code = code;
  }
}

/** The request exceeded its time limit. The connection itself may be fine: behind a gateway one unit may be off. */
export class UnitSilent extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnitSilent';
  }
}

export const ILLEGAL_FUNCTION = 1;
const ILLEGAL_ADDRESS = 2;
/** Some devices return this for a length that reaches an invalid address. */
const ILLEGAL_VALUE = 3;
const GATEWAY_NO_PATH = 10;
const GATEWAY_NO_ANSWER = 11;

const TEXTS: Readonly<Record<number, string>> = {
  [ILLEGAL_FUNCTION]: 'illegal function: the device does not know this table',
  [ILLEGAL_ADDRESS]: 'illegal data address',
  [ILLEGAL_VALUE]: 'illegal data value',
  4: 'the device reports a failure of its own',
  5: 'the device asks for more time',
  6: 'the device is busy',
  8: 'the device reports a memory error',
  [GATEWAY_NO_PATH]: 'the Modbus gateway has no path to the device',
  [GATEWAY_NO_ANSWER]: 'the device behind the Modbus gateway gives no answer',
};

function textOf(code: number): string {
  return TEXTS[code] ?? `the device refused with exception ${code}`;
}

/** A smaller request may succeed. */
export function refusesAddresses({ code }: ModbusException): boolean {
  return code === ILLEGAL_ADDRESS || code === ILLEGAL_VALUE;
}

/** The same request will fail in the same way until the device is changed. */
export function isLasting(exception: ModbusException): boolean {
  return refusesAddresses(exception) || exception.code === ILLEGAL_FUNCTION;
}

export function isFromGateway({ code }: ModbusException): boolean {
  return code === GATEWAY_NO_PATH || code === GATEWAY_NO_ANSWER;
}
