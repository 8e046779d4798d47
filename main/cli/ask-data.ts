import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createLogger } from '#common/node/log.ts';
import type { CommandRequest } from '../host/commands.ts';
import { expectOwnService } from './own-service.ts';
import { refuseForeignData } from './data-owner.ts';
import { askHost, type Bytes } from './host-call.ts';
import type { DataOptions } from './options.ts';
import { PlainError } from './plain-error.ts';

/** Asks the running host to do it, or opens the data folder and does it here, with the lock of the folder. */
export async function askData(options: DataOptions, request: CommandRequest, bytes: Bytes = {}): Promise<unknown> {
  const answer = await askHost(options.dataDir, request, bytes);
  if (answer) return answer.value;
  expectData(options.dataDir);
  refuseForeignData(options.dataDir);
  const [{ commandHandler }, { leaveFleet }, { openData }, { createPluginControl }] = await Promise.all([
    import('../host/commands.ts'),
    import('../host/leave-fleet.ts'),
    import('../host/open-data.ts'),
    import('../third-party/plugin-control.ts'),
  ]);
  const log = createLogger('sluice');
  const data = await openData({
    ...options,
    overrides: {},
    withoutProjects: request.command === 'vault-confirm',
    log,
  });
  try {
    const { pluginStore: store, projects } = data;
    const plugins = createPluginControl({
      store,
      gateway: null,
      wanted: () => projects.wanted(),
      starting: () => [],
      log,
    });
    const handle = commandHandler({
      ...data,
      plugins,
      kinds: () => null,
      doors: () => null,
      restart: null,
      fleet: () => null,
      leaveFleet: () => leaveFleet(data.vault, null, null),
      isDemo: false,
      log,
    });
    return await handle(request, { body: bytes.body ?? new Uint8Array(), send: bytes.keep ?? refuseBytes });
  } finally {
    await data.close();
  }
}

const refuseBytes = (): Promise<never> => Promise.reject(new Error('a command gave bytes that nobody keeps'));

/** A read-only command must not create an empty vault if the folder was mistyped. */
export function expectData(dataDir: string): void {
  if (['vault.db', 'projects.sqlite'].some((name) => existsSync(join(dataDir, name)))) return;
  expectOwnService(dataDir);
  throw new PlainError(
    `there is no Sluice data in ${dataDir}; name its folder with --data, or run "sluice serve" once to create it`,
  );
}
