import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addDebianLibraries } from './debian-libraries.ts';
import { setModes } from './modes.ts';
import { type Image, type Layer, writeOciArchive } from './oci-layout.ts';
import { manifest } from './places.ts';
import { makeCheckedTree } from './service-package.ts';
import { DEBIAN_ARCHITECTURES, targetName, type Target } from './target.ts';

/**
 * `npm run package:oci`: the service as an OCI image. It contains Node's libraries from Debian and the service tree, no
 * shell and no package manager; it runs as a user without rights and writes only to its volume.
 */
export interface OciOptions {
  out: string;
  target: Target;
  version: string;
}

/** User ID in the image; no account of the PC has it. */
const USER_ID = 10_001;
const TREE = '/usr/lib/sluice';
const DATA = '/var/lib/sluice';
const NODE = `${TREE}/runtime/node`;
/** As started by `linux/sluice.sh`. */
const NODE_FLAGS = ['--disable-sigusr1', '--max-semi-space-size=2', '--expose-gc'];
const ENVIRONMENT = {
  PATH: '/usr/bin',
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '32768',
  SLUICE_DATA: DATA,
  // A container has no keychain and no systemd: the secret is in the volume, beside the vault.
  SLUICE_SECRET_STORE: 'file',
};

/** The name of the file. Needs apt-get, dpkg-deb and GNU tar; no root, no daemon. */
export async function packageOci({ out, target, version }: OciOptions): Promise<string> {
  const scratch = mkdtempSync(join(tmpdir(), 'sluice-oci-'));
  try {
    const [system, product, data] = ['system', 'product', 'data'].map((name) => join(scratch, name));
    if (system === undefined || product === undefined || data === undefined) throw new Error('three folders');
    const libraries = makeSystem(system, scratch, target);
    await makeProduct(product, target, version);
    makeData(data);
    const layers: Layer[] = [
      { folder: system, owner: 0, path: '.', made: `libraries from Debian: ${libraries.join(', ')}` },
      { folder: product, owner: 0, path: '.', made: `Sluice ${version}` },
      { folder: data, owner: USER_ID, path: `.${DATA}`, made: 'data folder' },
    ];
    const name = `sluice-${version}-${targetName(target)}.oci.tar`;
    writeOciArchive(join(out, name), join(scratch, 'layout'), imageOf(target, version, layers));
    return name;
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

function imageOf(target: Target, version: string, layers: readonly Layer[]): Image {
  const { description, license } = manifest();
  const title = 'org.opencontainers.image';
  return {
    architecture: DEBIAN_ARCHITECTURES[target.arch] === 'amd64' ? 'amd64' : 'arm64',
    reference: `sluice:${version}`,
    config: {
      User: `${USER_ID}:${USER_ID}`,
      Env: Object.entries(ENVIRONMENT).map(([name, value]) => `${name}=${value}`),
      Entrypoint: [NODE, ...NODE_FLAGS, `${TREE}/app/service.js`],
      Cmd: ['serve'],
      WorkingDir: DATA,
      Volumes: { [DATA]: {} },
      ExposedPorts: { '8090/tcp': {} },
      StopSignal: 'SIGTERM',
      Labels: { [`${title}.version`]: version },
    },
    annotations: {
      [`${title}.title`]: 'Sluice',
      [`${title}.description`]: description,
      [`${title}.licenses`]: license,
      [`${title}.version`]: version,
    },
    layers,
  };
}

function makeSystem(root: string, scratch: string, target: Target): string[] {
  for (const folder of ['etc', 'tmp', 'usr/bin']) mkdirSync(join(root, folder), { recursive: true });
  const libraries = addDebianLibraries(root, scratch, target);
  const files = {
    passwd: `root:x:0:0:root:/:/usr/sbin/nologin\nsluice:x:${USER_ID}:${USER_ID}:Sluice:${DATA}:/usr/sbin/nologin\n`,
    group: `root:x:0:\nsluice:x:${USER_ID}:\n`,
    'nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files dns\n',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, 'etc', name), text);
  setModes(root);
  chmodSync(join(root, 'tmp'), 0o1777);
  return libraries;
}

async function makeProduct(root: string, target: Target, version: string): Promise<void> {
  const folder = join(root, TREE);
  mkdirSync(folder, { recursive: true });
  await makeCheckedTree({ folder, target, version });
  // For "podman exec": the one in the tree is a shell script.
  const command = join(root, 'usr/bin/sluice');
  mkdirSync(join(root, 'usr/bin'), { recursive: true });
  writeFileSync(command, `#!${NODE}\nimport('${TREE}/app/service.js');\n`);
  setModes(root);
}

function makeData(root: string): void {
  mkdirSync(join(root, DATA), { recursive: true });
  chmodSync(join(root, DATA), 0o700);
}
