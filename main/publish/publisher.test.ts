import { expect, test } from 'vitest';
import { pipelineDefinition } from '#common/model/pipeline.ts';
import { pluginManifest } from '#common/model/plugin-manifest.ts';
import { NO_RESOURCES } from '#common/model/resources.ts';
import { settingsSchema } from '#common/model/settings.ts';
import { createPublisher } from './publisher.ts';

const SECRET = 'metrics-token-of-the-host';
const settings = { ...settingsSchema.parse({}), metricsToken: SECRET };
const key = {
  id: 'abcdefghijkl',
  hash: '00',
  project: 'line-7',
  name: 'MES',
  scopes: [],
  limits: {},
  paused: null,
  honey: false,
  revoked: true,
};
const definition = { id: 'orders', name: 'Orders', runAs: 'caller' as const, grants: [], nodes: [], wires: [] };
const start = { project: 'line-7', revision: 3, definition };
const ingress = { mode: 'ingress', method: 'GET', urlPattern: '/parts/:id' };
const stopped = pipelineDefinition.parse({
  id: 'parts',
  name: 'Parts',
  nodes: [
    { id: 'in', kind: 'rest-api', settings: ingress },
    { id: 'off', kind: 'rest-api', settings: { ...ingress, urlPattern: '/off' }, off: true },
    { id: 'out', kind: 'rest-api', settings: { mode: 'egress', targetUrl: 'http://mes.example/x' } },
  ],
});
const plugin = {
  id: 'acme',
  folder: '/data/plugins/acme/0123456789abcdef',
  files: { 'index.js': '00' },
  manifest: pluginManifest.parse({
    id: 'acme',
    name: 'Acme',
    version: '1.0.0',
    kinds: [{ id: 'acme', title: 'Acme', summary: 'Does it.' }],
  }),
};

const stop = { project: 'line-7', device: null, reason: 'Service', until: null, at: '2026-03-01T06:00:00Z', by: 'Ada' };

const parts = {
  dataDir: '/data',
  machineName: 'edge-7',
  vault: { derive: (purpose: string) => Buffer.from(purpose) },
  keys: { entries: () => [key] },
  settings: { current: () => settings },
  projects: { stopped: () => [{ project: 'line-7', definition: stopped }], writeStops: { list: () => [stop] } },
  resources: { all: () => [NO_RESOURCES('line-7')], wanted: () => [start] },
  pluginStore: { loads: () => [plugin] },
  refuseAllKeys: () => true,
  fleetKeys: { pepper: () => Buffer.alloc(32, 0xab), refused: true },
  tls: { forGateway: (given: typeof settings) => given },
  lastPort: (): number | null => null,
  lastPlainPort: (): number | null => null,
};
const publisher = createPublisher(parts);

test('a snapshot has every pipeline that should run, the routes of stopped ones, approved plugins, all keys, revoked ones too, and a key for each of its two purposes', () => {
  expect(publisher.snapshot()).toEqual({
    dataDir: '/data',
    machineName: 'edge-7',
    fleetPepper: 'ab'.repeat(32),
    keyPepper: Buffer.from('api-key-pepper').toString('hex'),
    outboxKey: Buffer.from('outbox').toString('hex'),
    keys: [key],
    pipelines: [start],
    writeStops: [stop],
    stoppedRoutes: [{ project: 'line-7', pipeline: 'parts', method: 'GET', urlPattern: '/parts/:id' }],
    resources: [NO_RESOURCES('line-7')],
    plugins: [plugin],
    refuseAllKeys: true,
    refuseFleetKeys: true,
    settings: { ...settings, metricsToken: null },
  });
});

test('the metrics token of the host is sent to the gateway neither with a snapshot nor with a change', () => {
  expect(JSON.stringify(publisher.snapshot())).not.toContain(SECRET);
  expect(JSON.stringify(publisher.outgoing({ kind: 'settings', settings }))).not.toContain(SECRET);
  expect(publisher.outgoing({ kind: 'key', key })).toEqual({ kind: 'key', key });
});

test('a port that the system chose is found once: a restarted gateway gets it again', () => {
  const free = { ...settings, gatewayPort: 0 };
  let lastPort: number | null = null;
  const { snapshot, outgoing } = createPublisher({
    ...parts,
    settings: { current: () => free },
    lastPort: () => lastPort,
  });
  const portAfter = (changed: typeof settings) => {
    const change = outgoing({ kind: 'settings', settings: changed });
    return change.kind === 'settings' && change.settings.gatewayPort;
  };
  expect(snapshot().settings.gatewayPort).toBe(0);
  lastPort = 40123;
  expect(portAfter(free)).toBe(0);
  expect(snapshot().settings.gatewayPort).toBe(40123);
  expect(portAfter(free)).toBe(40123);
  expect(portAfter({ ...free, gatewayPort: 8090 })).toBe(8090);
  expect(portAfter(free)).toBe(0);
});
