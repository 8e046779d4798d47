import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLogger } from '#common/node/log.ts';
import { KEY_ROUTES_KEPT_MS, KeyRoutes, ROUTES_PER_KEY_MAX } from './key-routes.ts';
import { TrafficStore } from './traffic-store.ts';

const NOW = Date.parse('2026-03-01T06:00:00Z');
const DAY = 24 * 60 * 60 * 1000;
const call = (route: string, at: number) => ({ route, calls: 1, refused: 0, at });

let folder: string;
let logged: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'key-routes-'));
  logged = [];
});
afterEach(() => rmSync(folder, { recursive: true }));

const open = () =>
  new TrafficStore({ file: join(folder, 'traffic.sqlite'), log: createLogger('traffic', (line) => logged.push(line)) });

test('a limited number of routes of a key is remembered, and the one called longest ago is dropped first', () => {
  const routes = new KeyRoutes();
  for (let n = 0; n < ROUTES_PER_KEY_MAX; n++) routes.take('k', [call(`GET /${n}`, NOW + n)]);
  routes.take('k', [call('GET /0', NOW + 1000), call('GET /new', NOW + 1001)]);
  const names = routes.of('k').map(({ route }) => route);
  expect(names).toHaveLength(ROUTES_PER_KEY_MAX);
  expect(names.slice(0, 2)).toEqual(['GET /new', 'GET /0']);
  expect(names).not.toContain('GET /1');
});

test('a route is kept for 90 days after its last call, in memory and on disk', () => {
  const routes = new KeyRoutes();
  routes.take('k', [call('GET /old', NOW), call('GET /new', NOW + DAY)]);
  const store = open();
  store.write(null, NOW, new Map(), new Map(), routes.takePending());
  expect(routes.takePending()).toEqual([]);
  const later = NOW + KEY_ROUTES_KEPT_MS + 1;
  routes.prune(later);
  store.prune(later);
  expect(routes.of('k').map(({ route }) => route)).toEqual(['GET /new']);
  expect(store.keyRoutes()).toEqual([
    {
      key: 'k',
      route: 'GET /new',
      firstAt: NOW + DAY,
      lastAt: NOW + DAY,
      firstPassedAt: NOW + DAY,
      lastPassedAt: NOW + DAY,
    },
  ]);
  store.close();
});

test('a file of a release that did not record routes of keys keeps its counts', () => {
  const store = open();
  store.write(null, NOW, new Map([['k:1', { calls: 3, refused: 0, errors: 0, times: [], samples: [] }]]), new Map());
  store.close();
  const old = new DatabaseSync(join(folder, 'traffic.sqlite'));
  old.exec('DROP TABLE key_routes');
  old.close();
  const reopened = open();
  expect([reopened.rows, reopened.keyRoutes(), logged]).toEqual([1, [], []]);
  reopened.close();
});
