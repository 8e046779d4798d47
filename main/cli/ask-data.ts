import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createLogger } from '#common/node/log.ts';
import type { CommandRequest } from '../host/commands.ts';
import { askHost } from './host-call.ts';
import type { DataOptions } from './options.ts';
import { PlainError } from './plain-error.ts';

/** Has the running host do it, or opens the data folder and does it here, under the folder's lock. */
export async function askData(options: DataOptions, request: CommandRequest): Promise<unknown> {
  const answer = await askHost(options.dataDir, request);
  if (answer) return answer.value;
  expectData(options.dataDir);
  const [{ commandHandler }, { openData }, { createPluginControl }] = await Promise.all([
    import('../host/commands.ts'),
    import('../host/open-data.ts'),
    import('../third-party/plugin-control.ts'),
  ]);
  const log = createLogger('sluice');
  const data = await openData({ ...options, overrides: {}, log });
  try {
    const { pluginStore: store, projects } = data;
    const plugins = createPluginControl({ store, gateway: null, wanted: () => projects.wanted(), log });
    const handle = commandHandler({ ...data, plugins, kinds: () => null });
    return await handle(request);
  } finally {
    await data.close();
  }
}

/** A command that looks at data must not make an empty vault where somebody mistyped the folder. */
function expectData(dataDir: string): void {
  if (['vault.db', 'projects.sqlite'].some((name) => existsSync(join(dataDir, name)))) return;
  throw new PlainError(
    `there is no Sluice data in ${dataDir}; name its folder with --data, or run "sluice serve" once to make it`,
  );
}
