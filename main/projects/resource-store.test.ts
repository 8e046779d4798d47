import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectionDefinition } from '#common/model/connection.ts';
import { libraryScript, SCRIPTS_PER_PROJECT_MAX } from '#common/model/library-script.ts';
import { namedQuery } from '#common/model/named-query.ts';
import { tagDefinition } from '#common/model/tag.ts';
import { dirPerTest } from '#test/test-dir.ts';
import type { ProjectStore } from '../contracts.ts';
import { openProjectStore } from './project-store.ts';
import { RESOURCE_BYTES_MAX } from './resource-store.ts';
import { migrateProjects } from './schema.ts';

const dir = dirPerTest();
let store: ProjectStore;
const open = (): ProjectStore => openProjectStore({ file: join(dir.path, 'projects.sqlite'), now: () => 0 });
beforeEach(() => {
  store = open();
  store.createProject({ id: 'line-7', name: 'Line 7' });
});
afterEach(() => store.close());

const settings = { kind: 'modbus', host: 'plc' };
const connection = { definition: connectionDefinition.parse({ id: 'plc', settings }), secrets: { password: 'ref' } };
const query = (id: string) => namedQuery.parse({ id, sql: 'SELECT 1' });
const script = (id: string, code = 'x') => libraryScript.parse({ id, code });
const tag = (path: string) => tagDefinition.parse({ path, type: 'number', source: { provider: 'memory' } });
const fill = (): void => {
  store.resources.put('connections', 'line-7', connection);
  store.resources.put('queries', 'line-7', query('q'));
  store.resources.put('scripts', 'line-7', script('s'));
  store.resources.put('tags', 'line-7', tag('a/b'));
};
const FAMILIES = ['connections', 'queries', 'scripts', 'tags'] as const;
const counts = (): number[] => FAMILIES.map((family) => store.resources.list(family, 'line-7').length);

test('stored resources are there after a restart, unchanged, and are removed with their project', () => {
  fill();
  store.close();
  store = open();
  expect(store.resources.get('connections', 'line-7', 'plc')).toEqual(connection);
  expect(store.resources.list('queries', 'line-7')).toEqual([query('q')]);
  expect(store.resources.get('scripts', 'line-7', 's')).toEqual(script('s'));
  expect(store.resources.get('tags', 'line-7', 'a/b')).toEqual(tag('a/b'));
  store.deleteProject('line-7');
  store.removed('line-7');
  store.createProject({ id: 'line-7', name: 'Anew' });
  expect(counts()).toEqual([0, 0, 0, 0]);
});

test('a resource belongs to one project, and an unknown project is reported as such', () => {
  fill();
  store.createProject({ id: 'line-8', name: 'Line 8' });
  expect(FAMILIES.flatMap((family) => store.resources.list(family, 'line-8'))).toEqual([]);
  for (const family of FAMILIES) store.resources.remove(family, 'line-8', 'plc');
  expect(counts()).toEqual([1, 1, 1, 1]);
  for (const act of [
    () => store.resources.list('tags', 'x'),
    () => store.resources.put('tags', 'x', tag('a')),
    () => store.resources.replaceTags('x', []),
    () => store.resources.tagsAfter('x', '', '', 1),
    () => store.resources.remove('tags', 'x', 'a'),
  ])
    expect(act).toThrow('There is no project "x".');
});

test('is refused beyond the limit of its family, and nothing of it remains', () => {
  store.resources.replaceTags(
    'line-7',
    Array.from({ length: 9_999 }, (_, index) => tag(`t${index}`)),
  );
  store.resources.put('tags', 'line-7', tag('last'));
  store.resources.put('tags', 'line-7', tag('last'));
  expect(() => store.resources.put('tags', 'line-7', tag('more'))).toThrow('at most 10000 tags');
  expect(store.resources.get('tags', 'line-7', 'more')).toBeNull();
  expect(store.resources.list('tags', 'line-7')).toHaveLength(10_000);
});

test('is refused beyond the total bytes of a project', () => {
  const code = 'x'.repeat(256 * 1024);
  const fits = Math.floor(RESOURCE_BYTES_MAX / (code.length + 100));
  for (let count = 0; count < fits; count++) store.resources.put('scripts', 'line-7', script(`s${count}`, code));
  expect(() => store.resources.put('scripts', 'line-7', script('more', code))).toThrow(/bytes together/);
  expect(store.resources.list('scripts', 'line-7')).toHaveLength(fits);
});

test('a replacement of all tags that fails half-way leaves the tags unchanged', () => {
  store.resources.replaceTags('line-7', [tag('a'), tag('b')]);
  expect(() => store.resources.replaceTags('line-7', [tag('c'), tag('c')])).toThrow(/UNIQUE/);
  expect(store.resources.list('tags', 'line-7').map(({ path }) => path)).toEqual(['a', 'b']);
});

test('a draft is stored beside the version in force, counts towards the same limits and is removed with its project', () => {
  fill();
  store.resources.putDraft('scripts', 'line-7', script('s', 'y'), 'Ada');
  const draft = { resource: script('s', 'y'), savedAt: '1970-01-01T00:00:00.000Z', savedBy: 'Ada' };
  expect(store.resources.draft('scripts', 'line-7', 's')).toEqual(draft);
  expect(store.resources.drafts('scripts', 'line-7')).toEqual([draft]);
  expect(store.resources.drafts('queries', 'line-7')).toEqual([]);
  expect(store.resources.get('scripts', 'line-7', 's')).toEqual(script('s'));
  store.resources.putDraft('scripts', 'line-7', script('s', 'z'), 'Ada');
  expect(store.resources.drafts('scripts', 'line-7')).toHaveLength(1);
  for (let id = 1; id < SCRIPTS_PER_PROJECT_MAX; id++)
    store.resources.putDraft('scripts', 'line-7', script(`s${id}`), 'Ada');
  const conflict = expect.objectContaining({ code: 'conflict' });
  expect(() => store.resources.putDraft('scripts', 'line-7', script('more'), 'Ada')).toThrow(conflict);
  expect(() => store.resources.put('scripts', 'line-7', script('more'))).toThrow(conflict);
  store.deleteProject('line-7');
  store.removed('line-7');
  store.createProject({ id: 'line-7', name: 'Line 7' });
  expect(store.resources.drafts('scripts', 'line-7')).toEqual([]);
});

test('a file of the previous release gets the new tables and keeps its data', () => {
  store.close();
  const file = join(dir.path, 'projects.sqlite');
  const db = new DatabaseSync(file);
  db.exec('DROP TRIGGER revision_dropped');
  const later = ['removals', 'dropped_secrets', 'drafts', 'approved_routes'];
  for (const table of ['connections', 'queries', 'tags', 'scripts', 'write_stops', ...later])
    db.exec(`DROP TABLE ${table}`);
  db.exec(
    `ALTER TABLE revisions DROP COLUMN secrets; ALTER TABLE revisions DROP COLUMN passing;
     ALTER TABLE pipelines DROP COLUMN wanted_at; PRAGMA user_version = 1`,
  );
  migrateProjects(db);
  db.close();
  store = open();
  expect(store.project('line-7')).not.toBeNull();
  fill();
  expect(counts()).toEqual([1, 1, 1, 1]);
  expect(readFileSync(file).length).toBeGreaterThan(0);
});
