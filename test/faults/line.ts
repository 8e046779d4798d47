import type { Settings } from '#common/model/settings.ts';
import { wireOf } from '#common/model/wire-text.ts';
import type { PipelineInput } from '#test/route-pipeline.ts';

/** The pipelines of the rig: each accepts events on a route and calls one target with them. */
export interface EventRoute {
  readonly path: string;
  readonly target: string;
}

/** All events of one ordering key to one target, sent one after the other; its routes take turns. */
export interface Stream {
  readonly target: string;
  readonly key: string;
  readonly routes: readonly [EventRoute, ...EventRoute[]];
}

/** Two targets receive their calls by ordering key; one in its own order, from two pipelines. */
export const KEYED_TARGETS = ['press', 'oven'] as const;
export const PLAIN_TARGET = 'scale';
const PLAIN_ROUTES = [
  { path: '/scale/one', target: PLAIN_TARGET },
  { path: '/scale/two', target: PLAIN_TARGET },
] as const;

export function streams(keysPerTarget: number): Stream[] {
  const keyed = KEYED_TARGETS.flatMap((target) =>
    Array.from({ length: keysPerTarget }, (_, index): Stream => {
      return { target, key: `${target}-${index}`, routes: [{ path: `/${target}`, target }] };
    }),
  );
  return [...keyed, { target: PLAIN_TARGET, key: 'all', routes: PLAIN_ROUTES }];
}

export function pipelines(ports: Readonly<Record<string, number>>, timeoutMs: number): PipelineInput[] {
  const keyed = KEYED_TARGETS.map((target) => ({ path: `/${target}`, target }));
  return [...keyed, ...PLAIN_ROUTES].map(({ path, target }) => {
    const orderingKey = target === PLAIN_TARGET ? null : '{{payload.body.key}}';
    return pipeline(path, `http://127.0.0.1:${ports[target] ?? 0}/events/{{payload.body.seq}}`, orderingKey, timeoutMs);
  });
}

function pipeline(path: string, url: string, orderingKey: string | null, timeoutMs: number): PipelineInput {
  const id = path.slice(1).replaceAll('/', '-');
  const failed = [
    { path: 'payload.status', value: 500 },
    { path: 'payload.body', from: 'error' },
  ];
  return {
    id,
    name: id,
    nodes: [
      { id: 'in', kind: 'rest-api', settings: { mode: 'ingress', method: 'POST', urlPattern: path } },
      {
        id: 'call',
        kind: 'rest-api',
        settings: { mode: 'egress', url, method: 'POST', staticHeaders: {}, timeout: timeoutMs / 1000, orderingKey },
      },
      { id: 'failed', kind: 'set', settings: { assign: failed } },
      { id: 'out', kind: 'http-response', settings: {} },
    ],
    wires: ['in out call', 'call response out', 'call queued out', 'call error failed', 'failed out out'].map(wireOf),
  };
}

export function settings(gatewayPort: number, ports: Readonly<Record<string, number>>): Partial<Settings> {
  return {
    gatewayPort,
    allowedInternalTargets: Object.values(ports).map((port) => `127.0.0.1:${port}`),
    egressDrainRate: 100_000,
    diskReserveBytes: 0,
  };
}
