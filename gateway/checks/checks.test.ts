import { expect, test } from 'vitest';
import { makeKeyEntry } from '../gates/key-entry.testing.ts';
import { REQUESTS_IN_FLIGHT_MAX } from '../http/limits.ts';
import type { RequestContext } from '../http/request-context.ts';
import { takeShares } from '../http/request-shares.ts';
import { checkAddress } from './address.ts';
import { checkDeclaredBody, invalidBody, unreadBody } from './body.ts';
import { checkCapacity } from './capacity.ts';
import { checkKey } from './key.ts';
import { checkOrigin } from './origin.ts';
import { checkFailedKeys, checkRate } from './rate.ts';
import { FLEET_PEPPER, TestGateway, type TestRequest } from './request.testing.ts';
import { checkRights } from './rights.ts';
import { findRoute } from './route.ts';
import { failedRun } from './run-result.ts';
import { checkStillAllowed } from './still-allowed.ts';
import { checkHttp } from './strict-http.ts';

/** Each step on its own; test/service/steps.test.ts checks that the steps are called, and in which order. */

/** A request that has passed the steps before the address. */
function routed(gateway: TestGateway, request?: TestRequest): RequestContext {
  const context = gateway.request(request);
  expect([checkHttp(context), checkCapacity(context), findRoute(context)]).toEqual([null, null, null]);
  return context;
}

function keyed(gateway: TestGateway, value: string, peer = '10.0.0.5'): RequestContext {
  return routed(gateway, { peer, headers: { 'X-API-Key': value } });
}

test.each<[string, TestRequest]>([
  ['the path has a malformed escape', { url: '/orders/%f' }],
  ['the query has a malformed escape', { url: '/orders/7?a=%f' }],
  ['X-Forwarded-For is not a list of addresses', { peer: '127.0.0.1', headers: { 'X-Forwarded-For': 'me' } }],
])('step 0 refuses a request: %s', (cause, request) => {
  const gateway = new TestGateway();
  gateway.context.trustedProxies = { has: () => true } as never;
  expect(checkHttp(gateway.request(request))).toMatchObject({ code: 'bad_request', step: 0, cause });
});

test('step 0 refuses a request while too many are in flight', () => {
  const gateway = new TestGateway();
  gateway.context.inFlight = REQUESTS_IN_FLIGHT_MAX;
  expect(checkCapacity(gateway.request())).toBeNull();
  gateway.context.inFlight += 1;
  expect(checkCapacity(gateway.request())).toMatchObject({ step: 0, cause: 'requests_in_flight' });
});

test('step 1 claims the route that it finds', () => {
  const gateway = new TestGateway();
  const context = routed(gateway);
  expect([context.route, context.values]).toEqual([gateway.pipeline.routes[0], ['7']]);
  expect(gateway.pipeline.claims).toBe(1);
});

test('step 1 names the nearest route of an unknown one, and claims nothing', () => {
  const gateway = new TestGateway();
  const context = gateway.request({ method: 'PUT' });
  checkHttp(context);
  expect(findRoute(context)).toMatchObject({ step: 1, cause: 'method_differs', compared: { accepted: 'GET' } });
  expect([context.near, context.route, gateway.pipeline.claims]).toEqual([gateway.pipeline.routes[0], null, 0]);
});

test('step 2 refuses an address that is not listed', () => {
  const gateway = new TestGateway({ allowedIps: ['10.0.0.0/24'] });
  expect(checkAddress(routed(gateway))).toBeNull();
  const other = routed(gateway, { peer: '10.0.1.5' });
  const compared = { ip: '10.0.1.5', allowedIps: '10.0.0.0/24' };
  expect(checkAddress(other)).toEqual({ code: 'ip_not_allowed', step: 2, cause: 'ip_not_allowed', compared });
});

test('step 3 accepts its own origin, and refuses others while CORS is off', () => {
  const gateway = new TestGateway();
  expect(checkOrigin(routed(gateway, { headers: { Origin: 'http://sluice.local' } }))).toBeNull();
  const foreign = checkOrigin(routed(gateway, { headers: { Origin: 'http://evil.test' } }));
  expect(foreign).toMatchObject({ step: 3, compared: { origin: 'http://evil.test', allowedOrigins: 'CORS is off' } });
});

