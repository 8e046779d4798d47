import {
  type ModbusTag,
  decodeBit,
  decodeRegisters,
  encodeBit,
  encodeRegisters,
  isBitTable,
  widthOf,
  withBit,
} from './encoding.ts';
import type { Decoded } from './encoding.ts';
import { ILLEGAL_FUNCTION, ModbusException } from './exceptions.ts';
import type { ModbusClient, ModbusLink } from './link.ts';
import type { Block } from './plan.ts';

/** The result of a read, and each tag's part of it. */
export interface Answer {
  of(tag: ModbusTag): Decoded;
}

/** Throws the errors of `ModbusLink.request`. */
export async function readBlock(link: ModbusLink, block: Block): Promise<Answer> {
  return isBitTable(block.table) ? readBits(link, block) : readRegisters(link, block);
}

/**
 * Resolves when the device has confirmed. Throws NodeError `tag_type`, `tag_write_failed`, and the errors of
 * `ModbusLink.request`.
 */
export type Write = (link: ModbusLink) => Promise<void>;

/**
 * Checks the value first, so that an invalid one causes no request. `beforeSend` is called before each request that
 * changes the device; if it throws, nothing is sent. Throws NodeError `tag_type`, `tag_write_failed`.
 */
export function writeOf(tag: ModbusTag, value: unknown, beforeSend: () => void): Write {
  const { source } = tag;
  if (source.table === 'coil') {
    const on = encodeBit(tag, value);
    return (link) => writeCoil(sending(link, beforeSend), source.unitId, source.address, on);
  }
  if (source.encoding === 'bit') return writeRegisterBit(tag, encodeBit(tag, value), beforeSend);
  const registers = encodeRegisters(tag, value);
  return (link) => writeRegisters(sending(link, beforeSend), source.unitId, source.address, registers);
}

type Sender = Pick<ModbusLink, 'request'>;

function sending(link: ModbusLink, beforeSend: () => void): Sender {
  return {
    request(unitId, ask) {
      beforeSend();
      return link.request(unitId, ask);
    },
  };
}

async function readBits(link: ModbusLink, { unitId, table, start, count }: Block): Promise<Answer> {
  const { buffer } = await link.request(unitId, async (client) =>
    sized(
      await (table === 'coil' ? client.readCoils(start, count) : client.readDiscreteInputs(start, count)),
      Math.ceil(count / 8),
    ),
  );
  return {
    of({ type, source }) {
      const at = source.address - start;
      return decodeBit(type, (((buffer[at >> 3] ?? 0) >> (at & 7)) & 1) === 1);
    },
  };
}

async function readRegisters(link: ModbusLink, { unitId, table, start, count }: Block): Promise<Answer> {
  const { buffer } = await link.request(unitId, async (client) =>
    sized(await registersBy(client, table, start, count), count * 2),
  );
  return {
    of(tag) {
      const at = (tag.source.address - start) * 2;
      return decodeRegisters(tag, buffer.subarray(at, at + widthOf(tag.source) * 2));
    },
  };
}

function registersBy(client: ModbusClient, table: Block['table'], start: number, count: number) {
  return table === 'holding' ? client.readHoldingRegisters(start, count) : client.readInputRegisters(start, count);
}

/** modbus-serial checks the length of the frame, but not whether the byte count in it matches. */
function sized<T extends { buffer: Buffer }>(answer: T, bytes: number): T {
  if (answer.buffer.length !== bytes) throw new RangeError(`expected ${bytes} bytes, got ${answer.buffer.length}`);
  return answer;
}

/** Function 5, or 15 for devices that support only that. */
async function writeCoil(link: Sender, unitId: number, address: number, on: boolean): Promise<void> {
  await orElse(
    () => link.request(unitId, (client) => client.writeCoil(address, on)),
    () => link.request(unitId, (client) => client.writeCoils(address, [on])),
  );
}

/** Function 6 for one register, or 16 for several and for devices that support only that. */
async function writeRegisters(link: Sender, unitId: number, address: number, registers: number[]): Promise<void> {
  const many = () => link.request(unitId, (client) => client.writeRegisters(address, registers));
  const [first] = registers;
  if (registers.length !== 1 || first === undefined) return void (await many());
  await orElse(() => link.request(unitId, (client) => client.writeRegister(address, first)), many);
}

/**
 * Reads the register, changes the bit, writes the register. Other writes of this connection never come in between, but
 * changes of other bits in the register by the device or another master are overwritten. Where that matters, the device
 * should offer a coil.
 */
function writeRegisterBit({ source }: ModbusTag, on: boolean, beforeSend: () => void): Write {
  return async (link) => {
    const { buffer } = await link.request(source.unitId, async (client) =>
      sized(await client.readHoldingRegisters(source.address, 1), 2),
    );
    await writeRegisters(sending(link, beforeSend), source.unitId, source.address, [
      withBit(source, buffer.readUInt16BE(0), on),
    ]);
  };
}

async function orElse(first: () => Promise<unknown>, second: () => Promise<unknown>): Promise<void> {
  try {
    await first();
  } catch (error) {
    if (!(error instanceof ModbusException) || error.code !== ILLEGAL_FUNCTION) throw error;
    await second();
  }
}
