import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folders from which packages are built, and their output folders. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
export const RELEASE = join(ROOT, 'release');
/** Icons, generated from the drawing each time; the repository does not contain them. */
export const RESOURCES = join(RELEASE, 'resources');

export interface Manifest {
  name: string;
  version: string;
  description: string;
  license: string;
  devDependencies: Readonly<Record<string, string>>;
}

export function manifest(): Manifest {
  return JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest;
}
