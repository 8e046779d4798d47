import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import type { PluginManifest } from '#common/model/plugin-manifest.ts';
import type { Command } from './command.ts';
import { askHost } from './host-call.ts';
import { DATA_FLAGS, dataOptions } from './options.ts';
import { PlainError } from './plain-error.ts';
import { stopSignal } from './stop-signals.ts';

/** For authors: one command from a changed file to a pipeline that runs it. */
export const pluginDev: Command = {
  name: 'plugin dev',
  summary: 'builds a plugin after each change, approves it in a running demo and restarts pipelines that use it',
  flags: {
    data: DATA_FLAGS.data,
    once: { help: 'builds and approves once, then ends' },
    'on-appliance': { help: 'allows a Sluice that is not the demo' },
  },
  positionals: ['FOLDER'],
  run: async (args, { environment, print }) => {
    const { dataDir } = dataOptions(args, environment);
    const folder = resolve(args.positionals[0] ?? '');
    const { build, notRunning, applyBuild, refuseMore } = await import('../plugin-dev/dev-cycle.ts');
    const isDemo = await askHost(dataDir, { command: 'is-demo' });
    if (isDemo === null) throw notRunning(dataDir);
    if (isDemo.value !== true && !args.flags.has('on-appliance'))
      throw new PlainError(
        `the Sluice on ${dataDir} is not a demo; every change of the plugin would be approved there without a review. Use "sluice serve --demo", or add --on-appliance`,
      );
    const first = await build(folder);
    const { manifest } = first.bundle;
    refuseMore(manifest, manifest);
    await confirm(manifest, folder);
    print(await applyBuild(dataDir, first));
    if (args.flags.has('once')) return 0;
    const again = async (): Promise<string> => {
      const next = await build(folder);
      refuseMore(next.bundle.manifest, manifest);
      return applyBuild(dataDir, next);
    };
    return follow(folder, manifest.main, async () => print(await again().catch(sentenceOf)), print);
  },
};

/** A failed change is printed as a sentence; the next one may succeed. */
function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function confirm({ id, capabilities, targets }: PluginManifest, folder: string): Promise<void> {
  process.stderr.write(
    [
      `Every change in ${folder} will be approved without a review until you end this command.`,
      `  capabilities: ${capabilities.join(', ') || 'none'}`,
      `  network targets: ${targets.join(', ') || 'none'}`,
      '',
    ].join('\n'),
  );
  const input = createInterface({ input: process.stdin, output: process.stderr });
  const ended = new Promise<string>((end) => input.once('close', () => end('')));
  const typed = await Promise.race([input.question(`Type ${id} to continue: `), ended]);
  input.close();
  if (typed.trim() !== id) throw new PlainError(`expected "${id}" to be typed; nothing was approved`);
}

async function follow(
  folder: string,
  main: string,
  changed: () => Promise<void>,
  print: (line: string) => void,
): Promise<number> {
  const [{ watchFolder }, { hasBuild }] = await Promise.all([
    import('../plugin-dev/watch-folder.ts'),
    import('../plugin-dev/build-plugin.ts'),
  ]);
  // Output of a build must not start the next one.
  const [output = ''] = hasBuild(folder) && main.includes('/') ? main.split('/') : [];
  const stop = new AbortController();
  void stopSignal().then(() => stop.abort());
  print(`Watching ${folder}; Ctrl-C ends it.`);
  await watchFolder(folder, new Set(['node_modules', output]), changed, stop.signal);
  return 0;
}
