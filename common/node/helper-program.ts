import { basename, dirname, join, relative, sep } from 'node:path';

/**
 * The file of a helper process (`fork`) and the program that runs it.
 *
 * In the desktop package this cannot be Electron's own program: its fuse RunAsNode is off, so it does not run as Node,
 * and plain Node cannot read files inside `app.asar`. Instead, the helper comes from the service tree that is installed
 * beside the archive, which has a Node for service mode.
 */
export interface HelperProgram {
  file: string;
  /** Absent: the program of the current process. */
  execPath?: string;
}

/** Beside `app.asar`: the same files, unpacked. */
export const SERVICE_FOLDER = 'service';
/** In the service folder. */
export const NODE_PROGRAM = join('runtime', process.platform === 'win32' ? 'node.exe' : 'node');

const ARCHIVE = 'app.asar';

export function helperProgram(file: string): HelperProgram {
  const archive = archiveOf(file);
  if (archive === null) return { file };
  const service = join(dirname(archive), SERVICE_FOLDER);
  return { file: join(service, relative(archive, file)), execPath: join(service, NODE_PROGRAM) };
}

function archiveOf(file: string): string | null {
  if (!file.includes(sep + ARCHIVE + sep)) return null;
  let folder = dirname(file);
  while (basename(folder) !== ARCHIVE) folder = dirname(folder);
  return folder;
}
