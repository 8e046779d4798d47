import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from './cache.ts';
import { enterRoot, mountRoot, unmountRoot } from './machine-root.ts';
import { machineNpm } from './machine-npm.ts';
import type { Row, Suite } from './rows.ts';
import { must } from './run-program.ts';

/**
 * The system of a row is an overlay of read-only folders in the cache: Debian, made with debootstrap, and above it Node and
 * npm. A layer is made under another name and renamed when it is complete, so an incomplete layer is never used.
 */
const UID = '1000';
/** As in Debian's container images, installing a package starts no service. */
const START_NOTHING = '#!/bin/sh\nexit 101\n';

/** The layers of the row, topmost first. Creates missing ones. */
export async function layersOf(row: Row, log: string): Promise<string[]> {
  const base = await layer(row.suite, (folder) => debootstrap(row.suite, folder, log));
  return [await runtimeLayer(row, base, log), base];
}

function runtimeLayer({ suite, runtime }: Row, base: string, log: string): Promise<string> {
  if (runtime === 'debian') return layer(`${suite}-nodejs`, (folder) => installDebianNode(suite, base, folder, log));
  const npm = machineNpm('view', `npm@${runtime.npm}`, 'version');
  return layer(`node-${runtime.node}-npm-${npm}`, (folder) => unpackNode(runtime.node, npm, folder, log));
}

async function layer(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(cacheFolder('layers'), name);
  if (existsSync(folder)) return folder;
  const part = `${folder}.part`;
  rmSync(part, { recursive: true, force: true });
  mkdirSync(part);
  await make(part);
  renameSync(part, folder);
  return folder;
}

async function debootstrap(suite: Suite, folder: string, log: string): Promise<void> {
  await must(['debootstrap', '--variant=minbase', '--include=ca-certificates', suite, folder], log);
  writeFileSync(join(folder, 'usr/sbin/policy-rc.d'), START_NOTHING, { mode: 0o755 });
  await must(['chroot', folder, 'useradd', '--no-create-home', `--uid=${UID}`, '--shell=/bin/bash', 'dev'], log);
}

/** Only `apt-get install nodejs npm`, without recommended packages: no compiler and no git. */
async function installDebianNode(suite: Suite, base: string, folder: string, log: string): Promise<void> {
  const scratch = `${folder}.scratch`;
  mkdirSync(scratch);
  try {
    const root = await mountRoot({ scratch, layers: [base], upper: folder, user: 'root', suite }, log);
    await must(enterRoot(root, 'apt-get update -q && apt-get install -y -q --no-install-recommends nodejs npm'), log);
    await unmountRoot(root, log);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Node and npm from their npm packages, in the same places as a Node from nodejs.org. */
async function unpackNode(node: string, npm: string, folder: string, log: string): Promise<void> {
  const local = join(folder, 'usr/local');
  const modules = join(local, 'lib/node_modules');
  mkdirSync(join(local, 'bin'), { recursive: true });
  mkdirSync(join(modules, 'npm'), { recursive: true });
  await unpack(`node-linux-${process.arch}@${node}`, local, ['package/bin/node'], log);
  await unpack(`npm@${npm}`, join(modules, 'npm'), [], log);
  for (const name of ['npm', 'npx'])
    symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(local, 'bin', name));
  await must(['chown', '-R', '0:0', folder], log);
  await must(['chmod', '-R', 'a+rX', folder], log);
}

async function unpack(name: string, into: string, files: readonly string[], log: string): Promise<void> {
  const folder = cacheFolder('packages');
  const file = join(folder, machineNpm('pack', name, '--pack-destination', folder));
  await must(['tar', '-xzf', file, '-C', into, '--strip-components=1', ...files], log);
  rmSync(file);
}
