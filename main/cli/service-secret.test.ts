import { expect, test } from 'vitest';
import { VaultError } from '../vault/errors.ts';
import { withServiceAdvice } from './service-secret.ts';

const noKeychain = new VaultError('secret_store', 'The OS keychain cannot be used: install libsecret.');

test('the folder of a service without a keychain points to the stores that a service can use', () => {
  const told = withServiceAdvice(noKeychain, { dataDir: '/var/lib/sluice', secretStore: 'auto' });
  expect(String(told)).toContain('--secret-store file');
  expect(String(told)).toContain('systemd-run');
  expect(String(told)).not.toContain('libsecret');
});

test.each([
  ['another folder', noKeychain, { dataDir: '/home/eve/sluice', secretStore: 'auto' }],
  ['a store that was asked for', noKeychain, { dataDir: '/var/lib/sluice', secretStore: 'keychain' }],
  [
    'a file',
    new VaultError('secret_store', 'The secret file could not be written.'),
    { dataDir: '/var/lib/sluice', secretStore: 'auto' },
  ],
  ['another cause', new VaultError('locked', 'Stop it first.'), { dataDir: '/var/lib/sluice', secretStore: 'auto' }],
] as const)('%s keeps its own error', (_name, error, given) => {
  expect(withServiceAdvice(error, given)).toBe(error);
});
