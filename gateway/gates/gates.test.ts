import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { AddressSet, sourceAddress } from './address.ts';
import { makeKeyEntry } from './key-entry.testing.ts';
import { KeyRing } from './keys.ts';
import { corsRule, isOwnOrigin, originAllowed } from './origin.ts';
import { SourceBuckets } from './source-buckets.ts';
import { TokenBucket } from './token-bucket.ts';

test('a key that is put again is the same record: runs under way get its limits and its revocation', () => {
  const pepper = randomBytes(32);
  const { value, entry } = makeKeyEntry(pepper);
  const ring = new KeyRing(pepper);
  ring.put(entry);
  const { key } = ring.verify(value);
  ring.put({ ...entry, limits: { addresses: [] } });
  expect(key?.addresses?.has('10.0.0.1')).toBe(false);
  ring.revoke(entry.id);
  expect(key?.revoked).toBe(true);
});

test('a bucket holds max(1, rate) + burst tokens and refills at the rate', () => {
  const bucket = new TokenBucket(2, 3, 0);
  const taken = Array.from({ length: 6 }, () => bucket.take(0));
  expect(taken).toEqual([true, true, true, true, true, false]);
  expect(bucket.take(499)).toBe(false);
  expect(bucket.take(500)).toBe(true);
  expect(bucket.policy).toBe('"route";q=5;w=3');
});

test('the remaining tokens are reported as of now, not as of the last request', () => {
  const bucket = new TokenBucket(1, 0, 0);
  bucket.take(0);
  expect([bucket.state(0), bucket.state(3_000)]).toEqual(['"route";r=0;t=1', '"route";r=1;t=0']);
});

test('seconds stay a number that callers can parse, however low the rate is', () => {
  const bucket = new TokenBucket(1e-300, 0, 0);
  bucket.take(0);
  expect([bucket.policy, bucket.state(0), bucket.secondsUntilNext()]).toEqual([
    '"route";q=1;w=999999999',
    '"route";r=0;t=999999999',
    999_999_999,
  ]);
});

test.each([
  ['https://hmi.local:443', 'https://hmi.local', true],
  ['http://hmi.local:80', 'http://hmi.local', true],
  ['http://hmi.local:443', 'http://hmi.local', false],
  ['http://hmi.local:8080', 'http://hmi.local:8080', true],
  ['http://hmi.local:8080', 'http://hmi.local', false],
])('an allowed origin %s allows %s: %s', (allowed, origin, expected) => {
  const settings = { corsEnabled: true, allowedOrigins: [allowed], method: 'GET', headerWhitelist: [] };
  expect(originAllowed(corsRule(settings), origin)).toBe(expected);
});

test('a rate below one per second still lets one request through and reports the wait', () => {
  const bucket = new TokenBucket(0.1, 0, 0);
  expect([bucket.take(0), bucket.take(0)]).toEqual([true, false]);
  expect(bucket.secondsUntilNext()).toBe(10);
  expect(bucket.take(10_000)).toBe(true);
});

test('a clock that stops or goes back adds no tokens', () => {
  const bucket = new TokenBucket(1, 0, 1000);
  bucket.take(1000);
  expect(bucket.take(500)).toBe(false);
});

test.each([
  [['10.0.0.0/8'], '10.1.2.3', true],
  [['10.0.0.0/8'], '11.0.0.1', false],
  [['192.168.1.7'], '192.168.1.7', true],
  [['fd00::/8'], 'fd12::1', true],
  [['fd00::/8'], '10.0.0.1', false],
  [['::ffff:10.0.0.0/104'], '10.9.9.9', true],
  [['0.0.0.0/0'], '::1', false],
  [['0.0.0.0/0'], 'garbage', false],
])('%j has %s: %s', (ranges, address, expected) => {
  expect(new AddressSet(ranges).has(address)).toBe(expected);
});

test('a range that does not parse is refused instead of matching nothing', () => {
  expect(() => new AddressSet(['10.0.0.0/33'])).toThrow('not an address range');
});

test.each([
  ['no proxy is trusted', [], '10.0.0.1', '1.2.3.4', '10.0.0.1'],
  ['the peer is trusted', ['10.0.0.1'], '10.0.0.1', '1.2.3.4', '1.2.3.4'],
  ['the peer is not trusted', ['10.0.0.1'], '10.0.0.2', '1.2.3.4', '10.0.0.2'],
  ['the nearest untrusted hop counts', ['10.0.0.0/24'], '10.0.0.1', '6.6.6.6, 1.2.3.4, 10.0.0.9', '1.2.3.4'],
  ['a mapped address counts as IPv4', ['10.0.0.1'], '10.0.0.1', '::ffff:1.2.3.4', '1.2.3.4'],
  ['a port behind the address is left out', ['10.0.0.1'], '10.0.0.1', '6.6.6.6, 1.2.3.4:5678', '1.2.3.4'],
  ['so is one behind brackets', ['10.0.0.1'], '10.0.0.1', '[2001:db8::1]:443', '2001:db8::1'],
  ['brackets alone', ['10.0.0.1'], '10.0.0.1', '[2001:db8::1]', '2001:db8::1'],
  ['a hop with a port that is trusted', ['10.0.0.0/24'], '10.0.0.1', '1.2.3.4, 10.0.0.9:80', '1.2.3.4'],
  ['a name with a port is refused', ['10.0.0.1'], '10.0.0.1', 'pc-7:80', null],
  ['garbage from a trusted proxy is refused', ['10.0.0.1'], '10.0.0.1', 'x', null],
] as const)('source address: %s', (_name, trusted, peer, forwarded, expected) => {
  expect(sourceAddress(peer, forwarded, new AddressSet(trusted))).toBe(expected);
});

test.each([
  ['http://10.0.0.5:8090', '10.0.0.5:8090', true],
  ['http://edge-7:8090', 'edge-7:8090', true],
  ['http://localhost:8090', 'localhost:8090', true],
  ['http://[::1]:8090', '[::1]:8090', true],
  ['https://10.0.0.5:8090', '10.0.0.5:8090', false],
  ['http://10.0.0.5:8091', '10.0.0.5:8090', false],
  ['http://evil.example:8090', 'evil.example:8090', false],
  ['null', 'localhost:8090', false],
])('origin %s with Host %s is its own: %s', (origin, host, expected) => {
  expect(isOwnOrigin(origin, 'http', host, new Set(['localhost', 'edge-7']))).toBe(expected);
});

test('buckets of failed callers are per source and route, and their number is limited', () => {
  const buckets = new SourceBuckets(2);
  const first = buckets.bucket('r', '10.0.0.1', 1, 0, 0);
  expect(buckets.bucket('r', '10.0.0.1', 1, 0, 0)).toBe(first);
  expect(buckets.bucket('other', '10.0.0.1', 1, 0, 0)).not.toBe(first);
  buckets.bucket('r', '10.0.0.2', 1, 0, 0);
  expect(buckets.bucket('r', '10.0.0.1', 1, 0, 0)).not.toBe(first);
});

test('one IPv6 /64 is one source', () => {
  const buckets = new SourceBuckets(10);
  expect(buckets.bucket('r', 'fd00::1', 1, 0, 0)).toBe(buckets.bucket('r', 'fd00::2:3', 1, 0, 0));
});

test('a source gets a bucket of the new size when the burst of its route changes', () => {
  const buckets = new SourceBuckets(10);
  buckets.bucket('r', '10.0.0.1', 1, 100, 0);
  expect(buckets.bucket('r', '10.0.0.1', 1, 0, 0).capacity).toBe(1);
});
