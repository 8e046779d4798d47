import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tempDir } from './temp-dir.ts';

/** A small separate file system, for tests of full and hanging disks. Needs root on Linux. */
export interface SmallDisk extends AsyncDisposable {
  readonly path: string;
  /** Fills the remaining space to the last byte. */
  fill(): Promise<void>;
  /** Removes the filling. */
  empty(): Promise<void>;
  /** Every write hangs until `thaw`. */
  freeze(): void;
  thaw(): void;
}

const MIB = 1024 * 1024;

/** Why such a disk cannot be created here; null if it can. */
export function whyNoDisk(): string | null {
  if (process.platform !== 'linux') return 'needs Linux: it mounts a small file system';
  if (process.getuid?.() !== 0) return 'needs root: it mounts a small file system';
  try {
    for (const program of ['mkfs.ext4', 'mount', 'umount', 'fsfreeze'])
      execFileSync('which', [program], { stdio: 'ignore' });
    execFileSync('losetup', ['-f'], { stdio: 'ignore' });
    return null;
  } catch {
    return 'needs loop devices and the programs mkfs.ext4, mount and fsfreeze (packages e2fsprogs, mount, util-linux)';
  }
}

/** An ext4 image on a loop device; large enough for the journal, which leaves the last 4 MiB to the host. */
export async function smallDisk(megabytes = 32): Promise<SmallDisk> {
  const dir = await tempDir('sluice-disk-');
  const image = join(dir.path, 'image');
  const path = join(dir.path, 'disk');
  await mkdir(path);
  await writeFile(image, '');
  await truncate(image, megabytes * MIB);
  execFileSync('mkfs.ext4', ['-q', '-m', '0', image]);
  execFileSync('mount', ['-o', 'loop', image, path]);
  const filling = join(path, 'filling');
  let frozen = false;
  const thaw = () => {
    if (frozen) execFileSync('fsfreeze', ['-u', path]);
    frozen = false;
  };
  const unmount = async () => {
    thaw();
    execFileSync('umount', ['-l', path]);
    process.removeListener('exit', unmountNow);
    await dir.remove();
  };
  const unmountNow = () => {
    thaw();
    execFileSync('umount', ['-l', path]);
    rmSync(dir.path, { recursive: true, force: true });
  };
  process.once('exit', unmountNow);
  return {
    path,
    fill: () => fillDisk(filling),
    empty: () => writeFile(filling, ''),
    freeze() {
      execFileSync('fsfreeze', ['-f', path]);
      frozen = true;
    },
    thaw,
    [Symbol.asyncDispose]: unmount,
  };
}

/** Large pieces first, then smaller ones, until the disk is completely full. */
async function fillDisk(file: string): Promise<void> {
  for (let size = MIB; size >= 1; size = Math.floor(size / 4)) {
    const piece = Buffer.alloc(size);
    while (await fits(file, piece));
  }
}

async function fits(file: string, piece: Buffer): Promise<boolean> {
  try {
    await writeFile(file, piece, { flag: 'a' });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return false;
    throw error;
  }
}
