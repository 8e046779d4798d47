import { join } from 'node:path';
import type { Plugin } from 'rolldown';
import { kinds, manifestOf } from '#plugins';
import { ROOT } from './places.ts';

/**
 * Stores the generated manifests of the built-in kinds in a package, instead of the code that generates them. Measured:
 * to generate them, the gateway parses each kind's examples with its schema at each start, which is 4 MB of schema
 * parts and 6 MB of Node's time zone data that an idle gateway never needs again.
 */
export function madeManifestsPlugin(): Plugin {
  const source = join(ROOT, 'gateway/pipeline/shipped-manifests.ts');
  return {
    name: 'made-manifests',
    load: (id) => (id === source ? { code: madeManifests(), moduleType: 'js' } : null),
  };
}

/** The exports of `shipped-manifests.ts` as JSON, the form in which they are sent anyway; faster to read than code. */
export function madeManifests(): string {
  const json = JSON.stringify(kinds.map(manifestOf));
  return `export const SHIPPED_MANIFESTS = JSON.parse(${JSON.stringify(json)});`;
}
