import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createLogger, type Logger } from '#common/node/log.ts';
import { SluiceError } from '#common/errors/catalogue.ts';
import { refuseForeignData } from '../cli/data-owner.ts';
import { askHost } from '../cli/host-call.ts';
import type { ServeOptions } from '../cli/options.ts';
import { expectOwnService } from '../cli/own-service.ts';
import { runsFromPackage } from '../cli/packaged.ts';
import type { FirstUsers } from '../contracts.ts';
import { setupAccess } from '../host/setup-commands.ts';
import { type AdminSession, adminSession } from './admin-session.ts';
import { SetupError } from './setup-error.ts';

/** A running host that is not set up yet, with a session for it. Disposing ends the session. */
export interface SetupHost extends AsyncDisposable {
  readonly admin: AdminSession;
  readonly ui: string;
  /** Null while no gateway serves. */
  readonly gateway: string | null;
  finish(users: FirstUsers): Promise<void>;
}

/** Whether the Sluice with this data folder is already set up, running or not. */
export async function isSetUp({ dataDir, secretStore }: ServeOptions): Promise<boolean> {
  const answer = await askHost(dataDir, { command: 'setup-state' });
  if (answer) return answer.value === true;
  refuseForeignData(dataDir);
  if (!existsSync(join(dataDir, 'vault.db'))) {
    expectOwnService(dataDir);
    return false;
  }
  const { openData } = await import('../host/open-data.ts');
  const data = await openData({ dataDir, secretStore, overrides: {}, log: quietLogger() });
  try {
    return !data.people.setupNeeded;
  } finally {
    await data.close();
  }
}

/** The running host of the data folder; without one, a host that runs in this process until it is disposed. */
export async function openSetupHost(options: ServeOptions): Promise<SetupHost> {
  const running = await begin(options.dataDir);
  if (running !== null) return running;
  refuseForeignData(options.dataDir);
  process.umask(0o077);
  const { startHost } = await import('../host.ts');
  const packaged = runsFromPackage(process.execPath);
  const host = await startHost({ ...options, packaged, log: quietLogger() });
  try {
    await host.ready;
    const own = await begin(options.dataDir);
    if (own === null) throw new SetupError('the Sluice that was started for the set-up cannot be reached');
    return {
      ...own,
      [Symbol.asyncDispose]: async () => {
        await own[Symbol.asyncDispose]();
        await host.stop();
      },
    };
  } catch (error) {
    await host.stop();
    throw error;
  }
}

/** Null: no host is running there. */
async function begin(dataDir: string): Promise<SetupHost | null> {
  const answer = await askHost(dataDir, { command: 'setup-begin', pid: process.pid });
  if (answer === null) return null;
  const access = setupAccess.parse(answer.value);
  return {
    admin: adminSession(access),
    ui: access.ui,
    gateway: access.gateway,
    finish: (users) => finish(dataDir, users),
    [Symbol.asyncDispose]: async () => void (await askHost(dataDir, { command: 'setup-end' }).catch(() => null)),
  };
}

/** If only the journal row could not be written, the set-up has succeeded: the users exist, and nothing is undone. */
async function finish(dataDir: string, users: FirstUsers): Promise<void> {
  try {
    await askHost(dataDir, { command: 'setup-finish' }, { body: Buffer.from(JSON.stringify(users)) });
  } catch (error) {
    const isUnjournaled = error instanceof SluiceError && error.code === 'audit_unavailable';
    const state = isUnjournaled ? await askHost(dataDir, { command: 'setup-state' }) : null;
    if (state?.value !== true) throw error;
  }
}

/** Only warnings and errors: the command prints its own sentences. */
function quietLogger(): Logger {
  const { warn, error } = createLogger('host');
  return { debug: () => {}, info: () => {}, warn, error };
}
