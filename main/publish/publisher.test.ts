import { expect, test } from 'vitest';
import { settingsSchema } from '#common/model/settings.ts';
import { createPublisher } from './publisher.ts';

const SECRET = 'metrics-token-of-the-host';
const settings = { ...settingsSchema.parse({}), metricsToken: SECRET };
const key = { id: 'abcdefghijkl', hash: '00', project: 'line-7', name: 'MES', scopes: [], revoked: true };
const definition = { id: 'orders', name: 'Orders', runAs: 'caller' as const, grants: [], nodes: [], wires: [] };
const start = { project: 'line-7', revision: 3, definition };

const publisher = createPublisher({
  dataDir: '/data',
  machineName: 'edge-7',
  vault: { derive: (purpose) => Buffer.from(purpose) },
  keys: { entries: () => [key] },
  settings: { current: () => settings },
  projects: { wanted: () => [start] },
  refuseAllKeys: () => true,
});

test('a snapshot has every wanted pipeline, every key, revoked ones too, and the pepper of this one purpose', () => {
  expect(publisher.snapshot()).toEqual({
    dataDir: '/data',
    machineName: 'edge-7',
    keyPepper: Buffer.from('api-key-pepper').toString('hex'),
    keys: [key],
    pipelines: [start],
    refuseAllKeys: true,
    settings: { ...settings, metricsToken: null },
  });
});

test('the host’s metrics token goes to the gateway neither with a snapshot nor with a change', () => {
  expect(JSON.stringify(publisher.snapshot())).not.toContain(SECRET);
  expect(JSON.stringify(publisher.outgoing({ kind: 'settings', settings }))).not.toContain(SECRET);
  expect(publisher.outgoing({ kind: 'key', key })).toEqual({ kind: 'key', key });
});
