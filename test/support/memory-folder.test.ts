import { expect, test } from 'vitest';
import { mayRunPrograms } from './memory-folder.ts';

const disk = '/dev/sda1 / ext4 rw,relatime 0 0';

test.each([
  ['a desktop', [disk, 'tmpfs /dev/shm tmpfs rw,nosuid,nodev 0 0'], true],
  ['a container', [disk, 'shm /dev/shm tmpfs rw,nosuid,nodev,noexec,relatime,size=65536k 0 0'], false],
  ['one that cannot be written', ['tmpfs /dev/shm tmpfs ro,relatime 0 0'], false],
  ['no separate file system', [disk], false],
  ['another one mounted over it', ['tmpfs /dev/shm tmpfs rw 0 0', '/dev/sdb1 /dev/shm ext4 rw 0 0'], false],
  ['another system', [''], false],
])('the mounts decide whether a temporary folder in memory may run programs: %s', (_name, mounts, expected) => {
  expect(mayRunPrograms(mounts.join('\n'))).toBe(expected);
});
