import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { readArchive, writeArchive, type ArchiveEntry } from './archive.ts';

const entry = (name: string, content: string, size = content.length): ArchiveEntry => ({
  name,
  size,
  content: Readable.from(content === '' ? [] : [Buffer.from(content)]),
});
const pack = (...entries: ArchiveEntry[]): Promise<Buffer> => buffer(writeArchive(Readable.from(entries)));

async function unpack(bytes: Uint8Array, pieceBytes = bytes.length): Promise<[string, string][]> {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += pieceBytes) pieces.push(bytes.subarray(at, at + pieceBytes));
  const found: [string, string][] = [];
  for await (const { name, content } of readArchive(Readable.from(pieces)))
    found.push([name, await text(Readable.from(content))]);
  return found;
}

describe('an archive', () => {
  test('is read as it was written, however it arrives', async () => {
    const bytes = await pack(entry('a', 'one'), entry('b/c', ''), entry('b/d', 'two'));
    for (const size of [1, 2, 3, 7, 1000]) {
      expect(await unpack(bytes, size)).toEqual([
        ['a', 'one'],
        ['b/c', ''],
        ['b/d', 'two'],
      ]);
    }
  });

  test('skips entries that its reader does not read', async () => {
    const bytes = await pack(entry('a', 'one'), entry('b', 'two'));
    const names: string[] = [];
    for await (const { name } of readArchive(Readable.from([bytes]))) names.push(name);
    expect(names).toEqual(['a', 'b']);
  });

  test('that is cut at any byte, or followed by more, is refused', async () => {
    const bytes = await pack(entry('a', 'one'), entry('b', 'two'));
    for (let length = 0; length < bytes.length; length++) {
      await expect(unpack(bytes.subarray(0, length)), `length ${length}`).rejects.toMatchObject({ reason: 'backup' });
    }
    await expect(unpack(Buffer.concat([bytes, Buffer.alloc(1)]))).rejects.toMatchObject({ reason: 'backup' });
  });

  test('accepts no file that shrinks or grows while it is read', async () => {
    await expect(pack(entry('a', 'one', 4))).rejects.toThrow('The file a changed while it was backed up; try again.');
    await expect(pack(entry('a', 'one', 2))).rejects.toThrow('The file a changed');
  });

  test.each(['../a', 'a/../../b', '/a', 'a//b', '.', 'a/.', 'c:\\a', 'a\\..\\b', 'a\0b', ''])(
    'accepts no name like %j',
    async (name) => {
      await expect(pack(entry(name, 'x'))).rejects.toThrow('cannot be in a backup');
    },
  );
});
