import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Programs are started by path: tests import no product code but `#common`. */
const fromRoot = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

export const ROOT = fromRoot('');

/**
 * `npm test` bundles the programs once (test/bundled-programs.ts) and sets this to their folder, because a bundle
 * starts with less than half of the CPU time. A single test file starts the sources.
 */
const { SLUICE_TEST_PROGRAMS } = process.env;

const program = (bundled: string, source: string) =>
  SLUICE_TEST_PROGRAMS === undefined ? fromRoot(source) : join(SLUICE_TEST_PROGRAMS, bundled);

export const GATEWAY_ENTRY = program('gateway.js', 'gateway/entry.ts');
export const SERVICE_ENTRY = program('service.js', 'main/service.ts');
export const HTTP_THREAD_ENTRY = program('http.js', 'gateway/http/threads/thread.ts');
export const CONFINE = program('confine.js', 'gateway/confine/confine.ts');
