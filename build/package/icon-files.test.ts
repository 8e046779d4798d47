import { expect, test } from 'vitest';
import { icnsOf, icoOf } from './icon-files.ts';

const pictures = [16, 32, 256, 512].map((size) => ({ size, png: Buffer.from(`picture of ${size}`) }));

test('an .ico has an entry for each picture up to 256 pixels, at the offset in the entry', () => {
  const ico = icoOf(pictures);
  expect([ico.readUInt16LE(0), ico.readUInt16LE(2), ico.readUInt16LE(4)]).toEqual([0, 1, 3]);
  const entries = [0, 1, 2].map((index) => ico.subarray(6 + 16 * index, 22 + 16 * index));
  // 256 does not fit into the byte and is written as 0.
  expect(entries.map((entry) => entry[0])).toEqual([16, 32, 0]);
  const found = entries.map((entry) => {
    const at = entry.readUInt32LE(12);
    return ico.subarray(at, at + entry.readUInt32LE(8)).toString();
  });
  expect(found).toEqual(['picture of 16', 'picture of 32', 'picture of 256']);
});

test('an .icns names each picture by its size, and as the double resolution of half that size', () => {
  const icns = icnsOf(pictures);
  expect([icns.toString('latin1', 0, 4), icns.readUInt32BE(4)]).toEqual(['icns', icns.length]);
  const names: string[] = [];
  for (let at = 8; at < icns.length; at += icns.readUInt32BE(at + 4)) names.push(icns.toString('latin1', at, at + 4));
  expect(names).toEqual(['ic11', 'ic08', 'ic13', 'ic09', 'ic14']);
});
