import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { manifest, ROOT } from './places.ts';

/**
 * The bill of materials of a package, in CycloneDX 1.5: the content of the package, with versions, hashes and licences
 * from the lock file. Generated here and not by `npm sbom`, which npm before 10 does not have and which lists every
 * tool of the build. The same lock file produces the same bytes.
 */
const TRUNK = 'node_modules/';

interface LockEntry {
  /** For a package that is installed under another name. */
  name?: string;
  version?: string;
  integrity?: string;
  license?: string;
  link?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

export interface Lock {
  packages: Record<string, LockEntry>;
}

interface Component {
  'bom-ref': string;
  type: 'application' | 'library';
  name: string;
  version: string;
  purl: string;
  scope?: 'required';
  hashes?: { alg: string; content: string }[];
  licenses?: { expression: string }[];
}

export interface Sbom {
  $schema: string;
  bomFormat: 'CycloneDX';
  specVersion: '1.5';
  version: 1;
  metadata: { component: Component };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

export function readLock(): Lock {
  return JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as Lock;
}

/** `packed` is the version of the package. Throws if the lock file lacks one of `ids` (`name@version`). */
export function sbomOf(lock: Lock, packed: string, ids: readonly string[]): Sbom {
  const entries = new Map(Object.entries(lock.packages).map(([path, entry]) => [idOf(path, entry), { path, entry }]));
  const missing = ids.filter((id) => !entries.has(id));
  if (missing.length > 0)
    throw new Error(`package-lock.json has no ${missing.join(', ')}; run "npm ci" and pack again.`);
  const root: Component = { ...identity(manifest().name, packed), type: 'application' };
  const refs = new Set([root['bom-ref'], ...ids]);
  const shipped = ids.flatMap((id) => entries.get(id) ?? []);
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: root },
    components: shipped.map(({ path, entry }) => componentOf(path, entry)),
    dependencies: [
      { ref: root['bom-ref'], dependsOn: dependsOn(lock, '', refs) },
      ...shipped.map(({ path, entry }) => ({ ref: idOf(path, entry), dependsOn: dependsOn(lock, path, refs) })),
    ],
  };
}

function nameOf(path: string, entry: LockEntry): string {
  return entry.name ?? path.slice(path.lastIndexOf(TRUNK) + TRUNK.length);
}

function idOf(path: string, entry: LockEntry): string {
  return `${nameOf(path, entry)}@${entry.version}`;
}

function identity(name: string, version: string): Omit<Component, 'type'> {
  return { 'bom-ref': `${name}@${version}`, name, version, purl: `pkg:npm/${name.replace('@', '%40')}@${version}` };
}

function componentOf(path: string, entry: LockEntry): Component {
  return {
    ...identity(nameOf(path, entry), entry.version ?? ''),
    type: 'library',
    scope: 'required',
    ...(entry.integrity === undefined ? {} : { hashes: [hashOf(entry.integrity)] }),
    ...(entry.license === undefined ? {} : { licenses: [{ expression: entry.license }] }),
  };
}

/** npm's `sha512-<base64>` in the notation of CycloneDX. */
function hashOf(integrity: string): { alg: string; content: string } {
  const [, bits = '', digest = ''] = /^sha(\d+)-(\S+)/.exec(integrity) ?? [];
  return { alg: `SHA-${bits}`, content: Buffer.from(digest, 'base64').toString('hex') };
}

function dependsOn({ packages }: Lock, path: string, refs: ReadonlySet<string>): string[] {
  const { dependencies = {}, optionalDependencies = {} } = packages[path] ?? {};
  return Object.keys({ ...dependencies, ...optionalDependencies }).flatMap((name) => {
    const found = resolve(packages, path, name);
    return found !== null && refs.has(found) ? [found] : [];
  });
}

/** The package that `name` refers to from the one at `path`: in the nearest parent folder. */
function resolve(packages: Lock['packages'], path: string, name: string): string | null {
  const at = `${path === '' ? '' : `${path}/`}${TRUNK}${name}`;
  const entry = packages[at];
  if (entry !== undefined) return idOf(at, entry);
  return path === '' ? null : resolve(packages, path.slice(0, Math.max(0, path.lastIndexOf(TRUNK) - 1)), name);
}
