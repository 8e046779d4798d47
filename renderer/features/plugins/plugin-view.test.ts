import { expect, test } from 'vitest';
import type { PipelineRecord } from '#common/model/records.ts';
import type { PluginRecord } from '#api/plugins-queries.ts';
import { confirmationOf, stateOf, usersOf } from './plugin-view.ts';

const plugin = (more: Partial<PluginRecord> = {}): PluginRecord => ({
  id: 'acme',
  version: '1.0.0',
  name: 'Acme',
  publisher: '',
  digest: '0'.repeat(64),
  files: [],
  kinds: [{ id: 'acme-scale', title: 'Scale', summary: '', scopes: [] }],
  capabilities: [],
  targets: [],
  trusted: false,
  addedAt: '2026-01-01T00:00:00.000Z',
  addedBy: 'ada',
  approvedAt: null,
  approvedBy: null,
  loaded: false,
  reason: 'it waits for approval',
  ...more,
});
const pipeline = (id: string, kind: string, state: PipelineRecord['state']) =>
  ({ id, state, nodes: [{ id: 'one', kind, settings: {} }] }) as unknown as PipelineRecord;

test('a plugin is waiting, loaded, or approved but not loaded', () => {
  const approvedAt = '2026-01-02T00:00:00.000Z';
  expect([plugin(), plugin({ approvedAt, loaded: true }), plugin({ approvedAt })].map(stateOf)).toEqual([
    'waits',
    'loaded',
    'notLoaded',
  ]);
});

test('only trusted code requires typing its ID as a confirmation', () => {
  expect(confirmationOf(plugin())).toBeNull();
  expect(confirmationOf(plugin({ trusted: true }))).toBe('trust acme');
});

test('pipelines that use a kind of any version of the plugin are found, running ones separately', () => {
  const next = plugin({ kinds: [{ id: 'acme-sum', title: 'Sum', summary: '', scopes: [] }] });
  const pipelines = [
    pipeline('a', 'acme-scale', 'running'),
    pipeline('b', 'acme-sum', 'failed'),
    pipeline('c', 'set', 'running'),
  ];
  const { running, stopped } = usersOf('acme', [plugin(), next], pipelines);
  expect([running, stopped].map((list) => list.map(({ id }) => id))).toEqual([['a'], ['b']]);
});
