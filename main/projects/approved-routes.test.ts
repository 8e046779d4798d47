import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { pipelineDefinition } from '#common/model/pipeline.ts';
import { dirPerTest } from '#test/test-dir.ts';
import type { ProjectStore } from '../contracts.ts';
import { openProjectStore } from './project-store.ts';

const dir = dirPerTest();
let store: ProjectStore;
const file = (): string => join(dir.path, 'projects.sqlite');
const open = (): ProjectStore => openProjectStore({ file: file(), now: () => 0 });
beforeEach(() => {
  store = open();
  store.createProject({ id: 'line-7', name: 'Line 7' });
});
afterEach(() => store.close());

const node = (id: string, settings: object, kind = 'rest-api') => ({ id, kind, settings });
const narrow = node('in', { mode: 'ingress', method: 'POST', urlPattern: '/a/:id', rateLimit: 5 });
const egress = node('out', { mode: 'egress', targetUrl: 'http://mes.example/x' });
const off = { ...node('off', { mode: 'ingress', method: 'GET', urlPattern: '/off' }), off: true };
function approve(id: string, ...nodes: object[]): void {
  store.createPipeline('line-7', pipelineDefinition.parse({ id, name: id, nodes }), 'anna');
  store.setApproved('line-7', id, 1);
}
const remembered = (): string[] =>
  store.approvedRoutes().map(({ route }) => `${route.method} ${route.urlPattern} ${route.rateLimit}`);

test('outlive their pipeline and a restart, and are removed with their project', () => {
  approve('p', narrow, egress, off);
  store.deletePipeline('line-7', 'p');
  store.close();
  store = open();
  expect(remembered()).toEqual(['POST /a/:id 5']);
  store.deleteProject('line-7');
  expect(remembered()).toEqual([]);
});

test('are replaced by a later approval of the same route, also by another parameter name or every method', () => {
  approve('p', narrow);
  approve('q', node('in', { mode: 'ingress', method: 'POST', urlPattern: '/a/:other', rateLimit: 9 }));
  expect(remembered()).toEqual(['POST /a/:other 9']);
  approve('r', node('in', { mode: 'ingress', method: '*', urlPattern: '/a/:id' }));
  expect(remembered()).toEqual(['* /a/:id 0']);
  approve('s', node('in', { mode: 'ingress', method: 'GET', urlPattern: '/b' }));
  expect(remembered()).toEqual(['* /a/:id 0', 'GET /b 0']);
});

test('are read from the approved revisions of a file of the previous release', () => {
  approve('p', narrow, egress, off);
  store.close();
  const db = new DatabaseSync(file());
  const version = Number(db.prepare('PRAGMA user_version').get()?.['user_version']);
  db.exec(`DROP TABLE approved_routes; DROP TABLE write_stops; PRAGMA user_version = ${version - 2}`);
  db.close();
  store = open();
  expect(remembered()).toEqual(['POST /a/:id 5']);
});
