import { MessageChannel } from 'node:worker_threads';
import { afterAll, expect, test } from 'vitest';
import { PlantClock } from '#common/limits/plant-clock.ts';
import type { AuditRow } from '#common/model/audit.ts';
import { routeSettings } from '#common/model/route-settings.ts';
import { settingsSchema } from '#common/model/settings.ts';
import { grantsPrincipal } from '../capabilities/principal.ts';
import { AddressSet } from '../gates/address.ts';
import { KeyWatch } from '../gates/key-watch.ts';
import { KeyRing } from '../gates/keys.ts';
import { SourceBuckets } from '../gates/source-buckets.ts';
import type { Journal } from '../journal/contract.ts';
import type { CompiledPipeline, Entry } from '../pipeline/contract.ts';
import { liveRoutes, type RunningPipeline } from '../routing/live-route.ts';
import { RoutingTable } from '../routing/table.ts';
import { Traffic } from '../traffic/traffic.ts';
import { CALLER_CAPS, callerShares } from './callers-shares.ts';
import type { GatewayContext } from './gateway-context.ts';
import { BodyLane } from './body-lane.ts';
import { HeapWatermark } from './heap-watermark.ts';
import { PacedRefusals } from './paced-refusals.ts';
import { Pressure } from './pressure.ts';
import { RecentRefusals } from './recent-refusals.ts';
import { RequestIds } from './request-ids.ts';
import { MessageBatch } from './threads/message-batch.ts';
import { RemoteConnection } from './threads/remote-connection.ts';
import { UnsentReplies } from './unsent-replies.ts';

/**
 * A connection of an HTTP thread that is ended in favour of another caller while further messages about it are in
 * transit. The test is the thread, the journal is a list.
 */
const { port1, port2 } = new MessageChannel();
afterAll(() => void [port1, port2].map((port) => port.close()));

function core() {
  let runs = 0;
  const rows: AuditRow[] = [];
  const entry: Entry = {
    node: 'in',
    settings: routeSettings.parse({ mode: 'ingress', method: 'POST', urlPattern: '/take', authType: 'none' }),
    start(_message, _rights, { done, over }) {
      runs += 1;
      over?.();
      done({
        kind: 'reply',
        reply: { status: 200, contentType: 'text/plain', headers: {}, body: 'taken', errorWith200: false },
        undelivered: false,
        rehearsed: null,
      });
    },
  };
  const grants = grantsPrincipal(0);
  const compiled = { project: 'line-1', id: 'take', grants, runAs: 'caller' as const, entries: [entry] };
  const owner: RunningPipeline = {
    compiled: compiled satisfies Partial<CompiledPipeline> as unknown as CompiledPipeline,
    routes: [],
    claims: 0,
    stopped: false,
    onIdle: null,
  };
  owner.routes = liveRoutes(owner, new Map(), 0);
  const table = new RoutingTable();
  table.put('line-1/take', owner);
  const journal: Partial<Journal> = {
    refuse(row, _foldKey, done) {
      rows.push(row);
      done(true);
    },
  };
  const edge: GatewayContext = {
    table,
    keys: new KeyRing(Buffer.alloc(32)),
    keyWatch: new KeyWatch(() => undefined),
    journal: journal as Journal,
    sourceBuckets: new SourceBuckets(1),
    ids: new RequestIds(),
    traffic: new Traffic('test'),
    recentRefusals: new RecentRefusals(),
    unsentReplies: new UnsentReplies(),
    heap: new HeapWatermark(),
    bodyLane: new BodyLane(),
    pressure: new Pressure(),
    pacedRefusals: new PacedRefusals(),
    pacedLongRefusals: new PacedRefusals(),
    settings: settingsSchema.parse({}),
    trustedProxies: new AddressSet([]),
    ownNames: new Set(),
    health: { live: null, ready: null },
    clock: new PlantClock('UTC'),
    certificateEnd: null,
    draining: false,
    graceOver: false,
    inFlight: 0,
    shares: callerShares(),
    onHeapFull: () => undefined,
    onRow: () => undefined,
    onRefused() {},
    onErrorWith200() {},
  };
  const outbox = new MessageBatch(port1, process.nextTick);
  const connection = new RemoteConnection(edge, outbox, { number: 1, peer: '127.0.0.1', scheme: 'http' });
  return { edge, owner, connection, rows, runs: () => runs };
}

const HEADERS = ['Host', 'a', 'Content-Type', 'application/json', 'Content-Length', '2'];
const ask = (connection: RemoteConnection) => connection.request(0, ['POST', '/take', '1.1'], HEADERS);
const left = ({ claims }: RunningPipeline, { inFlight, shares }: GatewayContext) => ({
  claims,
  inFlight,
  used: CALLER_CAPS.map((cap) => shares[cap].used),
});
const NOTHING = { claims: 0, inFlight: 0, used: [0, 0, 0, 0] };

test('a request whose connection was closed for another caller does not run when its body arrives later', () => {
  const { edge, owner, connection, rows, runs } = core();
  ask(connection);
  connection.body(Buffer.from('{'));
  expect(connection.waits).toBe(true);
  connection.makeRoom();
  expect(left(owner, edge)).toEqual(NOTHING);
  connection.body(Buffer.from('}'));
  connection.bodyEnded(false);
  ask(connection);
  expect(runs()).toBe(0);
  // Its thread has ended the socket.
  connection.callerGone();
  expect(left(owner, edge)).toEqual(NOTHING);
  expect(rows.map(({ why }) => why?.cause)).toEqual(['made_room']);
});

test('a reply that its caller has not read ends once when its connection is closed for another caller', () => {
  const { edge, owner, connection, rows, runs } = core();
  ask(connection);
  connection.body(Buffer.from('{}'));
  connection.bodyEnded(false);
  expect(runs()).toBe(1);
  connection.replyHeld(1);
  connection.makeRoom();
  expect(left(owner, edge)).toEqual(NOTHING);
  connection.replied(false);
  connection.callerGone();
  expect(left(owner, edge)).toEqual(NOTHING);
  expect(rows.map(({ why }) => why?.cause)).toEqual(['made_room']);
});
