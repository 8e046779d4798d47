import { fileURLToPath } from 'node:url';

/** Programs are started by path: tests import no product code but `#common`. */
const fromRoot = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

export const ROOT = fromRoot('');
export const GATEWAY_ENTRY = fromRoot('gateway/entry.ts');
export const SERVICE_ENTRY = fromRoot('main/service.ts');
