import { expect, test } from 'vitest';
import { admin, harness, harnessPerTest } from './use-harness.testing.ts';

harnessPerTest({ project: { id: 'line-7', name: 'Line 7' } });

const HISTORY = '/projects/line-7/tags/history';
const series = {
  tag: 'filler/speed',
  unit: 'l/min',
  points: [{ time: '2026-03-01T06:00:00.000Z', value: 80, quality: 'good' }],
  truncated: false,
};

test('recorded values are readable for users who may view, through the capability broker as for pipelines, with their own limit', async () => {
  harness.gateway.capabilities['historian.query'] = [series];
  const viewer = await harness.personWith(admin, 'view');
  const answer = await viewer.send('POST', HISTORY, { tags: ['filler/speed'], from: 'now-1h' });
  expect(answer.body).toEqual({ items: [series], next: null });
  expect(harness.gateway.calls.at(-1)).toMatchObject({
    call: 'capability',
    args: {
      project: 'line-7',
      name: 'historian.query',
      args: { tags: ['filler/speed'], from: 'now-1h', to: 'now', aggregate: 'raw', interval: 0, limit: 5_000 },
    },
  });
});

test('recorded values are not read without the permission', async () => {
  const nobody = await harness.personWith(admin, 'view_audit');
  expect((await nobody.send('POST', HISTORY, { tags: ['a'], from: 'now-1h' })).status).toBe(403);
});

test.each([
  ['no tag', { tags: [] }, 'tags'],
  ['nine tags', { tags: Array.from({ length: 9 }, (_, index) => `t${index}`) }, 'tags'],
  ['a pattern, which could be any number of tags', { tags: ['filler/*'] }, 'tags.0'],
  ['too many points', { limit: 5_001 }, 'limit'],
  ['an invalid time', { from: 'yesterday' }, 'from'],
  ['an unknown aggregate', { aggregate: 'median' }, 'aggregate'],
])('%s is refused before the gateway is asked', async (_what, more, path) => {
  const calls = harness.gateway.calls.length;
  const answer = await admin.send('POST', HISTORY, { tags: ['a'], from: 'now-1h', ...more });
  expect([answer.status, answer.body['errors']]).toMatchObject([400, [{ path }]]);
  expect(harness.gateway.calls).toHaveLength(calls);
});
