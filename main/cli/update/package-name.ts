import { basename } from 'node:path';
import { PlainError } from '../plain-error.ts';

/**
 * The kind of a package, read from its name. The name can be trusted once a signed list of checksums contains the file
 * under it, so an older package cannot pass for a newer one.
 */
export interface PackageName {
  file: string;
  /** Three numbers. */
  version: string;
  /** As Node names it: `linux-x64`. */
  target: string;
}

const FORMS = [
  /^sluice_(?<version>\d+\.\d+\.\d+)_(?<arch>[a-z0-9]+)\.deb$/,
  /^sluice-(?<version>\d+\.\d+\.\d+)-(?<platform>[a-z0-9]+)-(?<arch>[a-z0-9]+)\.tar\.gz$/,
];
/** Debian's names where they differ from Node's. */
const DEBIAN_ARCHITECTURES: Readonly<Record<string, string>> = { amd64: 'x64', i386: 'ia32', armhf: 'arm' };

/** Throws PlainError if the name is not that of a package of the service. */
export function readPackageName(path: string): PackageName {
  const file = basename(path);
  const { version = '', platform = 'linux', arch = '' } = matched(file);
  return { file, version, target: `${platform}-${DEBIAN_ARCHITECTURES[arch] ?? arch}` };
}

function matched(file: string): Readonly<Record<string, string>> {
  for (const form of FORMS) {
    const found = form.exec(file)?.groups;
    if (found) return found;
  }
  throw new PlainError(
    `${file.slice(0, 100)} is not the name of a package of the service; expected one like sluice_1.2.3_amd64.deb or sluice-1.2.3-linux-x64.tar.gz, as it was made`,
  );
}

/**
 * Negative: `one` is older. Each version has three numbers; a development package, such as `1.2.3-dev.1a2b3c`, is older
 * than the release with the same numbers, and equal to other development packages with them.
 */
export function compareVersions(one: string, other: string): number {
  const [left, right] = [numbersOf(one), numbersOf(other)];
  const at = left.findIndex((part, index) => part !== right[index]);
  return at < 0 ? 0 : (left[at] ?? 0) - (right[at] ?? 0);
}

/** The three numbers, and 0 or 1 for development or release. */
function numbersOf(version: string): number[] {
  const [numbers = '', stage] = version.split('-');
  return [...numbers.split('.').map(Number), stage === undefined ? 1 : 0];
}
