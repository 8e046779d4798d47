import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { targetName, type Target } from './target.ts';
import { filesOf } from './tree-files.ts';

/** ELF's `e_machine`, by Node's name. */
const MACHINES: Readonly<Record<Target['arch'], number>> = { x64: 62, arm64: 183 };
const HEADER_BYTES = 20;
const MUST_BE_NATIVE = /^runtime\/node$|\.node$/;

/** Throws if native code in a Linux tree is for another machine, or if a file that should be native code is not. */
export function refuseForeignCode(tree: string, target: Target): void {
  for (const { path } of filesOf(tree)) {
    const machine = elfMachine(join(tree, path));
    if (machine === null && !MUST_BE_NATIVE.test(path)) continue;
    if (machine !== MACHINES[target.arch])
      throw new Error(
        `${path} is ${machine === null ? 'no ELF file' : `for the ELF machine ${machine}`}; expected ${MACHINES[target.arch]} (${targetName(target)}).`,
      );
  }
}

/** Null: not an ELF file. */
function elfMachine(file: string): number | null {
  const header = Buffer.alloc(HEADER_BYTES);
  const opened = openSync(file, 'r');
  try {
    const length = readSync(opened, header, 0, HEADER_BYTES, 0);
    const isElf = length === HEADER_BYTES && header.subarray(0, 4).toString('latin1') === '\u007FELF';
    return isElf ? header.readUInt16LE(18) : null;
  } finally {
    closeSync(opened);
  }
}
