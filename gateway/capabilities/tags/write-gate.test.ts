import { expect, test } from 'vitest';
import { tagDefinition, type TagDefinition } from '#common/model/tag.ts';
import type { WriteLimits } from '#common/model/write-limits.ts';
import { InterlockError } from '#sdk';
import type { Sample } from './contract.ts';
import { clockMs, refuseLate } from './send-before.ts';
import { TagEntry } from './tag-entry.ts';
import { BOUND_MS_MAX, SETTLE_MS_MIN, WriteGate } from './write-gate.ts';

const MODE = 'line7/mode';
const SPEED = 'line7/speed';

function tag(path: string, more: object = {}): TagDefinition {
  const source = { provider: 'opcua', connection: 'plc', nodeId: `ns=2;s=${path}`, samplingInterval: 0.2 };
  return tagDefinition.parse({ path, type: 'number', writable: true, source, ...more });
}

/** Speed with these limits at 100 (null: no value), beside a mode "Remote". */
function world(writeLimits: Partial<WriteLimits>, speed: number | null = 100) {
  const mode = new TagEntry(tag(MODE, { type: 'text' }));
  const entry = new TagEntry(tag(SPEED, { writeLimits }));
  const entries = new Map([mode, entry].map((one) => [one.path, one]));
  const give = (to: TagEntry, value: unknown, more: Partial<Sample> = {}) =>
    to.take({ value, quality: 'good', reason: null, time: Date.now(), ...more });
  give(mode, 'Remote');
  if (speed !== null) give(entry, speed);
  const gate = new WriteGate((path) => entries.get(path));
  const refusal = (value: unknown, nowMs = performance.now()) => {
    try {
      gate.admit(entry, value, [], nowMs);
      return null;
    } catch (error) {
      if (error instanceof InterlockError) return error.refused;
      throw error;
    }
  };
  return { mode, entry, give, gate, refusal, remove: (path: string) => void entries.delete(path) };
}

const REMOTE = { tag: MODE, is: '=', value: 'Remote' } as const;

test('a tag without limits takes every value', () => {
  const entry = new TagEntry(tag(SPEED));
  expect(new WriteGate(() => undefined).admit(entry, 1e9)).toBeNull();
});

test.each([
  [-0.1, 'min', 'at least 0'],
  [0, null, ''],
  [240, null, ''],
  [240.1, 'max', 'at most 240'],
])('0 to 240: %d', (value, limit, expected) => {
  const found = world({ min: 0, max: 240 }).refusal(value);
  if (limit === null) expect(found).toBeNull();
  else expect(found).toEqual({ tag: SPEED, limit, expected, found: String(value), age: null });
});

test('a condition compares value, quality and age, and names what it found', () => {
  const { mode, give, refusal, remove } = world({ onlyWhile: [{ ...REMOTE, maxAge: 2 }] });
  const expected = `${MODE} = "Remote", not older than 2 s`;
  expect(refusal(5)).toBeNull();
  give(mode, 'Local');
  expect(refusal(5)).toEqual({ tag: SPEED, limit: 'onlyWhile', expected, found: `${MODE} = "Local"`, age: 0 });
  give(mode, 'Remote');
  expect(refusal(5, performance.now() + 2_200)).toMatchObject({ found: `${MODE} is too old`, age: 2.2 });
  give(mode, 'Remote', { time: Date.now() + 60_000 });
  expect(refusal(5, performance.now() + 5_000), 'a clock that is ahead').toMatchObject({ found: `${MODE} is too old` });
  give(mode, 'Remote', { time: Date.now() - 60_000 });
  expect(refusal(5), 'an old value that has just arrived').toMatchObject({ age: 60 });
  give(mode, null, { quality: 'bad', reason: 'no answer' });
  expect(refusal(5)).toMatchObject({ found: `${MODE} is bad (no answer)` });
  give(mode, 'Remote', { quality: 'uncertain', reason: 'last usable value' });
  expect(refusal(5)).toMatchObject({ found: `${MODE} is uncertain (last usable value)` });
  mode.lost('the connection ended');
  expect(refusal(5)).toMatchObject({ found: `${MODE} is bad (the connection ended)` });
  remove(MODE);
  expect(refusal(5)).toMatchObject({ found: `${MODE} does not exist`, age: null });
});

