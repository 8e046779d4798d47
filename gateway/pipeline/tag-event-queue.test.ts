import { expect, test } from 'vitest';
import type { TagValue } from '#common/model/tag.ts';
import { until } from '#test/until.ts';
import { Pace } from '../capabilities/pace.ts';
import { TagEventQueue, VALUES_WAITING_MAX } from './tag-event-queue.ts';

const valueOf = (path: string, value: unknown): TagValue => ({
  path,
  value,
  quality: 'good',
  reason: null,
  time: null,
  unit: '',
});

/** No further runs begin in this turn. */
function useUp(pace: Pace): void {
  pace.run(() => {
    while (pace.free);
  });
}

interface Heard {
  readonly told: TagEventQueue;
  readonly values: (readonly [string, unknown])[];
  readonly complaints: string[];
}

function heard(pace: Pace): Heard {
  const [values, complaints]: [Heard['values'], string[]] = [[], []];
  const told = new TagEventQueue(
    pace,
    ({ path, value }) => values.push([path, value]),
    (message) => complaints.push(message),
  );
  return { told, values, complaints };
}

test('values are reported at once while the turn has time, then later, all and in order up to the limit', async () => {
  const pace = new Pace();
  const { told, values, complaints } = heard(pace);
  told.tell(valueOf('a', 0));
  expect(values).toEqual([['a', 0]]);
  useUp(pace);
  for (let n = 1; n <= VALUES_WAITING_MAX; n++) told.tell(valueOf('a', n));
  expect(values).toHaveLength(1);
  await until('all are reported', () => values.length === VALUES_WAITING_MAX + 1);
  expect(values.map(([, value]) => value)).toEqual(Array.from({ length: VALUES_WAITING_MAX + 1 }, (_, n) => n));
  expect(complaints).toEqual([]);
});

test('beyond the limit the latest value of each tag is kept, and the number of omitted values is reported', async () => {
  const pace = new Pace();
  const { told, values, complaints } = heard(pace);
  useUp(pace);
  told.tell(valueOf('quiet', 7));
  for (let n = 1; n <= VALUES_WAITING_MAX; n++) told.tell(valueOf('loud', n));
  await until('the kept values are reported', () => values.length === 2);
  expect(values).toEqual([
    ['quiet', 7],
    ['loud', VALUES_WAITING_MAX],
  ]);
  expect(complaints).toEqual([expect.stringContaining(`${VALUES_WAITING_MAX - 1} values of tags were left out`)]);
});

test('large values count with their content', async () => {
  const pace = new Pace();
  const { told, values, complaints } = heard(pace);
  useUp(pace);
  for (let n = 0; n < 40; n++) told.tell(valueOf('text', `${n}`.padStart(512 * 1024)));
  await until('the newest is reported', () => values.at(-1)?.[1]?.toString().trim() === '39');
  expect(values.length).toBeLessThan(40);
  expect(complaints).toHaveLength(1);
});
