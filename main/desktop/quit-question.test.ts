import { expect, test } from 'vitest';
import type { CallerTraffic } from '#common/model/traffic.ts';
import { ACTIVE_MS, quitQuestion } from './quit-question.ts';
import { wordsFor } from './words.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const words = await wordsFor('en');

function caller(name: string, agoMs: number | null, ip: string | null = '10.0.0.7'): CallerTraffic {
  const lastCallAt = agoMs === null ? null : new Date(NOW - agoMs).toISOString();
  const none = { usualGapSeconds: null, silent: false, calls: 0, refused: 0, refusedCode: null };
  return { keyId: name, project: 'line', name, ip, lastCallAt, ...none };
}

test('names the recent callers, and the response they will get', () => {
  const callers = [caller('MES', 1_000), caller('Old display', ACTIVE_MS + 1), caller('Never', null)];
  const { detail } = quitQuestion({ callers, callsPerSecond: 0.25 }, NOW, words);
  expect(detail).toContain('MES (10.0.0.7)');
  expect(detail).toContain('0.3 calls per second');
  expect(detail).not.toMatch(/Old display|Never/);
});

test('a public route counts if it is called, though its callers have no name', () => {
  expect(quitQuestion({ callers: [], callsPerSecond: 40 }, NOW, words).detail).toBe('Currently 40 calls per second.');
});

test('states that nobody calls, or that the callers are unknown', () => {
  expect(quitQuestion({ callers: [], callsPerSecond: null }, NOW, words).detail).toBe(words.quitNobody);
  expect(quitQuestion(null, NOW, words).detail).toBe(words.quitUnknown);
});

test('its first button, which Enter and Esc press, keeps serving', () => {
  expect(quitQuestion(null, NOW, words).buttons).toEqual(['Keep serving', 'Quit']);
});

test('a long list is cut', () => {
  const callers = Array.from({ length: 9 }, (_, index) => caller(`C${index}`, 1));
  expect(quitQuestion({ callers, callsPerSecond: null }, NOW, words).detail).toMatch(/C5 \(10\.0\.0\.7\), 3 more\.$/);
});
