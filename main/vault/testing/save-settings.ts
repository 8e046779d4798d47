import { hostname } from 'node:os';
import { createLogger } from '#common/node/log.ts';
import { createSettingsStore } from '../settings-store.ts';
import { openVault } from '../vault.ts';

/** `node save-settings.ts <data folder> <settings as JSON>`: saves them in a vault that is not in use yet. */
const [dataDir = '', json = '{}'] = process.argv.slice(2);
const log = createLogger('save-settings', (line) => void process.stderr.write(`${line}\n`));
const vault = await openVault({ dataDir, secretStore: 'file', packaged: false, log });
const settings: unknown = JSON.parse(json);
if (typeof settings === 'object' && settings !== null)
  await createSettingsStore(vault, { machineName: hostname(), overrides: {} }).change(settings, 'test');
await vault.close();
