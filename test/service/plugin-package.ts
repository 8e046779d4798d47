import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { create } from 'tar';

/** Plugins for tests: from the template as by an author, and small ones with any code. */
export const TEMPLATE = fileURLToPath(new URL('../../docs/plugins/template', import.meta.url));
const ROLLDOWN = fileURLToPath(new URL('../../node_modules/rolldown/bin/cli.mjs', import.meta.url));
const run = promisify(execFile);

/**
 * Builds a copy of the template in `folder`, with its source edited, and packs the same files as `npm pack`. Returns
 * the path.
 */
export async function buildTemplate(
  folder: string,
  version: string,
  edit: (source: string) => string = (source) => source,
): Promise<string> {
  await cp(TEMPLATE, folder, { recursive: true });
  const source = join(folder, 'src/index.ts');
  writeFileSync(source, edit(readFileSync(source, 'utf8')));
  const packageFile = join(folder, 'package.json');
  writeFileSync(packageFile, JSON.stringify({ ...packageOf(folder), version }));
  const build = String(packageOf(folder).scripts['build']).split(' ').slice(1);
  await run(process.execPath, [ROLLDOWN, ...build], { cwd: folder });
  return pack(folder, ['package.json', ...packageOf(folder).files]);
}

function packageOf(folder: string): { scripts: Record<string, string>; files: string[] } {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

/** All in a folder `package`, as in npm. */
async function pack(folder: string, files: readonly string[]): Promise<string> {
  const file = `${folder}.tgz`;
  await create({ gzip: true, cwd: folder, prefix: 'package', portable: true, file }, [...files]);
  return file;
}

export interface SmallPlugin {
  readonly id: string;
  readonly code: string;
  readonly version?: string;
  readonly kinds: readonly object[];
  readonly capabilities?: readonly string[];
  readonly targets?: readonly string[];
  readonly trusted?: boolean;
}

/** A plugin with one file `index.js`, as an archive in base64. */
export async function smallPlugin(folder: string, { code, ...manifest }: SmallPlugin): Promise<string> {
  const place = join(folder, `${manifest.id}-${createHash('sha256').update(code).digest('hex').slice(0, 8)}`);
  mkdirSync(place, { recursive: true });
  writeFileSync(
    join(place, 'sluice-plugin.json'),
    JSON.stringify({ name: manifest.id, version: '1.0.0', ...manifest }),
  );
  writeFileSync(join(place, 'index.js'), code);
  return readFileSync(await pack(place, ['sluice-plugin.json', 'index.js'])).toString('base64');
}