test('step 4 accepts a key, and records it on its connection', () => {
  const gateway = new TestGateway();
  const { id, value } = gateway.addKey();
  const context = keyed(gateway, value);
  expect(checkKey(context)).toBeNull();
  expect([context.key?.id, context.connection.keyed]).toEqual([id, true]);
});

test('step 4 names a revoked key, and gives it no rights', () => {
  const gateway = new TestGateway();
  const { id, value } = gateway.addKey({ revoked: true });
  const context = keyed(gateway, value);
  expect(checkKey(context)).toMatchObject({ step: 4, cause: 'key_revoked', compared: { keyId: id } });
  expect([context.key, context.refusedKey?.id, context.connection.keyed]).toEqual([null, id, false]);
});

test('step 4 refuses a request without a key', () => {
  expect(checkKey(routed(new TestGateway()))).toMatchObject({ step: 4, cause: 'key_missing' });
});

test.each([
  ['of another project', { project: 'other' }, 'key_wrong_project'],
  ['without a scope of the route', { scopes: ['tag:write' as const] }, 'scope_missing'],
])('step 5 refuses a key %s', (_name, key, cause) => {
  const gateway = new TestGateway({ requiredScopes: ['tag:read'] });
  const context = keyed(gateway, gateway.addKey(key).value);
  expect(checkKey(context)).toBeNull();
  expect(checkRights(context)).toMatchObject({ step: 5, cause });
});

test.each([
  ['10.0.0.5', ['10.0.0.0/8'], true],
  ['10.0.0.5', ['11.0.0.1', 'fd00::/8'], false],
  ['10.0.0.5', ['::ffff:10.0.0.5'], true],
  ['10.0.0.5', [], false],
])('steps 5 and 9 check the address %s against %j of the key', (peer, addresses, passes) => {
  const gateway = new TestGateway();
  const { id, value } = gateway.addKey({ limits: { addresses } });
  const context = keyed(gateway, value, peer);
  expect(checkKey(context)).toBeNull();
  const refusal = { step: 5, cause: 'address_not_allowed', compared: { ip: context.ip } };
  if (passes) expect(checkRights(context)).toBeNull();
  else expect(checkRights(context)).toMatchObject(refusal);
  gateway.context.keys.limit(id, { addresses: ['192.0.2.1'] });
  expect(checkStillAllowed(context)).toMatchObject({ ...refusal, step: 9 });
});

test('an invalid key learns nothing about the addresses of a key', () => {
  const gateway = new TestGateway();
  const { value } = gateway.addKey({ limits: { addresses: [] } });
  const forged = new TestGateway().addKey().value;
  expect(value).not.toBe(forged);
  expect(checkKey(keyed(gateway, forged))).toMatchObject({ cause: 'key_unknown' });
});

test('step 6 refuses calls above the rate', () => {
  const gateway = new TestGateway({ rateLimit: 1 });
  expect(checkRate(routed(gateway))).toBeNull();
  expect(checkRate(routed(gateway))).toMatchObject({ step: 6, cause: 'rate_limited', compared: { rate: 1, burst: 0 } });
});

test('step 6 counts failed keys by source, separately from the calls of the route', () => {
  const gateway = new TestGateway({ rateLimit: 1 });
  expect(checkFailedKeys(routed(gateway))).toBeNull();
  expect(checkFailedKeys(routed(gateway))).toMatchObject({ step: 6, cause: 'too_many_failed_keys' });
  expect(checkFailedKeys(routed(gateway, { peer: '10.9.0.5' }))).toBeNull();
  expect(checkRate(routed(gateway))).toBeNull();
});

test('step 6 refuses a caller who has used up its share of the runs', () => {
  const gateway = new TestGateway();
  const first = keyed(gateway, gateway.addKey().value);
  checkKey(first);
  expect(takeShares(first, 6)).toBeNull();
  const { runs } = gateway.context.shares;
  for (let taken = runs.held(first.holder as never); taken < runs.ofHolder; taken++)
    runs.take(first.holder as never, 1);
  const second = keyed(gateway, '');
  second.key = first.key;
  expect(takeShares(second, 6)).toMatchObject({ step: 6, cause: 'share_of_runs', compared: { limit: runs.ofHolder } });
});

test('step 7 refuses a content coding, and leaves a body that is too large to the reader', () => {
  const gateway = new TestGateway({ maxPayloadSize: 10 });
  const body = (bytes: number, more = {}) => routed(gateway, { headers: { 'Content-Length': `${bytes}`, ...more } });
  expect(checkDeclaredBody(body(10))).toBeNull();
  expect(checkDeclaredBody(body(11))).toBeNull();
  expect(checkDeclaredBody(body(10, { 'Content-Encoding': 'gzip' }))).toMatchObject({ cause: 'content_coding' });
});