test.each([
  ['=', 5, 5, true],
  ['=', 5, 6, false],
  ['=', '5', 5, false],
  ['!=', 5, 6, true],
  ['!=', 5, 5, false],
  ['<', 5, 4.9, true],
  ['<', 5, 5, false],
  ['>', 5, 5.1, true],
  ['>', 5, 5, false],
  ['=', true, false, false],
] as const)('a condition %s %s with the value %s', (is, value, current, holds) => {
  const { entry, refusal } = world({ onlyWhile: [{ tag: 'a', is, value }] });
  const other = new TagEntry(tag('a', { type: typeof current === 'boolean' ? 'boolean' : 'number' }));
  other.take({ value: current, quality: 'good', reason: null, time: Date.now() });
  const gate = new WriteGate(() => other);
  if (holds) expect(() => gate.admit(entry, 1)).not.toThrow();
  else expect(() => gate.admit(entry, 1)).toThrow(InterlockError);
  expect(refusal(1), 'a tag that does not exist').not.toBeNull();
});

test('all conditions must hold', () => {
  const { refusal } = world({ onlyWhile: [REMOTE, { tag: SPEED, is: '<', value: 50 }] });
  expect(refusal(5)).toMatchObject({ expected: `${SPEED} < 50`, found: `${SPEED} = 100` });
});

test('a step counts from the last known and the last written value', () => {
  const { entry, give, refusal } = world({ maxStep: 5 });
  const expected = 'a step of at most 5';
  expect(refusal(105.1)).toEqual({ tag: SPEED, limit: 'maxStep', expected, found: 'from 100 to 105.1', age: null });
  expect(refusal(94)).not.toBeNull();
  expect(refusal(105)).toBeNull();
  expect(refusal(96), 'the device may be at 105 already').toMatchObject({ found: 'from 105 to 96' });
  give(entry, 105);
  expect(refusal(110)).toBeNull();
  expect(refusal(102, performance.now() + SETTLE_MS_MIN + 1), 'the device did not follow').toBeNull();
});

test('a step from an unknown value is refused', () => {
  const { refusal } = world({ maxStep: 5 }, null);
  expect(refusal(5)).toMatchObject({ limit: 'maxStep', found: 'the last value is unknown (there is no value yet)' });
});

test('the limit of writes a second counts only writes that were admitted', () => {
  const { refusal } = world({ perSecond: 2, max: 10 });
  expect([refusal(1, 0), refusal(99, 1)?.limit, refusal(2, 100)]).toEqual([null, 'max', null]);
  expect(refusal(3, 900)).toMatchObject({ limit: 'perSecond', expected: 'at most 2 a second' });
  expect(refusal(3, 1_000)).toBeNull();
  expect(refusal(4, 1_050)).not.toBeNull();
});

test('a write with conditions may be sent for one sampling interval of their tags, and at most BOUND_MS_MAX', () => {
  const { gate, entry } = world({ onlyWhile: [REMOTE] });
  const nowMs = clockMs();
  const until = gate.admit(entry, 5) ?? 0;
  expect(until - nowMs).toBeGreaterThanOrEqual(200);
  expect(until - nowMs).toBeLessThan(BOUND_MS_MAX);
  expect(() => refuseLate(SPEED, until)).not.toThrow();
  expect(() => refuseLate(SPEED, clockMs() - 1)).toThrow(/waited too long/);
});

test('a rehearsed write is refused as the write itself, and is not counted', () => {
  const { entry, gate, refusal } = world({ perSecond: 1, max: 240 });
  const rehearse = (value: unknown) => () => gate.check(entry, value);
  expect(rehearse(120)).not.toThrow();
  expect(rehearse(120)).not.toThrow();
  expect(refusal(120)).toBeNull();
  expect(rehearse(120)).toThrow(InterlockError);
  expect(rehearse(241)).toThrow(InterlockError);
});

test('a tag that stops writes refuses while it is true, or not known', () => {
  const { entry, gate, give } = world({});
  const stopper = new TagEntry(tag('line7/lock', { type: 'boolean', stopsWrites: true }));
  const write = () => gate.admit(entry, 120, [stopper]);
  expect(write).toThrow(expect.objectContaining({ code: 'write_stopped' }));
  give(stopper, true);
  expect(write).toThrow(expect.objectContaining({ code: 'write_stopped' }));
  give(stopper, false);
  expect(write).not.toThrow();
  give(stopper, false, { quality: 'bad', reason: 'lost' });
  expect(write).toThrow(expect.objectContaining({ code: 'write_stopped' }));
});
