import { expect, test } from 'vitest';
import { createLogger } from '#common/node/log.ts';
import { closeInTime } from './close-in-time.ts';

const never = () => new Promise<void>(() => {});

function recorded() {
  const told: string[] = [];
  const lines: Record<string, unknown>[] = [];
  const log = createLogger('gateway', (line) => void lines.push(JSON.parse(line) as Record<string, unknown>));
  const part = (name: string) => async () => void told.push(name);
  return { told, lines, log, part };
}

test('groups close one after the other', async () => {
  const { told, lines, log, part } = recorded();
  const slow = async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    told.push('a');
  };
  await closeInTime(5_000, [{ a: slow, b: part('b') }, { c: part('c') }], log);
  expect(told).toEqual(['b', 'a', 'c']);
  expect(lines).toEqual([]);
});

test('a group that does not close is abandoned and named, with the groups after it', async () => {
  const { told, lines, log, part } = recorded();
  await closeInTime(30, [{ a: never, b: part('b') }, { c: part('c') }], log);
  expect(told).toEqual(['b']);
  expect(lines).toMatchObject([{ level: 'warn', open: ['a', 'c'], afterMs: 30 }]);
});

test('a group that fails to close does not keep the others from closing', async () => {
  const { told, lines, log, part } = recorded();
  const fails = () => Promise.reject(new Error('the disk is gone'));
  await closeInTime(5_000, [{ a: fails }, { b: part('b') }], log);
  expect(told).toEqual(['b']);
  expect(lines).toMatchObject([{ level: 'error', part: 'a', reason: 'the disk is gone' }]);
});
