import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where packages are made from, and where they are put. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
export const RELEASE = join(ROOT, 'release');
/** Icons, made from the drawing each time; nothing in it is kept in the repository. */
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
