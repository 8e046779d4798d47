import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RecordOf } from '#common/fleet/records.ts';
import { isOlder, RECORD_BYTES_MAX } from '#common/fleet/records.ts';
import { openRecord, RecordRefused, signerOf, signRecord, trusted } from './envelope.ts';
import { makePair } from './raw-keys.ts';
import { openSealed, sealTo } from './seal.ts';

const pair = makePair('Ed25519');
const signer = signerOf(pair);
const keys = trusted(pair.x);
const FLEET = 'f'.repeat(22);

const revocation = (serial = 1): RecordOf<'revocation'> => ({
  fleet: FLEET,
  term: 1,
  serial,
  keyId: 'abcdefABCDEF',
  at: '2026-11-28T10:00:00.000Z',
  by: 'Größe 1',
});

test('a record is read as it was signed', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 40 }), fc.string({ maxLength: 200 }), (serial, by) => {
      const record = { ...revocation(serial), by };
      expect(openRecord('revocation', signRecord('revocation', record, signer), keys)).toEqual(record);
    }),
  );
});

test('a record with any altered byte is refused', () => {
  const record = signRecord('revocation', revocation(), signer);
  fc.assert(
    fc.property(fc.nat(record.length - 1), fc.integer({ min: 1, max: 255 }), (at, mask) => {
      const altered = Buffer.from(record);
      altered[at] = (altered[at] ?? 0) ^ mask;
      expect(() => openRecord('revocation', altered, keys)).toThrow(RecordRefused);
    }),
    { numRuns: 2_000 },
  );
});

test('a shorter or longer record is refused', () => {
  const record = signRecord('revocation', revocation(), signer);
  for (let length = 0; length < record.length; length++)
    expect(() => openRecord('revocation', record.subarray(0, length), keys)).toThrow(RecordRefused);
  expect(() => openRecord('revocation', Buffer.concat([record, Buffer.of(0)]), keys)).toThrow('another length');
  expect(() => openRecord('revocation', Buffer.alloc(RECORD_BYTES_MAX + 1), keys)).toThrow('longer than 1000000 bytes');
});

test('a record of another kind or signed by another key is refused', () => {
  const ack = signRecord('ack', { fleet: FLEET, edge: 'line-1', serial: 1 }, signer);
  expect(() => openRecord('revocation', ack, keys)).toThrow('of another kind');
  const foreign = signRecord('revocation', revocation(), signerOf(makePair('Ed25519')));
  expect(() => openRecord('revocation', foreign, keys)).toThrow('unknown key');
});

test('a signed record that breaks its schema is refused with the name of the field', () => {
  const wrong = signRecord('revocation', { ...revocation(), serial: 0 }, signer);
  expect(() => openRecord('revocation', wrong, keys)).toThrow('revocation.serial:');
});

test('a record over the limit is not signed', () => {
  const long = { ...revocation(), by: 'x'.repeat(RECORD_BYTES_MAX) };
  expect(() => signRecord('revocation', long, signer)).toThrow('expected at most 1000000');
});

test('only a higher epoch, or a higher term, is newer', () => {
  const have = { term: 2, epoch: 5 };
  expect(isOlder(have, { term: 2, epoch: 6 })).toBe(false);
  expect(isOlder(have, { term: 3, epoch: 1 })).toBe(false);
  expect(isOlder(have, { term: 2, epoch: 5 })).toBe(true);
  expect(isOlder(have, { term: 1, epoch: 9 })).toBe(true);
});

test('sealed bytes are read by their recipient only, and only unaltered', () => {
  const recipient = makePair('X25519');
  const sealed = sealTo(recipient.x, Buffer.from('pepper'));
  expect(openSealed(recipient, sealed).toString()).toBe('pepper');
  expect(() => openSealed(makePair('X25519'), sealed)).toThrow();
  fc.assert(
    fc.property(fc.nat(65), fc.integer({ min: 1, max: 255 }), (at, mask) => {
      const bytes = Buffer.from(sealed, 'base64url');
      bytes[at] = (bytes[at] ?? 0) ^ mask;
      expect(() => openSealed(recipient, bytes.toString('base64url'))).toThrow();
    }),
  );
});
