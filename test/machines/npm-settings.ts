import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { giveToUser, type MachineRoot } from './machine-root.ts';
import { machineNpm } from './machine-npm.ts';

/** npm settings for the network of this machine. */
const NETWORK_KEYS = ['registry', 'proxy', 'https-proxy', 'noproxy'];
const CA_FILE = '/etc/npm-ca.pem';

/** Writes the user's .npmrc in the root from the npm of this machine, so that its registry and proxy are used there. */
export async function copyNpmSettings(root: MachineRoot, log: string): Promise<void> {
  // Not logged, because the address of a proxy may contain a password.
  const text = machineNpm('config', 'list', '--json');
  const settings = new Map(Object.entries(JSON.parse(text) as Record<string, unknown>));
  const lines = NETWORK_KEYS.flatMap((key) => {
    const value = settings.get(key);
    return typeof value === 'string' && value !== '' ? [`${key}=${value}`] : [];
  });
  const caFile = settings.get('cafile');
  if (typeof caFile === 'string' && caFile !== '') {
    cpSync(caFile, join(root.path, CA_FILE), { dereference: true });
    lines.push(`cafile=${CA_FILE}`);
  }
  writeFileSync(join(root.path, root.home, '.npmrc'), `${lines.join('\n')}\n`);
  await giveToUser(root, '.npmrc', log);
}
