import type { EdgeStatus } from '#common/contract/fleet.ts';
import type { ShapeName } from '#ui/shape.tsx';

export type EdgeState = 'connected' | 'expecting' | 'applying' | 'returning' | 'refused' | 'cutOff' | 'never';

export const EDGE_SHAPES: Readonly<Record<EdgeState, ShapeName>> = {
  connected: 'running',
  expecting: 'starting',
  applying: 'starting',
  returning: 'starting',
  refused: 'warning',
  cutOff: 'warning',
  never: 'unknown',
};

/** Without contact, nothing else about an edge is known to be true now. */
export function edgeState(edge: Pick<EdgeStatus, 'contact' | 'phase' | 'have' | 'epoch'>): EdgeState {
  if (edge.contact === 'never') return 'never';
  if (edge.contact === 'cut off') return 'cutOff';
  if (edge.phase !== null && edge.phase !== 'settled') return edge.phase;
  return (edge.have?.epoch ?? 0) < edge.epoch ? 'expecting' : 'connected';
}

/** Its assignment failed, whether or not it has contact now. */
export function isTroubled({ phase }: Pick<EdgeStatus, 'phase'>): boolean {
  return phase === 'refused';
}
