import { expect, test } from 'vitest';
import { wireOf } from '#common/model/wire-text.ts';
import { draftOf, KINDS } from './kinds.testing.ts';
import { nextOut, wireFault } from './wiring.ts';

const DRAFT = draftOf(['timer', 'validate', 'reply', 'strange'], ['timer out validate', 'validate out reply']);
const fault = (wire: string) => wireFault(DRAFT, wireOf(wire), KINDS);

test('an invalid wire is refused with its reason', () => {
  expect(fault('gone out reply')).toBe('noSuchNode');
  expect(fault('validate out validate')).toBe('itself');
  expect(fault('validate invalid timer')).toBe('takesNothing');
  expect(fault('validate nowhere reply')).toBe('noSuchPort');
  expect(fault('timer error reply')).toBe('noSuchPort');
  expect(fault('validate out reply')).toBe('twice');
});

test('loops, error wires and nodes of missing kinds are allowed', () => {
  expect(fault('validate error reply')).toBeNull();
  expect(fault('timer out strange')).toBeNull();
  expect(fault('strange whatever reply')).toBeNull();
  const loop = draftOf(['validate', 'switch'], ['validate out switch']);
  expect(wireFault(loop, wireOf('switch otherwise validate'), KINDS)).toBeNull();
});

test('the next port is the first free one, otherwise the first', () => {
  expect(nextOut(DRAFT, 'validate', KINDS)).toBe('invalid');
  expect(nextOut(DRAFT, 'timer', KINDS)).toBe('out');
  expect(nextOut(DRAFT, 'reply', KINDS)).toBeNull();
});
