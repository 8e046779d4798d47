import { expect, test } from 'vitest';
import { PACKET_BYTES_MAX, PacketGate } from './packet-gate.ts';

function packet(bytes: number): Buffer {
  const length: number[] = [];
  let left = bytes;
  do {
    length.push((left % 128) | (left >= 128 ? 0x80 : 0));
    left = Math.floor(left / 128);
  } while (left > 0);
  return Buffer.concat([Buffer.from([0x30, ...length]), Buffer.alloc(bytes, 0xff)]);
}

test('packets of every size pass, however the stream is split', () => {
  const stream = Buffer.concat([0, 1, 127, 128, 16_384, 3].map(packet));
  for (const size of [1, 2, 3, 7, stream.length]) {
    const gate = new PacketGate();
    const cuts = Array.from({ length: Math.ceil(stream.length / size) }, (_, index) => index * size);
    expect(cuts.every((at) => gate.passes(stream.subarray(at, at + size)))).toBe(true);
  }
});

test('a packet over the limit is refused as soon as its length is announced', () => {
  const huge = packet(PACKET_BYTES_MAX + 1);
  expect(new PacketGate().passes(packet(PACKET_BYTES_MAX).subarray(0, 5))).toBe(true);
  expect(new PacketGate().passes(huge.subarray(0, 5))).toBe(false);
});

test('a length of more than four bytes is refused', () => {
  expect(new PacketGate().passes(Buffer.from([0x30, 0xff, 0xff, 0xff, 0xff]))).toBe(false);
});
