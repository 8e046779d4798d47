import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { KEPT_NAMES } from './kept-packages.ts';
import { ROOT } from './places.ts';
import { runtimeFor, type Target } from './target.ts';

/** An npm package that is at least partly in the created package. */
export interface ShippedPackage {
  /** `name@version` from its own manifest. */
  id: string;
  licence: string;
  /** Its licence files, concatenated; empty if it has none. */
  text: string;
}

/** Every package with a module in the bundle, and those that stay files. */
export function shippedPackages(modules: readonly string[]): ShippedPackage[] {
  const kept = KEPT_NAMES.map((name) => join(ROOT, 'node_modules', name));
  const folders = new Set([...modules.flatMap((file) => folderOf(file) ?? []), ...kept]);
  const packages = [...folders].map(readPackage);
  return [...new Map(packages.map((one) => [one.id, one])).values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** The packages in the admin UI, from its own licence file. */
export function uiPackageIds(): string[] {
  const text = readFileSync(join(ROOT, 'renderer', 'dist', 'licenses.txt'), 'utf8');
  return [...text.matchAll(/^## (\S+) - (\S+) \(/gm)].map(([, name, version]) => `${name}@${version}`);
}

export async function runtimeId(target: Target): Promise<string> {
  const { package: name, version } = await runtimeFor(target);
  return `${name}@${version}`;
}

function folderOf(file: string): string | null {
  const mark = `${sep}node_modules${sep}`;
  const at = file.lastIndexOf(mark);
  if (at < 0 || file.startsWith('\0')) return null;
  const [first = '', second = ''] = file.slice(at + mark.length).split(sep);
  return join(file.slice(0, at + mark.length), first.startsWith('@') ? join(first, second) : first);
}

function readPackage(folder: string): ShippedPackage {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
    license?: string;
  };
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
  const text = files.map((file) => readFileSync(join(folder, file), 'utf8').trim()).join('\n\n');
  return { id: `${name}@${version}`, licence: license ?? 'not named in its manifest', text };
}
