import { describe, expect, test } from 'vitest';
import { crashStates, Pending } from './crash-states.ts';
import { DiskImage } from './disk-image.ts';
import { CallFollower } from './follow-calls.ts';
import { type Base, type Operation, type Recording, ROOT_INODE } from './operations.ts';
import { parseTrace } from './parse-trace.ts';
import { seededRandom } from './random.ts';

/** Tests the rig itself: how it parses a trace, and which states it derives from it. */
const EMPTY: Base = { files: new Map(), folders: new Map([[ROOT_INODE, new Map()]]) };
const hex = (text: string) =>
  `"${[...Buffer.from(text)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')}"`;

function follow(...lines: string[]): Operation[] {
  const follower = new CallFollower('/d', EMPTY);
  follower.follow(parseTrace(lines.join('\n')));
  return follower.operations;
}

const created = `1 openat(AT_FDCWD, ${hex('/d/f')}, O_RDWR|O_CREAT, 0600) = 5`;

/** The files of each state with their content, as one text. */
function states(recording: Recording): string[] {
  const found = new Set<string>();
  for (const { prefix, kept } of crashStates(recording, seededRandom(1))) {
    const image = new DiskImage(recording.base);
    const pending = new Pending();
    for (const [index, operation] of recording.operations.slice(0, prefix).entries())
      for (const flushed of pending.follow(operation, index)) {
        const done = recording.operations[flushed];
        if (done) image.apply(done);
      }
    for (const [index, part] of kept) {
      const operation = recording.operations[index];
      if (operation) image.apply(operation, part);
    }
    const files = image
      .names()
      .map(({ path, inode }) => `${path}=${image.bytes(inode).toString().replaceAll('\0', '.')}`);
    found.add(files.join(' '));
  }
  return [...found].toSorted();
}

describe('a trace', () => {
  test('is followed through open files, positions, renames and calls split by another thread', () => {
    const operations = follow(
      created,
      `1 write(5, ${hex('ab')}, 2) = 2`,
      `1 write(5, ${hex('cd')}, 2 <unfinished ...>`,
      `2 fsync(5) = 0`,
      `1 <... write resumed>) = 2`,
      `1 pwrite64(5, ${hex('X')}, 1, 1) = 1`,
      `1 write(1, ${hex('DONE {"n":1}\n')}, 13) = 13`,
      `1 rename(${hex('/d/f')}, ${hex('/d/g')}) = 0`,
    );
    expect(operations.map(({ kind }) => kind)).toEqual(['names', 'data', 'sync', 'data', 'data', 'mark', 'names']);
    expect(operations[2]).toMatchObject({ upTo: 2 });
    expect(operations[3]).toMatchObject({ change: { offset: 2 } });
    expect(operations[5]).toMatchObject({ value: { n: 1 } });
    const image = new DiskImage(EMPTY);
    for (const operation of operations) image.apply(operation);
    expect(image.names().map(({ path, inode }) => [path, image.bytes(inode).toString()])).toEqual([['g', 'aXcd']]);
  });

  test('has flushes that cover only writes from before their start', () => {
    const operations = follow(
      created,
      `1 fsync(5 <unfinished ...>`,
      `2 write(5, ${hex('late')}, 4) = 4`,
      `1 <... fsync resumed>) = 0`,
    );
    const pending = new Pending();
    for (const [index, operation] of operations.entries()) pending.follow(operation, index);
    expect(pending.operations).toEqual([0, 1]);
  });

  test('resolves a file unlinked by another thread during its opening to the file that had the name', () => {
    const unlinked = `2 unlink(${hex('/d/f')}) = 0`;
    const opened = [
      `1 openat(AT_FDCWD, ${hex('/d/f')}, O_RDWR <unfinished ...>`,
      `1 <... openat resumed>) = 6`,
    ] as const;
    const written = follow(created, opened[0], unlinked, opened[1], `1 write(6, ${hex('late')}, 4) = 4`);
    const [made] = written;
    expect(made).toMatchObject({ changes: [{ name: 'f', to: 1 }] });
    expect(written.at(-1)).toMatchObject({ kind: 'data', inode: 1 });
    expect(() => follow(created, unlinked, ...opened)).toThrow('/d/f was opened and is not known');
  });

  test.each([
    ['a second program', `1 execve(${hex('/bin/a')}, [], 0) = 0`, `1 execve(${hex('/bin/b')}, [], 0) = 0`],
    ['a file mapped for writing', created, '1 mmap(NULL, 4096, PROT_READ|PROT_WRITE, MAP_SHARED, 5, 0) = 0x7f'],
    ['a copy inside the kernel', created, '1 copy_file_range(9, NULL, 5, NULL, 10, 0) = 10'],
    ['a string that is cut', created, `1 write(5, ${hex('ab')}..., 900) = 900`],
    ['an invalid line', 'what is this'],
  ])('with %s is an error, not an incomplete recording', (_name, ...lines) => {
    expect(() => follow(...lines)).toThrow();
  });
});

describe('the states of a disk', () => {
  test('always contain flushed data, and any combination of names and writes that were not flushed', () => {
    const operations = follow(
      created,
      `1 write(5, ${hex('1')}, 1) = 1`,
      `1 fsync(5) = 0`,
      `1 openat(AT_FDCWD, ${hex('/d')}, O_RDONLY) = 6`,
      `1 fsync(6) = 0`,
      `1 write(5, ${hex('2')}, 1) = 1`,
      `1 write(5, ${hex('3')}, 1) = 1`,
    );
    expect(states({ base: EMPTY, operations })).toEqual(
      ['', 'f=', 'f=.', 'f=1', 'f=1.', 'f=1..', 'f=1.3', 'f=12', 'f=123'].toSorted(),
    );
  });

  test('may lack the name of a flushed file if its folder was not flushed', () => {
    const operations = follow(created, `1 write(5, ${hex('1')}, 1) = 1`, '1 fsync(5) = 0');
    expect(states({ base: EMPTY, operations })).toContain('');
  });

  test('have a rename completely or not at all', () => {
    const base: Base = {
      files: new Map([
        [1, Buffer.from('old')],
        [2, Buffer.from('new')],
      ]),
      folders: new Map([
        [
          ROOT_INODE,
          new Map([
            ['f', 1],
            ['f.new', 2],
          ]),
        ],
      ]),
    };
    const rename: Operation = {
      kind: 'names',
      text: '',
      changes: [
        { folder: ROOT_INODE, name: 'f.new', to: null },
        { folder: ROOT_INODE, name: 'f', to: 2 },
      ],
    };
    expect(states({ base, operations: [rename] })).toEqual(['f=new', 'f=old f.new=new']);
  });

  test('may have a write over several sectors in only some of them', () => {
    const text = 'a'.repeat(512) + 'b'.repeat(512);
    const operations = follow(
      created,
      '1 openat(AT_FDCWD, ' + hex('/d') + ', O_RDONLY) = 6',
      '1 fsync(6) = 0',
      `1 pwrite64(5, ${hex(text)}, 1024, 0) = 1024`,
    );
    const made = states({ base: EMPTY, operations });
    expect(made).toContain(`f=${'a'.repeat(512)}`);
    expect(made).toContain(`f=${'.'.repeat(512)}${'b'.repeat(512)}`);
    expect(made).toContain(`f=${'.'.repeat(1024)}`);
  });
});
