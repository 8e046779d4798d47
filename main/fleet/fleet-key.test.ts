import { expect, test } from 'vitest';
import type { KeyEntry } from '#common/control/messages.ts';
import { fleetKeyOf } from './fleet-key.ts';

const KEY: KeyEntry = {
  id: 'k',
  hash: '00',
  project: 'line',
  name: 'PLC',
  scopes: [],
  limits: { hours: ['mon-fri 06:00-14:00'] },
  paused: null,
  honey: false,
  revoked: false,
  ofFleet: true,
};
const { ofFleet: _, ...HUB_KEY } = KEY;

test('an edge gets the limits of a key, and no address for a paused one', () => {
  expect(fleetKeyOf(KEY)).toMatchObject({ id: 'k', limits: KEY.limits });
  expect(fleetKeyOf({ ...KEY, paused: 'repair' })?.limits).toEqual({ ...KEY.limits, addresses: [] });
});

test('an edge gets no revoked key, no honey key and no key of the hub alone', () => {
  expect(fleetKeyOf({ ...KEY, revoked: true })).toBeNull();
  expect(fleetKeyOf({ ...KEY, honey: true })).toBeNull();
  expect(fleetKeyOf(HUB_KEY)).toBeNull();
  expect(fleetKeyOf(null)).toBeNull();
});
