/** Encodes and decodes MQTT packets byte by byte for the broker of a test. */
export const CONNECT = 1;
export const SUBSCRIBE = 8;
export const PINGREQ = 12;
export const CONNACK = Buffer.from([0x20, 2, 0, 0]);
export const PINGRESP = Buffer.from([0xd0, 0]);

export const kindOf = (packet: Buffer) => (packet[0] ?? 0) >> 4;

export const suback = (subscribe: Buffer, codes: readonly number[]) =>
  Buffer.from([0x90, 2 + codes.length, subscribe[2] ?? 0, subscribe[3] ?? 0, ...codes]);

/** A message on the topic `t`, of less than 120 bytes. */
export const publish = (flags: number, payload: string) =>
  Buffer.concat([
    Buffer.from([0x30 | flags, 3 + (flags > 1 ? 2 : 0) + payload.length, 0, 1]),
    Buffer.from('t'),
    Buffer.from(flags > 1 ? [0, 9] : []),
    Buffer.from(payload),
  ]);
