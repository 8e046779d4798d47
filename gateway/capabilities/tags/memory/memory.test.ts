import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { TagDefinition } from '#common/model/tag.ts';
import { dirPerTest } from '#test/test-dir.ts';
import { LATE_MS_MAX } from '../tag-entry.ts';
import { memory, type TagsWorld, tagsWorld } from '../tags-world.testing.ts';

const WRITER = fileURLToPath(new URL('./memory-writer.testing.ts', import.meta.url));

const dir = dirPerTest();
let world: TagsWorld;
const file = () => join(dir.path, 'projects/line-1/tags.sqlite');
beforeEach(() => {
  world = tagsWorld(dir.path);
});
afterEach(() => world.tags.close());

async function restart(...tags: TagDefinition[]): Promise<void> {
  await world.tags.close();
  world = tagsWorld(dir.path);
  world.configure(tags);
}

const read = (path: string) => world.tags.read('line-1', path);
const write = (path: string, value: unknown) => world.call('tags.write', { path, value });

describe('a memory tag', () => {
  test('holds its initial value until it is written, and no value if that is null', async () => {
    world.configure([memory('a', {}, 5), memory('b'), memory('c', {}, 'five')]);
    expect(read('a')).toMatchObject({ value: 5, quality: 'good' });
    expect(read('b')).toMatchObject({ value: null, quality: 'bad', time: null });
    expect(read('c').reason).toContain('type_mismatch');
    await write('a', 6);
    expect(read('a')).toMatchObject({ value: 6, quality: 'good' });
  });

  test('holds the latest write, even if the clock was set back a little in between', async () => {
    world.configure([memory('a')]);
    await write('a', 1);
    const { time } = read('a');
    vi.spyOn(Date, 'now').mockReturnValue(Date.parse(time ?? '') - LATE_MS_MAX / 2);
    await write('a', 2);
    expect(read('a')).toMatchObject({ value: 2, quality: 'good' });
    vi.restoreAllMocks();
  });

  test('keeps value and time across a restart, whatever its type', async () => {
    const json = { list: [1, null, 'é'], __proto: 1 };
    const tags = [
      memory('number', {}, 1),
      memory('integer', { type: 'integer' }),
      memory('boolean', { type: 'boolean' }),
      memory('text', { type: 'text' }),
      memory('json', { type: 'json' }),
    ];
    world.configure(tags);
    await write('number', -0.1);
    await write('integer', 9_007_199_254_740_991);
    await write('boolean', false);
    await write('text', 'a "text"');
    await write('json', json);
    const before = tags.map(({ path }) => read(path));
    await restart(...tags);
    expect(tags.map(({ path }) => read(path))).toEqual(before);
    expect(read('json').value).toEqual(json);
  });

  test('keeps every value that was acknowledged when the process is killed', async () => {
    const child = spawn(process.execPath, [WRITER, dir.path], { stdio: ['ignore', 'pipe', 'inherit'] });
    const exited = once(child, 'exit');
    let told = 0;
    for await (const line of createInterface({ input: child.stdout })) {
      told = Number(line);
      if (told === 200) child.kill('SIGKILL');
    }
    await exited;
    expect(told).toBeGreaterThanOrEqual(200);
    world.configure([memory('n', { type: 'integer' }), memory('rest', { type: 'json' })]);
    const kept = read('n');
    expect(kept.quality).toBe('good');
    // One more may have been committed without being reported.
    expect([told, told + 1]).toContain(kept.value);
    expect(read('rest').value).toEqual({ order: 'ORD-1', lines: [1, 2] });
  });

  test('is committed together with the other writes of the same turn', async () => {
    const tags = Array.from({ length: 500 }, (_, n) => memory(`t${n}`));
    world.configure(tags);
    const statements: string[] = [];
    const exec = DatabaseSync.prototype.exec;
    DatabaseSync.prototype.exec = function (sql) {
      statements.push(sql);
      exec.call(this, sql);
    };
    try {
      await Promise.all(tags.map(({ path }, n) => write(path, n)));
    } finally {
      DatabaseSync.prototype.exec = exec;
    }
    expect(statements).toEqual(['BEGIN IMMEDIATE', 'COMMIT']);
    expect(world.tags.readMany('line-1', ['*']).map(({ value }) => value)).toEqual(tags.map((_, n) => n));
  });

  test('is restored after a restart, also with tens of thousands of tags', async () => {
    const tags = Array.from({ length: 10_000 }, (_, n) => memory(`f${n % 100}/t${n}`));
    world.configure(tags);
    for (let from = 0; from < tags.length; from += 1_000) {
      const writes = tags.slice(from, from + 1_000).map(({ path }, n) => ({ path, value: from + n }));
      await Promise.all(writes.map(({ path, value }) => write(path, value)));
    }
    await restart(...tags);
    expect(tags.filter(({ path }, n) => read(path).value !== n)).toEqual([]);
  });

  test('that is removed is forgotten, also when it is created again', async () => {
    world.configure([memory('a', {}, 1), memory('b')]);
    await write('a', 2);
    world.configure([memory('b')]);
    world.configure([memory('a', {}, 1), memory('b')]);
    expect(read('a').value).toBe(1);
  });

  test('keeps the written value when its initial value changes', async () => {
    world.configure([memory('a', {}, 1), memory('b', {}, 1)]);
    await write('a', 2);
    world.configure([memory('a', {}, 9), memory('b', {}, 9)]);
    expect(read('a').value).toBe(2);
    expect(read('b').value).toBe(9);
  });

  test('that is removed during a write is written first', async () => {
    world.configure([memory('a'), memory('b')]);
    const written = write('a', 1);
    world.configure([memory('b')]);
    await expect(written).resolves.toBe(null);
    await restart(memory('a'));
    expect(read('a').quality).toBe('bad');
  });
});

