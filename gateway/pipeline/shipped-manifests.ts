import type { KindManifest } from '#common/control/messages.ts';
import { kinds, manifestOf } from './shipped-kinds.ts';

/**
 * The shipped kinds as host and UI know them. They do not depend on the machine: a package contains the ones of its
 * build (build/package/made-manifests.ts).
 */
export const SHIPPED_MANIFESTS: readonly KindManifest[] = kinds.map(manifestOf);
