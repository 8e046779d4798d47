import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import RUNTIME_PACKAGES from '../runtime-packages.json' with { type: 'json' };
import { fetchRuntime } from './foreign-runtime.ts';
import { PackagingError } from './package-script.ts';
import { ROOT } from './places.ts';

/** The kind of machine for which a package is built. */
export interface Target {
  platform: 'linux' | 'win32' | 'darwin';
  arch: 'x64' | 'arm64';
}

export interface Runtime {
  /** npm's package. */
  package: string;
  version: string;
  program: string;
  licence: string;
}

/** Debian's names of Node's architectures. */
export const DEBIAN_ARCHITECTURES: Readonly<Record<Target['arch'], string>> = { x64: 'amd64', arm64: 'arm64' };

/** Throws if there are no packages for that architecture. */
export function linuxTarget(arch: string): Target {
  if (arch !== 'x64' && arch !== 'arm64') throw new PackagingError(`--arch is "${arch}"; expected x64 or arm64.`);
  return { platform: 'linux', arch };
}

export function targetName({ platform, arch }: Target): string {
  return `${platform}-${arch}`;
}

export function programName({ platform }: Target): string {
  return platform === 'win32' ? 'node.exe' : 'node';
}

/** Node for that machine, from npm: installed, or downloaded. */
export async function runtimeFor(target: Target): Promise<Runtime> {
  const name = new Map(Object.entries(RUNTIME_PACKAGES)).get(targetName(target));
  if (name === undefined) throw new Error(`There is no Node runtime for ${targetName(target)}; expected ${known()}.`);
  const installed = join(ROOT, 'node_modules', name);
  const folder = existsSync(installed) ? installed : await fetchRuntime(name);
  const program = join(folder, 'bin', programName(target));
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
  return { package: name, version, program, licence: join(folder, 'LICENSE') };
}

const known = (): string => Object.keys(RUNTIME_PACKAGES).join(', ');
