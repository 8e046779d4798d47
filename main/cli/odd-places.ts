import { realpathSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorCode } from '#common/node/atomic-file.ts';

/** File systems of the kernel, by their number in statfs(2). Files written there are not on a disk. */
const OF_THE_KERNEL: ReadonlySet<number> = new Set([
  0x9f_a0, // proc
  0x62_65_65_72, // sysfs
  0x1c_d1, // devpts
  0x27_e0_eb, // cgroup
  0x63_67_72_70, // cgroup2
  0x64_62_67_20, // debugfs
  0x74_72_61_63, // tracefs
  0x73_63_66_73, // securityfs
  0xca_fe_4a_11, // bpf
]);

/**
 * Linux only: whether a folder with this path would be on a file system of the kernel or of devices. It need not exist
 * yet.
 */
export function isOddPlace(path: string): boolean {
  if (process.platform !== 'linux') return false;
  const place = nearest(path);
  if (place === null) return false;
  const isDevices = (place === '/dev' || place.startsWith('/dev/')) && !place.startsWith('/dev/shm');
  return isDevices || OF_THE_KERNEL.has(statfsSync(place).type >>> 0);
}

/** The path without links, or the nearest existing parent folder; null: this user has no access. */
function nearest(path: string): string | null {
  try {
    return realpathSync(path);
  } catch (error) {
    const parent = dirname(path);
    return ['ENOENT', 'ENOTDIR'].includes(errorCode(error)) && parent !== path ? nearest(parent) : null;
  }
}