describe('the file of memory tags', () => {
  test.skipIf(process.platform === 'win32')('is private, as is its folder', async () => {
    world.configure([memory('a')]);
    await write('a', 1);
    const mode = (path: string) => statSync(path).mode & 0o777;
    expect(mode(join(dir.path, 'projects/line-1'))).toBe(0o700);
    for (const suffix of ['', '-wal', '-shm']) expect(mode(file() + suffix), suffix).toBe(0o600);
  });

  test('is created only for memory tags, and removed with its project', async () => {
    world.configure([]);
    expect(existsSync(file())).toBe(false);
    world.configure([memory('a')]);
    await write('a', 1);
    void world.tags.configure?.('line-1', null);
    for (const suffix of ['', '-wal', '-shm']) expect(existsSync(file() + suffix)).toBe(false);
    world.configure([memory('a')]);
    expect(read('a').quality).toBe('bad');
  });

  test('that cannot be read is left unchanged: its tags are bad, writes fail, and other files work', async () => {
    world.configure([memory('a', {}, 1)]);
    await world.tags.close();
    writeFileSync(file(), 'this is no database, and it is longer than the header of one would be: '.repeat(20));
    const damaged = readFileSync(file());
    world = tagsWorld(dir.path);
    world.configure([memory('a', {}, 1), memory('b')]);
    expect(read('a')).toMatchObject({ value: null, quality: 'bad', reason: expect.stringContaining('cannot be read') });
    await expect(write('a', 2)).rejects.toMatchObject({ code: 'tag_write_failed' });
    expect(readFileSync(file())).toEqual(damaged);
    expect(world.lines.join('')).toContain('memory tags of a project cannot be read');
  });

  test('of a newer release is left unchanged', async () => {
    world.configure([memory('a', {}, 1)]);
    await world.tags.close();
    const db = new DatabaseSync(file());
    db.exec('PRAGMA user_version = 99');
    db.close();
    world = tagsWorld(dir.path);
    world.configure([memory('a', {}, 1)]);
    expect(read('a').quality).toBe('bad');
    expect(world.lines.join('')).toContain('newer release');
  });

  test('that refuses a commit fails the write, and the value stays the same', async () => {
    world.configure([memory('a')]);
    await write('a', 1);
    const holder = new DatabaseSync(file());
    holder.exec("CREATE TRIGGER refuse BEFORE UPDATE ON memory_tags BEGIN SELECT RAISE(ABORT, 'disk full'); END");
    try {
      await expect(write('a', 2)).rejects.toMatchObject({ code: 'tag_write_failed' });
      expect(read('a').value).toBe(1);
      holder.exec('DROP TRIGGER refuse');
      await write('a', 3);
      expect(read('a').value).toBe(3);
    } finally {
      holder.close();
    }
  });

  test.skipIf(process.platform === 'win32')('that others may open gets its mode restricted', async () => {
    world.configure([memory('a')]);
    await world.tags.close();
    chmodSync(file(), 0o644);
    world = tagsWorld(dir.path);
    world.configure([memory('a')]);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
  });
});
