import { chmodSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Executable files of a package. */
const PROGRAMS: ReadonlySet<string> = new Set(['node', 'node.exe', 'sluice', 'postinst', 'prerm', 'postrm']);
/** The dynamic linker of an image, which the kernel runs. */
const LOADER = /^ld-linux[\w.-]*\.so\.\d+$/;

/**
 * All users may read all files and run programs: the package must not depend on the umask of its builder. (With 077,
 * the service's user could not read the program that root has unpacked.)
 */
export function setModes(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isSymbolicLink()) continue;
    const runs = entry.isDirectory() || PROGRAMS.has(entry.name) || LOADER.test(entry.name);
    chmodSync(join(entry.parentPath, entry.name), runs ? 0o755 : 0o644);
  }
  chmodSync(folder, 0o755);
}
