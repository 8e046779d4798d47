import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readArguments } from './arguments.ts';
import { defaultDataFolder } from './data-folder.ts';
import { SERVE_FLAGS, serveOptions, type Environment } from './options.ts';

const read = (args: string[], environment: Environment = {}) =>
  serveOptions(readArguments('serve', args, SERVE_FLAGS, []), environment);

test('flags become the data folder, the secret store and overrides of the settings', () => {
  const options = read([
    '--data',
    '/tmp/x',
    '--gateway-host=127.0.0.1',
    '--gateway-port',
    '0',
    '--ui-port',
    '8191',
    '--secret-store',
    'file',
  ]);
  expect(options).toEqual({
    dataDir: '/tmp/x',
    secretStore: 'file',
    overrides: { gatewayHost: '127.0.0.1', gatewayPort: 0, uiPort: 8191 },
    demo: false,
  });
});

test('omitted flags override nothing', () => {
  expect(read([])).toEqual({ dataDir: defaultDataFolder(), secretStore: 'auto', overrides: {}, demo: false });
});

test('an environment variable counts, and its flag takes precedence', () => {
  const environment = {
    SLUICE_DATA: '/tmp/y',
    SLUICE_GATEWAY_PORT: '8190',
    SLUICE_UI_PORT: '8191',
    SLUICE_SECRET_STORE: 'keychain',
  };
  const options = read(['--gateway-port', '8290'], environment);
  expect(options).toMatchObject({
    dataDir: '/tmp/y',
    secretStore: 'keychain',
    overrides: { gatewayPort: 8290, uiPort: 8191 },
  });
});

test.each([
  [
    ['--port', '1'],
    {},
    '--port is not a flag of "sluice serve"; expected --data, --secret-store, --gateway-host, --gateway-port, --ui-port, --journal-head-file, --demo',
  ],
  [['-d'], {}, '-d is not a flag of "sluice serve"; expected'],
  [['--constructor'], {}, '--constructor is not a flag'],
  [['--gateway-port'], {}, '--gateway-port needs a value: --gateway-port N'],
  [['--gateway-port', '--demo'], {}, '--gateway-port needs a value'],
  [['--gateway-port', '1', '--gateway-port', '2'], {}, '--gateway-port was given twice; expected it once'],
  [['--gateway-port', '70000'], {}, '--gateway-port is "70000"; expected a port from 0 to 65,535'],
  [['--gateway-port', '-1'], {}, '--gateway-port is "-1"; expected a port'],
  [['--ui-port', '80x'], {}, '--ui-port is "80x"; expected a port'],
  [
    ['--ui-port', '9', '--gateway-port', '9'],
    {},
    '--gateway-port and --ui-port are both 9; expected two different ports',
  ],
  [['--gateway-host', 'edge'], {}, '--gateway-host is "edge"; expected an IP address to listen on, such as 0.0.0.0'],
  [['--secret-store', 'disk'], {}, '--secret-store is "disk"; expected one of auto, keychain, credential, file'],
  [['--demo=yes'], {}, '--demo takes no value; it was given "yes"'],
  [['--demo', '--data', '/tmp/x'], {}, '--demo has its own temporary data folder; expected no --data with it'],
  [['now'], {}, '"now" is not expected after "sluice serve"'],
  [[], { SLUICE_GATEWAY_PORT: 'x' }, 'SLUICE_GATEWAY_PORT is "x"; expected a port'],
  [[], { SLUICE_DATA: '' }, 'SLUICE_DATA is empty; expected a value, or the variable not to be set'],
  [[], { SLUICE_GATEWAY_HOST: '1.2.3' }, 'SLUICE_GATEWAY_HOST is "1.2.3"; expected an IP address'],
] as [string[], Environment, string][])('%j with %j is refused in one sentence', (args, environment, sentence) => {
  expect(() => read(args, environment)).toThrow(sentence);
});

test('a data folder that is a file is refused', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-test-'));
  const file = join(folder, 'data');
  writeFileSync(file, '');
  expect(() => read(['--data', file])).toThrow(`--data is "${file}", which is a file; expected a folder`);
  rmSync(folder, { recursive: true });
});

test('a missing positional is named, an extra one too', () => {
  expect(() => readArguments('user add', [], {}, ['NAME'])).toThrow(
    '"sluice user add" needs NAME: sluice user add NAME',
  );
  expect(() => readArguments('user add', ['a', 'b'], {}, ['NAME'])).toThrow(
    '"b" is not expected after "sluice user add NAME"',
  );
});

test('the data folder without --data is the default one of the platform', () => {
  const nobody = () => {
    throw new Error('no such user');
  };
  expect(defaultDataFolder('linux', {}, () => 'sluice')).toBe('/var/lib/sluice');
  expect(defaultDataFolder('linux', { XDG_DATA_HOME: '/home/eve/data' }, () => 'eve')).toBe('/home/eve/data/sluice');
  expect(defaultDataFolder('linux', { XDG_DATA_HOME: '/x' }, nobody)).toBe('/x/sluice');
  expect(
    defaultDataFolder(
      'linux',
      { XDG_DATA_HOME: '/x' },
      () => 'root',
      () => true,
    ),
  ).toBe('/var/lib/sluice');
  expect(
    defaultDataFolder(
      'linux',
      { XDG_DATA_HOME: '/x' },
      () => 'root',
      () => false,
    ),
  ).toBe('/x/sluice');
  expect(
    defaultDataFolder(
      'linux',
      { XDG_DATA_HOME: '/x' },
      () => 'eve',
      () => true,
    ),
  ).toBe('/x/sluice');
  expect(defaultDataFolder('win32', { ProgramData: 'D:\\Data' })).toContain('D:\\Data');
});
