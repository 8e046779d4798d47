import { expect, test } from 'vitest';
import { GATEWAY_SILENT_MS, gatewaySilence, isStale, STALE_MS } from './connection.ts';

test('values are current until 6 s pass without an event', () => {
  expect(STALE_MS).toBe(6_000);
  expect(isStale(1_000, 1_000 + STALE_MS - 1)).toBe(false);
  expect(isStale(1_000, 1_000 + STALE_MS)).toBe(true);
});

test('a gateway counts as silent after two missed heartbeats, but not while it has no process', () => {
  expect(gatewaySilence({ silentMs: GATEWAY_SILENT_MS - 1 })).toBeNull();
  expect(gatewaySilence({ silentMs: 6_500 })).toBe(6);
  expect(gatewaySilence({ silentMs: null })).toBeNull();
});
