/** The icon files of Windows and macOS, both of which contain PNG pictures unchanged. */
export interface Picture {
  /** Width and height in pixels. */
  size: number;
  png: Buffer;
}

/** Sizes of the pictures that `icoOf`, `icnsOf` and Linux's folders of icons need. */
export const ICON_SIZES = [16, 24, 32, 48, 64, 128, 256, 512, 1024] as const;

const ICO_SIZE_MAX = 256;
const ICO_HEADER_BYTES = 6;
const ICO_ENTRY_BYTES = 16;

/** Windows' .ico: a header, an entry of 16 bytes for each picture, the pictures. 256 pixels are written as 0. */
export function icoOf(pictures: readonly Picture[]): Buffer {
  const taken = pictures.filter(({ size }) => size <= ICO_SIZE_MAX);
  const header = Buffer.alloc(ICO_HEADER_BYTES);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(taken.length, 4);
  let offset = ICO_HEADER_BYTES + ICO_ENTRY_BYTES * taken.length;
  const entries = taken.map(({ size, png }) => {
    const entry = Buffer.alloc(ICO_ENTRY_BYTES);
    entry.writeUInt8(size % ICO_SIZE_MAX, 0);
    entry.writeUInt8(size % ICO_SIZE_MAX, 1);
    entry.writeUInt16LE(1, 4);
    entry.writeUInt16LE(32, 6);
    entry.writeUInt32LE(png.length, 8);
    entry.writeUInt32LE(offset, 12);
    offset += png.length;
    return entry;
  });
  return Buffer.concat([header, ...entries, ...taken.map(({ png }) => png)]);
}

/** macOS' .icns: each picture with a type for its size, and again as the 2x version of half its size. */
const ICNS_NAMES: Readonly<Record<number, readonly string[]>> = {
  32: ['ic11'],
  64: ['ic12'],
  128: ['ic07'],
  256: ['ic08', 'ic13'],
  512: ['ic09', 'ic14'],
  1024: ['ic10'],
};

export function icnsOf(pictures: readonly Picture[]): Buffer {
  const parts = pictures.flatMap(({ size, png }) => (ICNS_NAMES[size] ?? []).map((name) => chunk(name, png)));
  return chunk('icns', Buffer.concat(parts));
}

/** Name and length, including these 8 bytes, before the content. */
function chunk(name: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(name, 'latin1');
  head.writeUInt32BE(content.length + head.length, 4);
  return Buffer.concat([head, content]);
}
