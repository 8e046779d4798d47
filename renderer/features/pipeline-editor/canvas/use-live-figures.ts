import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { NodeTraffic, PipelineTraffic } from '#common/model/traffic.ts';
import type { RunRecord } from '#common/model/records.ts';
import { useRuns } from '#api/pipeline-queries.ts';
import { useEditor, useEditorContext } from '../editor-context.tsx';
import { sameValue } from '#ui/form/same-value.ts';
import { wireId, type Draft } from '../model/draft.ts';
import { portsOf, type Kinds } from '../model/ports.ts';
import { useCanvasStore } from './canvas-context.ts';
import type { RunView, TrafficView } from './canvas-store.ts';

/** Counters and the displayed run, for cards and wires: each is rendered again only if its own figures changed. */
export function useLiveFigures(): void {
  const canvas = useCanvasStore();
  const { traffic, record, running, kinds } = useEditorContext();
  useEffect(() => {
    canvas.set({ traffic: trafficView(canvas.snapshot().traffic, traffic, record.runningRevision, running, kinds) });
  }, [canvas, traffic, record.runningRevision, running, kinds]);
  useShownRun();
}

function trafficView(
  before: TrafficView,
  traffic: PipelineTraffic | null,
  revision: number | null,
  running: Draft | null,
  kinds: Kinds,
): TrafficView {
  if (revision === null) return { state: 'stopped', at: null, byNode: new Map(), ingress: 0 };
  if (traffic === null || traffic.revision === null)
    return before.byNode.size === 0 ? before : { ...before, state: 'stale' };
  const byNode = new Map(traffic.nodes.map((node) => [node.node, keptIfSame(before.byNode.get(node.node), node)]));
  const begins = (running?.nodes ?? []).filter((node) => !portsOf(node, kinds).input);
  const ingress = begins.reduce((sum, { id }) => sum + (byNode.get(id)?.perSecond ?? 0), 0);
  return { state: 'live', at: traffic.at, byNode, ingress };
}

function keptIfSame(before: NodeTraffic | undefined, now: NodeTraffic): NodeTraffic {
  return before !== undefined && sameValue(before, now) ? before : now;
}

function useShownRun(): void {
  const canvas = useCanvasStore();
  const { record } = useEditorContext();
  const id = useEditor((state) => state.run);
  const draft = useEditor((state) => state.draft);
  const runs = useCachedRuns(record.project, record.id);
  useEffect(() => {
    const run = id === null ? undefined : runs?.find((one) => one.id === id);
    canvas.set({ run: run === undefined ? null : runView(run, draft) });
  }, [canvas, id, runs, draft]);
}

/** The list that the dock polls; it is not requested again here. */
function useCachedRuns(project: string, id: string): RunRecord[] | undefined {
  const client = useQueryClient();
  const shown = useEditor((state) => state.run) !== null;
  const runs = useRuns(project, id, false);
  return shown ? (runs.data ?? client.getQueryData<RunRecord[]>(['runs', project, id])) : undefined;
}

export function runView(run: RunRecord, draft: Draft): RunView {
  const ports = new Set(run.steps.map(({ node, port }) => `${node} ${port ?? ''}`));
  const nodes = new Map(run.steps.map(({ node, durationUs }) => [node, durationUs]));
  const wires = draft.wires.filter(({ from, port, to }) => ports.has(`${from} ${port}`) && nodes.has(to));
  return { startedAt: run.startedAt, nodes, wires: new Set(wires.map(wireId)), failed: run.error?.node ?? null };
}
