/**
 * npm packages that a library loads immediately and the product never uses: an empty one replaces them, which saves
 * about 55 MB and native code.
 *
 * `@azure/*`: log-in to SQL Server through Azure and column keys stored there; connections in Sluice have a user and a
 * password (gateway/capabilities/db/engines/sqlserver.ts). `serialport`: Modbus over serial lines; only TCP is used.
 */
export const UNUSED_PACKAGES: ReadonlySet<string> = new Set(['@azure/identity', '@azure/keyvault-keys', 'serialport']);

export const EMPTY_PACKAGE = 'module.exports = {};';

/** Optional packages that libraries do without if they are missing: native code, colours for debugging. */
export const OPTIONAL_PACKAGES: ReadonlySet<string> = new Set([
  'bufferutil',
  'cardinal',
  'pg-native',
  'utf-8-validate',
]);
