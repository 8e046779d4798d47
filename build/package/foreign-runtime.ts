import { execFileSync } from 'node:child_process';
import { createHash, timingSafeEqual } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { extract } from 'tar';
import { PackagingError } from './package-script.ts';
import { RELEASE, ROOT } from './places.ts';

/**
 * Node for another architecture. npm installs only the Node for the current machine, so the package is downloaded with
 * `npm pack` and compared with the lock file.
 */
const RUNTIMES = join(RELEASE, 'runtimes');
/** The files of Node's package that are used; it also contains documents and headers. */
const NEEDED = /^package\/(LICENSE|package\.json|bin\/node(\.exe)?)$/;

/** The folder of npm's package `name` in the version of the lock file. Downloaded once. */
export async function fetchRuntime(name: string): Promise<string> {
  const { version, integrity } = lockedPackage(name);
  const folder = join(RUNTIMES, `${name}-${version}`);
  if (existsSync(folder)) return folder;
  const scratch = mkdtempSync(join(tmpdir(), 'sluice-runtime-'));
  try {
    const file = join(scratch, packed(`${name}@${version}`, scratch));
    refuseOtherBytes(file, name, integrity);
    mkdirSync(folder, { recursive: true });
    const whole = `${folder}.new`;
    rmSync(whole, { recursive: true, force: true });
    mkdirSync(whole);
    await extract({ file, cwd: whole, strip: 1, filter: (path) => NEEDED.test(path) });
    rmSync(folder, { recursive: true });
    renameSync(whole, folder);
    return folder;
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

/** Throws if the lock file has no such package. */
function lockedPackage(name: string): { version: string; integrity: string } {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Readonly<Record<string, { version?: string; integrity?: string }>>;
  };
  const { version, integrity } = lock.packages[`node_modules/${name}`] ?? {};
  if (version === undefined || integrity === undefined)
    throw new PackagingError(`package-lock.json has no version and integrity of ${name}.`);
  return { version, integrity };
}

/** The name of the file that npm has written to `folder`. */
function packed(id: string, folder: string): string {
  const words = ['pack', id, '--json', '--ignore-scripts', '--pack-destination', folder];
  const output = execFileSync('npm', words, { cwd: ROOT, encoding: 'utf8', shell: process.platform === 'win32' });
  const [made] = JSON.parse(output) as { filename: string }[];
  if (made === undefined) throw new Error(`npm pack ${id} made no file.`);
  return made.filename;
}

/** Compares the file with the lock file; npm only compares it with the registry. */
export function refuseOtherBytes(file: string, name: string, integrity: string): void {
  const [, algorithm, expected] = /^(sha512)-([A-Za-z0-9+/=]+)$/.exec(integrity) ?? [];
  if (algorithm === undefined || expected === undefined)
    throw new PackagingError(`package-lock.json has the integrity "${integrity}" of ${name}; expected sha512.`);
  const found = createHash(algorithm).update(readFileSync(file)).digest();
  const wanted = Buffer.from(expected, 'base64');
  if (found.length !== wanted.length || !timingSafeEqual(found, wanted))
    throw new PackagingError(`The fetched package ${name} differs from package-lock.json: its SHA-512 is another one.`);
}
