import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * Finds Electron's program for `npm start`, and downloads it once if possible: npm installs Electron's package without
 * it. An edge PC may have no network, or one that drops packets: so the server is probed first, for REACH_MS_MAX, and
 * the download starts only if it responds, for at most FETCH_MS_MAX. With `SLUICE_NO_DOWNLOAD=1`, on a PC without a
 * screen and in CI nothing is downloaded.
 *
 * Security: the download is checked against the SHA-256 sums in Electron's own package (`checksums.json`), which the
 * lock file pins. This file imports nothing of Electron: it runs in plain Node.
 */
export type FoundProgram = { program: string } | { program: null; reason: string };

export interface ProgramSearch {
  /** `node_modules/electron/`, which may not exist. */
  packageFolder: string;
  environment: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  /** A download is starting: a message for the waiting user. */
  tell: (line: string) => void;
  reachMsMax?: number;
  fetchMsMax?: number;
}

const REACH_MS_MAX = 3_000;
const FETCH_MS_MAX = 10 * 60_000;
const RELEASES = 'https://github.com/electron/electron/releases/download/';

export async function findProgram(search: ProgramSearch): Promise<FoundProgram> {
  const { packageFolder, environment, platform } = search;
  if (!existsSync(join(packageFolder, 'package.json'))) return none('Electron is not installed');
  if (!hasScreen(environment, platform)) return none('there is no screen');
  const there = installedProgram(packageFolder);
  if (there !== null) return { program: there };
  if (environment['SLUICE_NO_DOWNLOAD'] || environment['CI']) return none('Electron’s program is not available');
  if (!(await answers(environment['ELECTRON_MIRROR'] ?? RELEASES, search.reachMsMax ?? REACH_MS_MAX)))
    return none('Electron’s program is not available and cannot be downloaded');
  search.tell('Electron’s program is being downloaded, once; SLUICE_NO_DOWNLOAD=1 leaves that out.');
  const fetched = await fetchProgram(packageFolder, search.fetchMsMax ?? FETCH_MS_MAX);
  const program = fetched ? installedProgram(packageFolder) : null;
  return program === null ? none('the download of Electron’s program did not come to an end') : { program };
}

/** Electron's own record of its executable; null if it is missing, or if the file does not exist. */
export function installedProgram(packageFolder: string): string | null {
  const pathFile = join(packageFolder, 'path.txt');
  if (!existsSync(pathFile)) return null;
  const dist = new URL('dist/', `${pathToFileURL(packageFolder).href.replace(/\/$/, '')}/`);
  const program = fileURLToPath(new URL(readFileSync(pathFile, 'utf8').trim(), dist));
  return existsSync(program) ? program : null;
}

function none(reason: string): FoundProgram {
  return { program: null, reason };
}

function hasScreen(environment: NodeJS.ProcessEnv, platform: NodeJS.Platform): boolean {
  return platform !== 'linux' || Boolean(environment['DISPLAY'] || environment['WAYLAND_DISPLAY']);
}

/** Any response is enough: the server is reachable. */
async function answers(address: string, msMax: number): Promise<boolean> {
  if (!URL.canParse(address)) return false;
  const signal = AbortSignal.timeout(msMax);
  return fetch(address, { method: 'HEAD', redirect: 'manual', signal }).then(
    () => true,
    () => false,
  );
}

function fetchProgram(packageFolder: string, msMax: number): Promise<boolean> {
  return new Promise((resolve) => {
    // A timeout ends the child with SIGTERM; an incomplete download is not unpacked.
    const child = spawn(process.execPath, [join(packageFolder, 'install.js')], {
      stdio: ['ignore', 'ignore', 'ignore'],
      timeout: msMax,
      windowsHide: true,
    });
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
  });
}
