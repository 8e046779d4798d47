import { useEffect } from 'react';
import { useEgress } from '#api/egress-queries.ts';
import type { EgressTarget } from '#common/model/egress.ts';
import { useShownDefinition } from '../editor-context.tsx';
import { egressOrigin, isEgress } from '../dock/problems.ts';
import type { Draft } from '../model/draft.ts';
import { useCanvasStore } from './canvas-context.ts';
import type { TargetView } from './canvas-store.ts';

/** Paused targets and events that wait for them, at the nodes that call them. Polls only if such nodes exist. */
export function EgressTargets() {
  const { nodes } = useShownDefinition();
  return nodes.some(isEgress) && <Targets />;
}

function Targets() {
  const canvas = useCanvasStore();
  const definition = useShownDefinition();
  const targets = useEgress().data?.targets;
  useEffect(() => {
    canvas.set({ targets: targetsByNode(definition, targets ?? []) });
  }, [canvas, definition, targets]);
  return null;
}

function targetsByNode({ nodes }: Draft, targets: readonly EgressTarget[]): Map<string, TargetView> {
  const byOrigin = new Map(targets.map((target) => [target.target, target]));
  const views = nodes.filter(isEgress).flatMap((node) => {
    const target = byOrigin.get(egressOrigin(node) ?? '');
    return target === undefined ? [] : [[node.id, viewOf(target)] as const];
  });
  return new Map(views);
}

/** A target that a user paused is paused on purpose. */
function viewOf({ state, pausedBy, reason, queued }: EgressTarget): TargetView {
  const alarm = state === 'open' ? null : pausedBy === null ? 'alarm' : 'warning';
  return { alarm, reason: reason ?? '', queued };
}
