import { expect, test } from 'vitest';
import { pluginManifest } from '#common/model/plugin-manifest.ts';
import { createAlarms } from '../host/alarms.ts';
import { setPluginsAlarms } from './plugin-alarms.ts';
import type { StoredPlugin } from './plugin-store.ts';

function plugin(id: string, more: { trusted?: boolean; approvedAt?: string | null } = {}): StoredPlugin {
  const kinds = [{ id, title: 'T', summary: 'S.' }];
  const { trusted = false, approvedAt = '2026-03-01T06:00:00.000Z' } = more;
  const manifest = pluginManifest.parse({ id, name: `Plugin ${id}`, version: '1.0.0', kinds, trusted });
  const by = { addedAt: '2026-03-01T06:00:00.000Z', addedBy: 'anna', approvedAt, approvedBy: 'anna' };
  return { id, digest: '', manifest, hashes: {}, ...by };
}
const state = (id: string, reason: string | null, version = '1.0.0') => ({
  id,
  version,
  loaded: reason === null,
  reason,
});

test('every approved trusted plugin is named as long as it is approved', () => {
  const alarms = createAlarms();
  const waiting = plugin('later', { trusted: true, approvedAt: null });
  setPluginsAlarms(alarms, [plugin('calm'), waiting], []);
  expect(alarms.list()).toEqual([]);
  setPluginsAlarms(
    alarms,
    [plugin('a', { trusted: true }), plugin('b', { trusted: true }), plugin('calm'), waiting],
    [],
  );
  expect(alarms.list()).toMatchObject([
    { code: 'plugin_trusted', text: expect.stringContaining(': Plugin a (a 1.0.0), Plugin b (b 1.0.0).') },
  ]);
  setPluginsAlarms(alarms, [plugin('calm')], []);
  expect(alarms.list()).toEqual([]);
});

test('an approved plugin that the gateway did not load is reported with its reason', () => {
  const alarms = createAlarms();
  const approved = [plugin('a'), plugin('b'), plugin('c', { approvedAt: null })];
  setPluginsAlarms(alarms, approved, [
    state('a', null),
    state('b', 'its file index.js is missing'),
    state('b', 'x', '0.9.0'),
  ]);
  expect(alarms.list()).toMatchObject([
    { code: 'plugin_not_loaded', text: expect.stringContaining(': Plugin b (b 1.0.0): its file index.js is missing.') },
  ]);
  setPluginsAlarms(alarms, approved, [state('a', null), state('b', null)]);
  expect(alarms.list()).toEqual([]);
});