test('a body that is too large is refused at step 7 if its length was declared, else at step 8', () => {
  const gateway = new TestGateway({ maxPayloadSize: 10 });
  const declared = routed(gateway, { headers: { 'Content-Length': '50' } });
  const chunked = routed(gateway, { headers: { 'Transfer-Encoding': 'chunked' } });
  expect(unreadBody(declared, 'too_large', { received: 20 })).toMatchObject({ step: 7, compared: { bodyBytes: 50 } });
  expect(unreadBody(chunked, 'too_large', { received: 20 })).toMatchObject({ step: 8, compared: { bodyBytes: 20 } });
});

test('step 8 names the position of an error in the body', () => {
  const cause = 'the body is not JSON';
  const fault = { ok: false, code: 'body_invalid', cause, at: 'line 3, column 1' } as const;
  const refusal = invalidBody(routed(new TestGateway()), fault);
  expect(refusal).toMatchObject({ step: 8, cause, compared: { at: 'line 3, column 1' } });
  expect(refusal.detail).toContain('the body is not JSON, from line 3, column 1 on.');
});

test('step 9 refuses a key that was revoked since the head arrived', () => {
  const gateway = new TestGateway();
  const { id, value } = gateway.addKey();
  const context = keyed(gateway, value);
  checkKey(context);
  expect(checkStillAllowed(context)).toBeNull();
  gateway.context.keys.revoke(id);
  expect(checkStillAllowed(context)).toMatchObject({ step: 9, cause: 'key_revoked', compared: { keyId: id } });
});

test('step 9 refuses while keys are unconfirmed, and checks for a stopped pipeline first', () => {
  const gateway = new TestGateway();
  const context = keyed(gateway, gateway.addKey().value);
  checkKey(context);
  gateway.context.keys.refuseAll = true;
  expect(checkStillAllowed(context)).toMatchObject({ step: 9, cause: 'keys_unconfirmed' });
  gateway.pipeline.stopped = true;
  expect(checkStillAllowed(context)).toMatchObject({ step: 9, cause: 'pipeline_stopped' });
});

test('keys of the fleet have their own pepper, and are refused alone while an edge takes up revocations', () => {
  const gateway = new TestGateway();
  const own = gateway.addKey();
  const { value, entry } = makeKeyEntry(FLEET_PEPPER, { name: 'PLC' });
  gateway.context.keys.put({ ...entry, ofFleet: true });
  const context = keyed(gateway, value);
  expect(checkKey(context)).toBeNull();
  gateway.context.keys.refuseFleet = true;
  expect(checkStillAllowed(context)).toMatchObject({ step: 9, cause: 'fleet_returning', code: 'overloaded' });
  expect(checkKey(keyed(gateway, value))).toMatchObject({ step: 4, cause: 'fleet_returning', code: 'overloaded' });
  expect(checkKey(keyed(gateway, own.value))).toBeNull();
  // The same hash under the pepper of the machine matches nothing.
  gateway.context.keys.put(entry);
  expect(checkKey(keyed(gateway, value))).toMatchObject({ cause: 'key_unknown' });
});

test('step 10 distinguishes a stopped pipeline from a stopped gateway', () => {
  const gateway = new TestGateway();
  const context = routed(gateway);
  expect(failedRun(context, { kind: 'cancelled' })).toMatchObject({ step: 10, cause: 'run_cancelled' });
  gateway.context.draining = true;
  expect(failedRun(context, { kind: 'cancelled' })).toMatchObject({ step: 10, cause: 'gateway_stopped' });
});

test('step 10 says which scopes a run lacked, and whose rights it had', () => {
  const gateway = new TestGateway();
  const context = keyed(gateway, gateway.addKey({ scopes: ['tag:read'] }).value);
  checkKey(context);
  const failed = {
    kind: 'failed',
    code: 'scope_missing',
    cause: 'no',
    nodeCode: '',
    node: 'write',
    limit: null,
    refusedWrite: null,
  } as const;
  const refusal = failedRun(context, { ...failed, missing: ['tag:write'] });
  expect(refusal.compared).toMatchObject({ missing: 'tag:write', rights: 'key', held: 'tag:read', revoked: false });
});
