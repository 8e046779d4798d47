import { chmodSync, cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeSite } from '../site/write.ts';
import { makeBundle, type Bundle } from './bundle.ts';
import { SERVICE_ENTRIES, type Entries } from './entries.ts';
import { copyKeptPackages } from './kept-packages.ts';
import { manifest, ROOT } from './places.ts';
import { DATA_FOLDERS } from './started-by-path.ts';
import { programName, runtimeFor, type Target } from './target.ts';

/**
 * The tree of service mode: everything that runs without a window, and nothing else.
 *
 *   app/            the product (bundle.ts)         renderer/dist/  the admin UI
 *   node_modules/   three packages that stay files  docs/samples/   sample projects
 *   runtime/        Node, with its licence          package.json    marks app/ as ES modules
 *   share/doc/      the guides (guides.ts), and the documentation pages that the host serves (../site)
 *
 * The desktop package has the same `app/`, with its own entry, in `app.asar`; common/node/helper-program.ts relies on
 * both being in the same folder.
 */
export interface TreeOptions {
  folder: string;
  target: Target;
  /** The output of `sluice --version`. */
  version: string;
}

/** Created again each time. Throws if a part is missing. */
export async function makeServiceTree(options: TreeOptions): Promise<Bundle> {
  const { folder, target } = options;
  const bundle = await makeAppTree(options, SERVICE_ENTRIES, {});
  await copyRuntime(folder, target);
  return bundle;
}

/** The product without its own Node; `extra` is added to its package.json. */
export async function makeAppTree(
  { folder, target, version }: TreeOptions,
  entries: Entries,
  extra: Readonly<Record<string, string>>,
): Promise<Bundle> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const bundle = await makeBundle(entries, join(folder, 'app'), version);
  copyKeptPackages(folder, target);
  for (const part of ['renderer/dist', 'docs/samples', 'LICENSE']) copyPart(folder, part);
  await writeSite(join(folder, DATA_FOLDERS['dist/docs']));
  const { name, description, license } = manifest();
  const own = { name, version, description, license, private: true, type: 'module', ...extra };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(own, null, 2)}\n`);
  return bundle;
}

function copyPart(folder: string, part: string): void {
  const from = join(ROOT, part);
  if (!existsSync(from)) throw new Error(`${part} is not there. Run "npm run build:ui" before packing.`);
  cpSync(from, join(folder, part), { recursive: true });
}

async function copyRuntime(folder: string, target: Target): Promise<void> {
  const { program, licence } = await runtimeFor(target);
  const runtime = join(folder, 'runtime');
  mkdirSync(runtime);
  cpSync(program, join(runtime, programName(target)));
  chmodSync(join(runtime, programName(target)), 0o755);
  cpSync(licence, join(runtime, 'LICENSE'));
}
