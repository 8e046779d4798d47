import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { pipelineDefinition } from '#common/model/pipeline.ts';
import { dirPerTest } from '#test/test-dir.ts';
import type { ProjectStore } from '../contracts.ts';
import { openProjectStore, PASSING_MS_MAX, REVISIONS_MAX } from './project-store.ts';

const dir = dirPerTest();
let store: ProjectStore;
let time = Date.parse('2026-03-01T08:00:00Z');
const file = (): string => join(dir.path, 'projects.sqlite');
const open = (): ProjectStore => openProjectStore({ file: file(), now: () => time });

beforeEach(() => {
  store = open();
});
afterEach(() => store.close());

const orders = (name = 'Orders') => pipelineDefinition.parse({ id: 'orders', name });
const withOrders = (): void => {
  store.createProject({ id: 'line-7', name: 'Line 7' });
  store.createPipeline('line-7', orders(), 'anna');
};
const code = (act: () => unknown): unknown => {
  try {
    return act();
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error;
  }
};

describe('projects', () => {
  test('are created, listed, renamed and deleted with their pipelines', () => {
    expect(store.createProject({ id: 'b', name: ' B ' })).toEqual({
      id: 'b',
      name: 'B',
      createdAt: '2026-03-01T08:00:00.000Z',
    });
    store.createProject({ id: 'a', name: 'A' });
    expect(store.projects().map(({ id }) => id)).toEqual(['a', 'b']);
    expect(store.renameProject('a', 'Alpha')).toMatchObject({ id: 'a', name: 'Alpha' });
    store.createPipeline('a', orders(), 'anna');
    store.deleteProject('a');
    expect(store.project('a')).toBeNull();
    expect(store.pipeline('a', 'orders')).toBeNull();
    expect(store.removals()).toEqual(['a']);
    expect(code(() => store.createProject({ id: 'a', name: 'A' }))).toBe('conflict');
    store.removed('a');
    store.createProject({ id: 'a', name: 'A' });
    expect(store.pipelines('a')).toEqual([]);
  });

  test('refuse an ID in use, an invalid ID and an unknown project', () => {
    store.createProject({ id: 'a', name: 'A' });
    expect(code(() => store.createProject({ id: 'a', name: 'A' }))).toBe('conflict');
    expect(code(() => store.createProject({ id: 'A b', name: 'A' }))).toBe('invalid');
    for (const act of [
      () => store.renameProject('x', 'X'),
      () => store.deleteProject('x'),
      () => store.pipelines('x'),
      () => store.createPipeline('x', orders(), 'anna'),
    ]) {
      expect(code(act)).toBe('unknown');
    }
  });
});

