import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Settings } from '#common/model/settings.ts';
import { dirPerTest } from '#test/test-dir.ts';
import type { SettingsStore } from '../contracts.ts';
import type { OpenedVault } from './live-vault.ts';
import { createSettingsStore, showSettings } from './settings-store.ts';
import { openTestVault } from './testing/open-test-vault.ts';

const dir = dirPerTest();
let vault: OpenedVault;

beforeEach(async () => {
  vault = await openTestVault(dir.path);
});
afterEach(() => vault.close());

const open = (overrides: Partial<Settings> = {}, machineName = 'edge-7'): SettingsStore =>
  createSettingsStore(vault, { machineName, overrides });

/** As received in a request: of any shape. */
const change = (store: SettingsStore, patch: object): Promise<Settings> => store.change(patch, 'anna');

describe('the settings store', () => {
  test('has the defaults, with the name of the machine in the base URL', () => {
    expect(open().current()).toMatchObject({
      baseUrl: 'http://edge-7',
      gatewayHost: '0.0.0.0',
      gatewayPort: 8090,
      uiPort: 8091,
      tls: 'off',
      journalDays: 90,
      workers: 1,
      metricsToken: null,
    });
    expect(open({}, 'my_pc').current().baseUrl).toBe('http://localhost');
  });

  test('keeps a change across a restart and leaves the rest at its default', async () => {
    const changed = await change(open(), { journalDays: 30, trustedProxies: ' 10.0.0.1 , 10.1.0.0/16 ' });
    expect(changed).toMatchObject({ journalDays: 30, trustedProxies: ['10.0.0.1', '10.1.0.0/16'] });
    expect(open().current()).toEqual(changed);
    expect(vault.read((db) => db.exec('SELECT name FROM settings ORDER BY name'))[0]?.values).toEqual([
      ['journalDays'],
      ['trustedProxies'],
    ]);
  });

  test('has settings of store and forward: a proxy without credentials, names in lower case, a rate', async () => {
    expect(open().current()).toMatchObject({ egressProxy: null, egressProxyTargets: [], egressDrainRate: 250 });
    const changed = await change(open(), {
      egressProxy: 'http://[::1]:3128',
      egressProxyTargets: 'MES.example, *.cloud.example',
      egressDrainRate: 50,
    });
    expect(changed).toMatchObject({
      egressProxy: 'http://[::1]:3128',
      egressProxyTargets: ['mes.example', '*.cloud.example'],
      egressDrainRate: 50,
    });
    expect(open().current()).toEqual(changed);
  });

  test('gives flags precedence, names them, and keeps the saved values beneath', async () => {
    await change(open(), { gatewayPort: 9000 });
    const store = open({ gatewayPort: 9999 });
    expect(store.current().gatewayPort).toBe(9999);
    expect(store.overridden()).toEqual(['gatewayPort']);
    await expect(change(store, { gatewayPort: 1 })).rejects.toMatchObject({
      code: 'invalid',
      errors: [{ path: 'gatewayPort' }],
    });
    await change(store, { gatewayPort: 9999, workers: 2 });
    expect(open().current()).toMatchObject({ gatewayPort: 9000, workers: 2 });
  });

  test.each([
    [{ gatewayPort: 70_000 }, 'gatewayPort', 'gatewayPort: expected a port from 0 to 65,535 (0 = any free port)'],
    [
      { baseUrl: 'http://edge:1/x' },
      'baseUrl',
      'baseUrl: expected scheme and host such as http://edge-7, without a port or path',
    ],
    [{ trustedProxies: ['10.0.0.0/99'] }, 'trustedProxies', 'trustedProxies: "10.0.0.0/99" is not an address range'],
    [{ nonsense: 1 }, 'nonsense', 'nonsense: is not a setting'],
    [{ overridden: [] }, 'overridden', 'overridden: is not a setting'],
    [{ uiPort: 8090 }, 'uiPort', 'uiPort: is the same as gatewayPort'],
    [{ plainHttpPort: 8080 }, 'plainHttpPort', 'plainHttpPort: needs tls'],
    [{ tls: 'custom' }, 'tlsCertificate', 'tlsCertificate: is missing'],
    [{ tls: 'custom', tlsCertificate: 'x' }, 'tlsKey', 'tlsKey: is missing'],
    [
      { tls: 'custom', tlsCertificate: 'x', tlsKey: 'my-private-key' },
      'tlsCertificate',
      'tlsCertificate: cannot be read',
    ],
    [{ egressProxy: 'proxy:3128' }, 'egressProxy', 'egressProxy: expected a proxy such as http://proxy:3128'],
    [{ egressProxy: 'https://proxy:3128' }, 'egressProxy', 'egressProxy: expected a proxy'],
    [{ egressProxy: 'http://mes:my-private-key@proxy:3128' }, 'egressProxy', 'without user, password and path'],
    [{ egressProxy: 'http://proxy:3128/x' }, 'egressProxy', 'egressProxy: expected a proxy'],
    [{ egressProxy: 'http://proxy:3128?x' }, 'egressProxy', 'egressProxy: expected a proxy'],
    [{ egressProxy: 'http://proxy:99999' }, 'egressProxy', 'egressProxy: expected a proxy'],
    [{ egressProxy: 'http://proxy:0' }, 'egressProxy', 'egressProxy: expected a proxy'],
    [{ egressProxyTargets: ['*'] }, 'egressProxyTargets', '"*" is not a host name such as *.mes.example'],
    [{ egressProxyTargets: ['mes.example:8443'] }, 'egressProxyTargets', 'is not a host name'],
    [{ egressProxyTargets: ['mes.*.example'] }, 'egressProxyTargets', 'is not a host name'],
    [{ egressProxyTargets: ['127.0.0.1'] }, 'egressProxyTargets', '"127.0.0.1" is not a host name'],
    [{ egressProxyTargets: ['[::1]'] }, 'egressProxyTargets', 'is not a host name'],
    [{ egressProxyTargets: Array(257).fill('a') }, 'egressProxyTargets', 'expected at most 256 names'],
    [{ allowedInternalTargets: Array(257).fill('a:1') }, 'allowedInternalTargets', 'expected at most 256 targets'],
    [{ egressDrainRate: 0 }, 'egressDrainRate', 'egressDrainRate: expected a whole number from 1 to 100,000'],
    [{ egressDrainRate: 1.5 }, 'egressDrainRate', 'egressDrainRate: expected a whole number from 1 to 100,000'],
    [{ healthLivePath: 'health' }, 'healthLivePath', 'healthLivePath: expected a path without parameters such as'],
    [{ healthLivePath: '/health/:name' }, 'healthLivePath', 'expected a path without parameters'],
    [{ healthLivePath: `/${'x'.repeat(200)}` }, 'healthLivePath', 'of at most 200 characters'],
    [{ healthReadyPath: '' }, 'healthReadyPath', 'expected a path without parameters'],
    [{ healthReadyPath: '/health/live' }, 'healthReadyPath', 'healthReadyPath: is the same as healthLivePath'],
    [{ metricsToken: 'short' }, 'metricsToken', 'metricsToken: expected at least 16 characters'],
  ])('refuses %o naming the field, and saves nothing', async (patch, path, message) => {
    const store = open();
    const before = store.current();
    const error: unknown = await change(store, { ...patch, workers: 3 }).catch((error: unknown) => error);
    expect(error).toMatchObject({ code: 'invalid', errors: [{ path }], message: expect.stringContaining(message) });
    expect(String(error)).not.toContain('my-private-key');
    expect(store.current()).toEqual(before);
    expect(open().current()).toEqual(before);
  });

  test('shows write-only settings as set or not, and keeps them when that is sent back', async () => {
    const store = open();
    expect(showSettings(store)).toMatchObject({ metricsToken: null, tlsKey: null, overridden: [] });
    await change(store, { metricsToken: 'a-token-of-16-chars' });
    expect(showSettings(store)).toMatchObject({ metricsToken: { set: true }, tlsKey: null });
    await change(store, { metricsToken: { set: true }, workers: 2 });
    expect(store.current()).toMatchObject({ metricsToken: 'a-token-of-16-chars', workers: 2 });
    await change(store, { metricsToken: null });
    expect(store.current().metricsToken).toBeNull();
  });

  test('does not start with an invalid override', () => {
    expect(() => open({ gatewayPort: 1.5 })).toThrow('gatewayPort: expected a port');
  });
});
