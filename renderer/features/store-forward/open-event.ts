import type { EgressEvent } from '#common/model/egress.ts';

/** The open dialog and its event. */
export type OpenEvent = { kind: 'none' } | { kind: 'inspect' | 'edit' | 'discard'; event: EgressEvent };
