import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { DEBIAN_ARCHITECTURES, type Target } from './target.ts';

/**
 * The libraries that Node is linked with, from Debian, for an image without other parts of a system. apt checks the
 * signatures of the packages; its lists are separate from those of the machine.
 */
const SUITE = 'bookworm';
const MIRROR = 'http://deb.debian.org/debian';
const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';
const PACKAGES = ['libc6', 'libgcc-s1', 'libstdc++6', 'base-files'];
/** Libraries, licences and os-release; no programs. */
const WANTED =
  /^(lib|lib64|usr\/lib)\/([\w-]+\/)?[\w.+-]+\.so(\.[\d.]+)?$|^usr\/share\/doc\/[\w.+-]+\/copyright$|^usr\/lib\/os-release$|^etc\/(debian_version|os-release)$/;

/** Copies them to `root`; returns `name=version` of each package. Needs apt-get and dpkg-deb. */
export function addDebianLibraries(root: string, scratch: string, { arch }: Target): string[] {
  const apt = aptOptions(join(scratch, 'apt'), DEBIAN_ARCHITECTURES[arch]);
  const downloads = join(scratch, 'debs');
  mkdirSync(downloads, { recursive: true });
  execFileSync('apt-get', [...apt, '-q', 'update'], { stdio: ['ignore', 'ignore', 'inherit'] });
  execFileSync('apt-get', [...apt, '-q', 'download', ...PACKAGES], {
    cwd: downloads,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return readdirSync(downloads)
    .toSorted()
    .map((file) => addPackage(join(downloads, file), root, join(scratch, 'unpacked', file)));
}

function aptOptions(folder: string, architecture: string): string[] {
  for (const part of ['lists/partial', 'cache', 'etc']) mkdirSync(join(folder, part), { recursive: true });
  const sources = join(folder, 'sources.list');
  const suites = [
    `${MIRROR} ${SUITE} main`,
    `${MIRROR} ${SUITE}-updates main`,
    `${MIRROR}-security ${SUITE}-security main`,
  ];
  writeFileSync(sources, suites.map((suite) => `deb [signed-by=${KEYRING}] ${suite}\n`).join(''));
  writeFileSync(join(folder, 'status'), '');
  const settings = {
    'APT::Architecture': architecture,
    'APT::Architectures': architecture,
    // As the current user, because apt's own user cannot enter the folder.
    'APT::Sandbox::User': 'root',
    'Dir::Cache': join(folder, 'cache'),
    'Dir::Etc::SourceList': sources,
    'Dir::Etc::SourceParts': '/dev/null',
    'Dir::State::Lists': join(folder, 'lists'),
    'Dir::State::status': join(folder, 'status'),
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
}

/** Vulnerability scanners look for the control file here in images without dpkg. */
function addPackage(deb: string, root: string, unpacked: string): string {
  mkdirSync(unpacked, { recursive: true });
  execFileSync('dpkg-deb', ['-x', deb, unpacked]);
  for (const entry of readdirSync(unpacked, { withFileTypes: true, recursive: true })) {
    const path = relative(unpacked, join(entry.parentPath, entry.name));
    if (!entry.isDirectory() && WANTED.test(path))
      cpSync(join(unpacked, path), join(root, path), { verbatimSymlinks: true });
  }
  const control = execFileSync('dpkg-deb', ['-f', deb], { encoding: 'utf8' });
  const field = (name: string): string => new RegExp(`^${name}: (.*)$`, 'm').exec(control)?.[1] ?? '';
  const status = join(root, 'var/lib/dpkg/status.d');
  mkdirSync(status, { recursive: true });
  writeFileSync(join(status, field('Package')), control);
  return `${field('Package')}=${field('Version')}`;
}
