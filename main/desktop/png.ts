import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const RGBA = 6;

/** A PNG file (ISO/IEC 15948) of square images: `pixels` has four bytes per pixel: red, green, blue, opacity. */
export function png(pixels: Uint8Array, side: number): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(side, 0);
  head.writeUInt32BE(side, 4);
  head.set([8, RGBA, 0, 0, 0], 8);
  const rows = Array.from({ length: side }, (_, y) =>
    Buffer.concat([Buffer.of(0), pixels.subarray(y * side * 4, (y + 1) * side * 4)]),
  );
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([size, named, check]);
}
