import { expect, test } from 'vitest';
import { GATEWAY_SILENT_MS, gatewaySilence, isStale, STALE_MS } from './connection.ts';

test('values are current until nothing was heard for 6 s', () => {
  expect(STALE_MS).toBe(6_000);
  expect(isStale(1_000, 1_000 + STALE_MS - 1)).toBe(false);
  expect(isStale(1_000, 1_000 + STALE_MS)).toBe(true);
});

test('a gateway counts as silent after two heartbeats are missing, and not while there is no process', () => {
  expect(gatewaySilence({ silentMs: GATEWAY_SILENT_MS - 1 })).toBeNull();
  expect(gatewaySilence({ silentMs: 6_500 })).toBe(6);
  expect(gatewaySilence({ silentMs: null })).toBeNull();
});
