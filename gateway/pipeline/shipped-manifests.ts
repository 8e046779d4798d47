import type { KindManifest } from '#common/control/messages.ts';
import { kinds, manifestOf } from './shipped-kinds.ts';

/**
 * The manifests of the built-in node kinds, for host and UI. They do not depend on the machine: a package contains the
 * manifests of its build (build/package/made-manifests.ts).
 */
export const SHIPPED_MANIFESTS: readonly KindManifest[] = kinds.map(manifestOf);