describe('pipelines', () => {
  test('start at revision 1 and get a revision with each save', () => {
    withOrders();
    time += 1000;
    expect(store.savePipeline('line-7', orders('New'), 'bert')).toEqual({
      project: 'line-7',
      definition: orders('New'),
      secrets: [],
      revision: 2,
      updatedAt: new Date(time).toISOString(),
      updatedBy: 'bert',
      wantedRevision: null,
      wantedSince: null,
      approvedRevision: null,
    });
    expect(store.revisions('line-7', 'orders').map(({ revision }) => revision)).toEqual([2, 1]);
    expect(store.revision('line-7', 'orders', 1)).toMatchObject({ savedBy: 'anna', definition: orders() });
    expect(store.revision('line-7', 'orders', 9)).toBeNull();
  });

  test('are not overwritten by a user who has not seen the latest revision', () => {
    withOrders();
    store.savePipeline('line-7', orders('Two'), 'bert', { ifRevision: 1 });
    expect(code(() => store.savePipeline('line-7', orders('Three'), 'anna', { ifRevision: 1 }))).toBe(
      'revision_changed',
    );
    expect(store.pipeline('line-7', 'orders')).toMatchObject({ revision: 2, definition: { name: 'Two' } });
  });

  test('refuse an ID in use and an unknown pipeline or revision', () => {
    withOrders();
    expect(code(() => store.createPipeline('line-7', orders(), 'anna'))).toBe('conflict');
    const other = { ...orders(), id: 'none' };
    for (const act of [
      () => store.savePipeline('line-7', other, 'anna'),
      () => store.deletePipeline('line-7', 'none'),
      () => store.revisions('line-7', 'none'),
      () => store.setWanted('line-7', 'none', null),
      () => store.setWanted('line-7', 'orders', 7),
      () => store.setApproved('line-7', 'orders', 7),
    ]) {
      expect(code(act)).toBe('unknown');
    }
  });

  test('keep the latest 50 revisions, and in addition the desired and the approved one', () => {
    withOrders();
    store.setWanted('line-7', 'orders', 1);
    store.savePipeline('line-7', orders(), 'anna');
    store.setApproved('line-7', 'orders', 2);
    for (let save = 0; save < 60; save++) store.savePipeline('line-7', orders(), 'anna');
    const kept = store.revisions('line-7', 'orders').map(({ revision }) => revision);
    expect(kept).toEqual([...Array.from({ length: REVISIONS_MAX }, (_, index) => 62 - index), 2, 1]);
    expect(store.wanted()).toEqual([{ project: 'line-7', revision: 1, definition: orders(), secrets: [] }]);
    store.setWanted('line-7', 'orders', null);
    expect(store.revision('line-7', 'orders', 1)).toBeNull();
    expect(store.revision('line-7', 'orders', 2)).not.toBeNull();
  });

  test('replace an autosave of a user with the next one, and never a deliberate save', () => {
    withOrders();
    const pass = (name: string, by = 'anna') =>
      store.savePipeline('line-7', orders(name), by, { passing: true }).revision;
    const numbers = () => store.revisions('line-7', 'orders').map(({ revision }) => revision);
    expect([pass('a'), pass('b'), pass('c')]).toEqual([2, 3, 4]);
    expect(numbers()).toEqual([4, 1]);
    pass('another person', 'bert');
    expect(numbers()).toEqual([5, 4, 1]);
    store.setWanted('line-7', 'orders', 5);
    pass('after a start', 'bert');
    expect(numbers()).toEqual([6, 5, 4, 1]);
    time += PASSING_MS_MAX + 1;
    pass('half an hour later', 'bert');
    expect(numbers()).toEqual([7, 6, 5, 4, 1]);
    store.savePipeline('line-7', orders('meant'), 'bert');
    expect(pass('over what was meant', 'bert')).toBe(9);
    expect(numbers()).toEqual([9, 8, 7, 6, 5, 4, 1]);
  });

  test('keep a started autosave once another revision runs', () => {
    withOrders();
    const pass = (name: string) => store.savePipeline('line-7', orders(name), 'anna', { passing: true }).revision;
    expect(pass('started')).toBe(2);
    store.setWanted('line-7', 'orders', 2);
    store.setWanted('line-7', 'orders', 1);
    expect(pass('drawn on')).toBe(3);
    expect(store.revision('line-7', 'orders', 2)?.definition.name).toBe('started');
  });

  test('report since when the desired revision has been desired', () => {
    withOrders();
    const since = () => store.pipeline('line-7', 'orders')?.wantedSince;
    time += 1000;
    store.setWanted('line-7', 'orders', 1);
    expect(since()).toBe(new Date(time).toISOString());
    store.setApproved('line-7', 'orders', 1);
    store.savePipeline('line-7', orders('Draft'), 'anna');
    expect(since()).not.toBeNull();
    store.setWanted('line-7', 'orders', null);
    expect(since()).toBeNull();
  });

  test('lose no older revision to many autosaves', () => {
    withOrders();
    for (let save = 0; save < REVISIONS_MAX + 10; save++)
      store.savePipeline('line-7', orders(`n ${save}`), 'anna', { passing: true });
    expect(store.revisions('line-7', 'orders').map(({ revision }) => revision)).toEqual([REVISIONS_MAX + 11, 1]);
  });

  test('keep their desired state across a restart, in the same revision', () => {
    withOrders();
    store.setWanted('line-7', 'orders', 1);
    store.savePipeline('line-7', orders('Draft'), 'anna');
    store.close();
    store = open();
    expect(store.wanted()).toEqual([{ project: 'line-7', revision: 1, definition: orders(), secrets: [] }]);
    expect(store.pipeline('line-7', 'orders')).toMatchObject({ revision: 2, wantedRevision: 1 });
    store.deletePipeline('line-7', 'orders');
    expect(store.wanted()).toEqual([]);
  });

  test('that were started before are listed as stopped, with the definition that was approved last', () => {
    withOrders();
    expect(store.stopped()).toEqual([]);
    store.setApproved('line-7', 'orders', 1);
    store.setWanted('line-7', 'orders', 1);
    store.savePipeline('line-7', orders('Draft'), 'anna');
    expect(store.stopped()).toEqual([]);
    store.holdStopped('line-7', 'orders');
    expect(store.stopped()).toEqual([{ project: 'line-7', definition: orders() }]);
    store.saveStopped('line-7', 'orders');
    store.close();
    store = open();
    expect(store.stopped()).toEqual([{ project: 'line-7', definition: orders() }]);
    store.deletePipeline('line-7', 'orders');
    expect(store.stopped()).toEqual([]);
  });

  test('keep the references of each revision for as long as the revision', () => {
    const held = (ref: string) => [{ node: 'call', field: 'tls.key', ref }];
    const refs = (): string[] => store.secretRefs().toSorted();
    store.createProject({ id: 'line-7', name: 'Line 7' });
    store.createProject({ id: 'line-8', name: 'Line 8' });
    store.createPipeline('line-7', orders(), 'anna', held('a'));
    store.createPipeline('line-8', orders(), 'anna', held('b'));
    store.savePipeline('line-7', orders(), 'anna', undefined, [...held('c'), ...held('a')]);
    expect(refs()).toEqual(['a', 'b', 'c']);
    expect(store.secretRefs('line-8')).toEqual(['b']);
    expect(store.secretRefs('line-7', 'others')).toEqual([]);
    expect(store.revision('line-7', 'orders', 1)?.secrets).toEqual(held('a'));
    store.setWanted('line-7', 'orders', 2);
    expect(store.wanted()).toMatchObject([{ secrets: [{ ref: 'c' }, { ref: 'a' }] }]);
    for (let save = 0; save < REVISIONS_MAX; save++) store.savePipeline('line-8', orders(), 'anna');
    expect(refs()).toEqual(['a', 'c']);
    store.deleteProject('line-7');
    expect(refs()).toEqual([]);
  });

  test('list the secrets that a change dropped until they are removed, and never those in a row', () => {
    const held = (ref: string) => [{ node: 'call', field: 'tls.key', ref }];
    const connection = (ref: string) => ({ definition: { id: 'mes' } as never, secrets: { password: ref } });
    store.createProject({ id: 'line-7', name: 'Line 7' });
    store.createPipeline('line-7', orders(), 'anna', held('a'));
    store.savePipeline('line-7', orders(), 'anna', undefined, [...held('a'), ...held('b')]);
    store.resources.put('connections', 'line-7', connection('c'));
    store.resources.put('connections', 'line-7', connection('d'));
    expect(store.droppedSecrets()).toEqual(['c']);
    for (let save = 0; save < REVISIONS_MAX - 1; save++)
      store.savePipeline('line-7', orders(), 'anna', undefined, held('b'));
    expect(store.droppedSecrets()).toEqual(['c']);
    store.savePipeline('line-7', orders(), 'anna', undefined, held('b'));
    expect(store.droppedSecrets()).toEqual(['a', 'c']);
    store.secretsRemoved();
    store.resources.remove('connections', 'line-7', 'mes');
    store.close();
    store = open();
    expect(store.droppedSecrets()).toEqual(['d']);
    store.deleteProject('line-7');
    expect(store.droppedSecrets()).toEqual(['b', 'd']);
  });

  test('are unchanged when a change fails half-way', () => {
    withOrders();
    const failing = {
      ...orders(),
      toJSON: () => {
        throw new Error('no');
      },
    };
    expect(() => store.savePipeline('line-7', failing, 'anna')).toThrow('no');
    expect(() => store.createPipeline('line-7', { ...failing, id: 'second' }, 'anna')).toThrow('no');
    expect(store.pipelines('line-7').map(({ revision }) => revision)).toEqual([1]);
    expect(store.createPipeline('line-7', { ...orders(), id: 'second' }, 'anna').revision).toBe(1);
  });
});

describe('the file', () => {
  test('is accessible only to its owner', () => {
    for (const name of ['', '-wal', '-shm']) expect(statSync(file() + name).mode & 0o777).toBe(0o600);
  });

  test('that is not a database, or is of a later release, gets one plain sentence', () => {
    store.close();
    const db = new DatabaseSync(file());
    db.exec('PRAGMA user_version = 99');
    db.close();
    expect(open).toThrow(/cannot be opened: it was written by a newer Sluice.*sluice restore/);
    writeFileSync(file(), 'x'.repeat(5000));
    expect(open).toThrow(/cannot be opened: file is not a database\./);
  });
});
