import { execFileSync } from 'node:child_process';
import { manifest, ROOT } from './places.ts';

/**
 * The bill of materials of a package, in CycloneDX's form, from what npm knows of the lock file (versions, hashes,
 * licences), cut down to what is in the package. npm's own list would name every tool of the build too, and leave out
 * what the admin UI has in it.
 */
const SBOM_BYTES_MAX = 64 * 1024 ** 2;
/** npm's mark for a package that only the build needs; what is in the product is no longer one. */
const BUILD_ONLY = 'cdx:npm:package:development';

interface Component {
  'bom-ref': string;
  properties?: { name: string; value: string }[];
  scope?: string;
}

interface Sbom {
  metadata: { component: Record<string, unknown> };
  components: Component[];
  dependencies: { ref: string; dependsOn?: string[] }[];
}

/** What npm knows of every package in the lock file; some seconds. */
export function readNpmSbom(): Sbom {
  const text = execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: SBOM_BYTES_MAX,
    stdio: ['ignore', 'pipe', 'ignore'],
    shell: process.platform === 'win32',
  });
  return JSON.parse(text) as Sbom;
}

/** Throws when npm does not know one of `ids` (`name@version`): it would be missing from the list. */
export function sbomOf(all: Sbom, ids: readonly string[]): Sbom {
  const shipped = new Set(ids);
  const components = all.components.filter((component) => shipped.delete(component['bom-ref'])).map(asShipped);
  if (shipped.size > 0) throw new Error(`npm does not know ${[...shipped].join(', ')}; run "npm ci" and pack again.`);
  const { name, version } = manifest();
  const root = `${name}@${version}`;
  const refs = new Set([root, ...ids]);
  const dependencies = all.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((other) => refs.has(other)) }));
  const component = { ...all.metadata.component, name, type: 'application' };
  return { ...all, metadata: { ...all.metadata, component }, components, dependencies };
}

function asShipped(component: Component): Component {
  const properties = (component.properties ?? []).filter(({ name }) => name !== BUILD_ONLY);
  return { ...component, scope: 'required', properties };
}
