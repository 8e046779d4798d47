import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { manPage } from '../man-page.ts';
import { debianChangelog } from './debian-changelog.ts';
import { GUIDES } from './guides.ts';
import { PackagingError } from './package-script.ts';
import { setModes } from './modes.ts';
import { ROOT } from './places.ts';
import { filesOf } from './tree-files.ts';

/**
 * The Debian package: the tree in /usr/lib/sluice, one command, one unit, and scripts that create the user and the data
 * folder. It has no configuration files; settings of technicians are in the vault, or in a drop-in of the unit.
 */
export interface DebOptions {
  /** The tree of service mode. */
  tree: string;
  /** Where the files of the package are assembled; created again each time. */
  staging: string;
  file: string;
  /** In Debian's notation. */
  version: string;
  /** Debian's name, such as amd64. */
  architecture: string;
  /** The bill of materials; goes to /usr/share/doc. */
  sbom: string;
  /** `none` is for tests, because packing takes a minute. */
  compression?: 'xz' | 'none';
}

export const LINUX_FILES = fileURLToPath(new URL('./linux/', import.meta.url));
export const INSTALLED_TREE = '/usr/lib/sluice';
const SCRIPTS = ['postinst', 'prerm', 'postrm'];

/** Needs dpkg-deb. */
export function makeDeb({ tree, staging, file, version, architecture, sbom, compression = 'xz' }: DebOptions): void {
  rmSync(staging, { recursive: true, force: true });
  const at = (path: string): string => join(staging, path);
  for (const folder of [
    'DEBIAN',
    'usr/lib/systemd/system',
    'usr/bin',
    'usr/share/doc/sluice',
    'usr/share/man/man1',
    'usr/share/lintian/overrides',
  ])
    mkdirSync(at(folder), { recursive: true });
  cpSync(tree, at('usr/lib/sluice'), { recursive: true });
  cpSync(join(LINUX_FILES, 'sluice.service'), at('usr/lib/systemd/system/sluice.service'));
  symlinkSync('../lib/sluice/sluice', at('usr/bin/sluice'));
  writePapers(at('usr/share/doc/sluice'), version, sbom);
  writeFileSync(at('usr/share/man/man1/sluice.1.gz'), gzipSync(manPage(version), { level: 9 }));
  cpSync(join(LINUX_FILES, 'lintian-overrides'), at('usr/share/lintian/overrides/sluice'));
  // Real files in the tree: some systems omit /usr/share/doc when they install packages.
  for (const folder of ['guides', 'html'])
    symlinkSync(`../../../lib/sluice/${GUIDES}/${folder}`, at(`usr/share/doc/sluice/${folder}`));
  for (const script of SCRIPTS) {
    cpSync(join(LINUX_FILES, script), at(`DEBIAN/${script}`));
  }
  writeFileSync(
    at('DEBIAN/control'),
    control(
      version,
      architecture,
      filesOf(staging).reduce((sum, { bytes }) => sum + bytes, 0),
    ),
  );
  setModes(staging);
  // It has the name of the command.
  chmodSync(at('usr/share/lintian/overrides/sluice'), 0o644);
  execFileSync('dpkg-deb', ['--root-owner-group', `-Z${compression}`, '--build', staging, file], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

function writePapers(folder: string, version: string, sbom: string): void {
  cpSync(join(LINUX_FILES, 'README.md'), join(folder, 'README.md'));
  const changelog = debianChangelog(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'), version, maintainer());
  writeFileSync(join(folder, 'changelog.gz'), gzipSync(changelog, { level: 9 }));
  writeFileSync(join(folder, 'sbom.cdx.json'), sbom);
  const licence = readFileSync(join(ROOT, 'LICENSE'), 'utf8');
  const others = `Parts of other packages: ${INSTALLED_TREE}/THIRD-PARTY-LICENSES.txt, ${INSTALLED_TREE}/renderer/dist/licenses.txt, ${INSTALLED_TREE}/${GUIDES}/html/licenses.txt\nNode: ${INSTALLED_TREE}/runtime/LICENSE\n`;
  writeFileSync(join(folder, 'copyright'), `${licence}\n${others}`);
}

/** The maintainer, as `Name <address>`; Debian requires an address. */
function maintainer(): string {
  const given = process.env['SLUICE_MAINTAINER'] ?? 'Sluice <sluice@example.org>';
  if (/^[^<>\n]+ <[^<>\s@]+@[^<>\s@]+>$/.test(given)) return given;
  throw new PackagingError(`SLUICE_MAINTAINER is "${given}"; expected "Name <address>".`);
}

/** The libraries that Node's program is linked with; `libsecret` only for a secret in a keychain. */
function control(version: string, architecture: string, bytes: number): string {
  return `Package: sluice
Version: ${version}
Architecture: ${architecture}
Maintainer: ${maintainer()}
Installed-Size: ${Math.ceil(bytes / 1024)}
Depends: libc6 (>= 2.28), libstdc++6 (>= 8), libgcc-s1 | libgcc1, passwd
Recommends: systemd
Suggests: libsecret-1-0
Section: net
Priority: optional
Description: REST gateway for factory lines, service mode
 Pipelines publish HTTP routes, API keys open them. Routes are served on TCP
 8090, the admin UI on 127.0.0.1:8091. Brings its own Node.
`;
}
