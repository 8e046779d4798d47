import { expect, test } from 'vitest';
import { type AddressWorld, fewAtOnce, testAddress } from './address-test.ts';

const world = (more: Partial<AddressWorld> = {}): AddressWorld => ({
  cards: () => [
    { card: 'lo', address: '127.0.0.1' },
    { card: 'Line net', address: '10.20.4.12' },
    { card: 'Line net', address: 'fd00::12' },
  ],
  machine: 'edge-fill-02',
  lookup: () => Promise.reject(Object.assign(new Error('not found'), { code: 'ENOTFOUND' })),
  lookupMsMax: 20,
  ...more,
});
const answers = (...addresses: string[]) => world({ lookup: () => Promise.resolve(addresses) });

test.each([
  ['10.20.4.12', world(), true, 'own_address', { address: '10.20.4.12', card: 'Line net' }],
  ['[fd00::12]', world(), true, 'own_address', { card: 'Line net' }],
  ['[FD00:0::0012]', world(), true, 'own_address', { card: 'Line net' }],
  ['[0:0:0:0:0:0:0:1]', world(), null, 'loopback', {}],
  ['10.20.4.13', world(), false, 'other_pc', { address: '10.20.4.13' }],
  ['127.0.0.1', world(), null, 'loopback', {}],
  ['localhost', world(), null, 'loopback', {}],
  ['gateway.line', answers('10.20.4.12'), true, 'own_name', { address: '10.20.4.12' }],
  ['gateway.line', answers('10.9.9.9'), false, 'other_pc', { address: '10.9.9.9' }],
  ['gateway.line', answers('127.0.0.1'), null, 'loopback', {}],
  ['gateway.line', world(), false, 'unknown_name', {}],
  ['EDGE-FILL-02', world(), true, 'own_name', {}],
  ['edge-fill-02', answers('127.0.1.1'), true, 'own_name', {}],
] as const)('%s is judged by its target', async (host, of, ok, code, values) => {
  expect(await testAddress(host, of)).toMatchObject({ check: 'address', ok, code, values: { host, ...values } });
});

test('a name server that does not respond ends in "no answer" instead of waiting', async () => {
  const silent = world({ lookup: () => new Promise(() => {}) });
  expect(await testAddress('gateway.line', silent)).toMatchObject({ ok: null, code: 'no_answer' });
  const none = world({ lookup: () => Promise.reject(Object.assign(new Error('again'), { code: 'EAI_AGAIN' })) });
  expect(await testAddress('gateway.line', none)).toMatchObject({ ok: null, code: 'no_answer' });
  expect(await testAddress('edge-fill-02', silent)).toMatchObject({ ok: true, code: 'own_name' });
});

test('look-ups do not accumulate for a missing name server', async () => {
  const answers: (() => void)[] = [];
  const lookup = fewAtOnce(() => new Promise((resolve) => answers.push(() => resolve(['10.20.4.12']))), 1);
  const of = world({ lookup });
  expect(await testAddress('gateway.line', of)).toMatchObject({ code: 'no_answer' });
  expect(await testAddress('gateway.line', of)).toMatchObject({ code: 'no_answer' });
  expect(answers).toHaveLength(1);
  answers[0]?.();
  await new Promise((resolve) => setImmediate(resolve));
  const next = testAddress('gateway.line', of);
  answers[1]?.();
  expect(await next).toMatchObject({ code: 'own_name' });
});
