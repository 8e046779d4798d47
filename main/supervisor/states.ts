import type { GatewayState } from '#common/model/records.ts';

/**
 * The states of the gateway child, and every move between them:
 *
 * dead → starting → running → draining → dead ╰─────────┴──────────┴→ stopping → dead
 *
 * starting: forked, its first snapshot is not live yet. running: it serves. draining: asked to stop, finishing its
 * calls. stopping: killed, its end not seen yet. dead: no process.
 */
export const MOVES = {
  dead: ['starting'],
  starting: ['running', 'draining', 'stopping', 'dead'],
  running: ['draining', 'stopping', 'dead'],
  draining: ['stopping', 'dead'],
  stopping: ['dead'],
} as const satisfies Record<GatewayState, readonly GatewayState[]>;

export function mayMove(from: GatewayState, to: GatewayState): boolean {
  return (MOVES[from] as readonly GatewayState[]).includes(to);
}
