import type { GatewayCalls } from '#common/control/messages.ts';
import { SluiceError } from '#common/errors/catalogue.ts';
import { egressTarget } from '#common/model/egress.testing.ts';
import type { EgressEventDetail, EgressState, EgressTarget, ExportedEvent } from '#common/model/egress.ts';

/** Store and forward without disk and network, with the responses that messages.ts describes. */
type EgressCallName = Extract<keyof GatewayCalls, `egress-${string}`>;
type Handlers = { [C in EgressCallName]: (args: GatewayCalls[C]['args']) => GatewayCalls[C]['value'] };

export interface EgressDouble {
  targets: EgressTarget[];
  events: EgressEventDetail[];
  buffer: EgressState['buffer'];
  /** The largest page of events, whatever is requested. */
  pageMax: number;
  handlers: Handlers;
}

const AT = '2026-03-01T05:00:00.000Z';

export function targetOf(id: string, more: Partial<EgressTarget> = {}): EgressTarget {
  return egressTarget({ id, target: `https://${id}.example:8443`, ...more });
}

export function eventOf(id: string, more: Partial<EgressEventDetail> = {}): EgressEventDetail {
  return {
    id,
    state: 'dead',
    target: 'mes',
    origin: 'https://mes.example:8443',
    project: 'line-7',
    pipeline: 'reports',
    node: 'to-mes',
    method: 'POST',
    bodyBytes: 12,
    acceptedAt: AT,
    attempts: 1,
    nextTryAt: null,
    lastAnswer: { at: AT, status: 400, text: 'no such order', durationMs: 12 },
    reason: 'the target answered 400',
    diedAt: AT,
    tries: [{ at: AT, status: 400, text: 'no such order', durationMs: 12 }],
    payload: {
      idempotencyKey: `key-of-${id}`,
      orderingKey: null,
      path: '/reports?line=7',
      contentType: 'application/json',
      text: `{"serial":"${id}"}`,
      base64: null,
      traceparent: null,
    },
    ...more,
  };
}

export function exportedOf(id: string): ExportedEvent {
  const { origin, project, pipeline, node, method, acceptedAt, payload } = eventOf(id);
  if (payload === null) throw new Error('an event of a test has a payload');
  return { id, origin, project, pipeline, node, method, acceptedAt, payload };
}

export function createEgressDouble(): EgressDouble {
  const double: EgressDouble = {
    targets: [],
    events: [],
    buffer: {
      bytes: 0,
      bytesMax: 1024 ** 3,
      events: 0,
      eventsMax: 1_000_000,
      diskFreeBytes: 50 * 1024 ** 3,
      diskReserveBytes: 1024 ** 3,
      fullInSeconds: null,
      trouble: null,
    },
    pageMax: 1_000,
    handlers: {
      'egress-state': () => ({ buffer: double.buffer, targets: double.targets }),
      'egress-target-act': ({ target: id, act, by }) => {
        const target = double.targets.find((one) => one.id === id);
        if (target === undefined) throw new SluiceError('unknown', 'There is no such target.');
        if (act === 'pause' && target.state === 'paused') throw new SluiceError('conflict', 'It is paused already.');
        if (act === 'pause') Object.assign(target, { state: 'paused', pausedBy: by, pausedAt: AT });
        if (act === 'resume') Object.assign(target, { state: 'open', pausedBy: null, pausedAt: null });
        if (act === 'rehearse') target.rehearsal = rehearsalBy(by);
        return target;
      },
      'egress-events': ({ state, target, cursor, limit, payloads }) => {
        const found = double.events.filter(
          (event) => (state === null || event.state === state) && (target === null || event.target === target),
        );
        const from = Number(cursor ?? 0);
        const to = from + Math.min(limit, double.pageMax);
        const items = found.slice(from, to).map((event) => (payloads ? event : { ...event, payload: null }));
        return { items, next: to < found.length ? String(to) : null };
      },
      'egress-event': ({ event: id, payload }) => {
        const event = double.events.find((one) => one.id === id) ?? null;
        return event === null || payload ? event : { ...event, payload: null };
      },
      'egress-event-act': ({ event: id, act }) => {
        const event = dead(double, id);
        if (act === 'discard') {
          double.events = double.events.filter((one) => one !== event);
          return null;
        }
        Object.assign(event, { state: 'queued', reason: null, diedAt: null });
        const { payload: _payload, tries: _tries, ...answer } = event;
        return answer;
      },
      'egress-edit': ({ event: id, edit }) => {
        const event = dead(double, id);
        if (event.payload) event.payload = { ...event.payload, ...edit, idempotencyKey: `key-of-${id}-edited` };
        return event;
      },
      'egress-import': ({ events }) => {
        const fresh = events.filter(({ id }) => !double.events.some((one) => one.id === id));
        double.events.push(...fresh.map(({ id, payload }) => eventOf(id, { payload })));
        return { imported: fresh.length, skipped: events.length - fresh.length };
      },
    },
  };
  return double;
}

function dead({ events }: EgressDouble, id: string): EgressEventDetail {
  const event = events.find((one) => one.id === id);
  if (event === undefined) throw new SluiceError('unknown', 'There is no such event.');
  if (event.state !== 'dead') throw new SluiceError('conflict', 'It is not a dead letter.');
  return event;
}

function rehearsalBy(by: string): EgressTarget['rehearsal'] {
  return {
    state: 'blocked',
    by,
    startedAt: AT,
    blockedUntil: '2026-03-01T05:01:00.000Z',
    doneAt: null,
    accepted: 0,
    waitedBefore: 0,
    delivered: 0,
    dead: 0,
    waiting: 0,
    backlogMost: 0,
    lost: 0,
    reordered: 0,
    samples: [{ at: AT, waiting: 0 }],
  };
}
