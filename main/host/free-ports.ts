import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SluiceError } from '#common/errors/catalogue.ts';
import { settingsSchema, type Settings } from '#common/model/settings.ts';
import { portRefusal } from '../admin-api/port-test.ts';
import { VAULT_FILE } from '../vault/recovery-hint.ts';
import { uiPortRefused } from './listen-for-ui.ts';

/**
 * Before the first start creates anything in a data folder: checks whether its ports are available. Later starts have
 * their ports in the vault and fail if another program listens. Throws SluiceError `conflict` with one sentence that
 * names the flag.
 */
export async function expectFreePorts(dataDir: string, overrides: Partial<Settings>): Promise<void> {
  if (existsSync(join(dataDir, VAULT_FILE))) return;
  const { gatewayHost, gatewayPort, uiPort } = settingsSchema
    .pick({ gatewayHost: true, gatewayPort: true, uiPort: true })
    .strip()
    .parse(overrides);
  const gateway = await portRefusal(gatewayHost, gatewayPort);
  if (gateway === 'EADDRINUSE')
    throw new SluiceError(
      'conflict',
      `gateway-port: port ${gatewayPort} is in use by another program; choose another with --gateway-port`,
    );
  const ui = await portRefusal('127.0.0.1', uiPort);
  if (ui !== null) throw new SluiceError('conflict', uiPortRefused(ui, uiPort));
}
