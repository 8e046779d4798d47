import { expect, test } from 'vitest';
import { edgeState } from './edge-state.ts';

const edge = {
  contact: 'connected',
  phase: 'settled',
  have: { term: 1, epoch: 2, serial: 0 },
  epoch: 2,
} satisfies Parameters<typeof edgeState>[0];

test('the state of an edge names the most important thing about it', () => {
  expect(edgeState(edge)).toBe('connected');
  expect(edgeState({ ...edge, epoch: 3 })).toBe('expecting');
  expect(edgeState({ ...edge, epoch: 3, phase: 'refused' })).toBe('refused');
  expect(edgeState({ ...edge, phase: 'returning' })).toBe('returning');
  expect(edgeState({ ...edge, contact: 'cut off', phase: 'refused' })).toBe('cutOff');
  expect(edgeState({ contact: 'never', phase: null, have: null, epoch: 1 })).toBe('never');
});
