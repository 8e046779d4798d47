import { expect, test } from 'vitest';
import { usersOf, usersOfTag } from './users.ts';

const pipeline = (id: string, settings: Record<string, unknown>, project = 'p') => ({
  id,
  name: id.toUpperCase(),
  project,
  state: 'running' as const,
  nodes: [{ id: 'n', kind: 'any', position: { x: 0, y: 0 }, settings }],
});
const ids = (users: { id: string }[]) => users.map(({ id }) => id);

test('a tag is found where a node uses it by path, in a list, by a pattern or in a script', () => {
  const pipelines = [
    pipeline('path', { tags: ['x', 'line7/filler/speed'] }),
    pipeline('list', { tags: 'a, line7/filler/speed' }),
    pipeline('pattern', { tags: ['line7/**'] }),
    pipeline('write', { writes: [{ tag: 'line7/filler/speed', value: 1 }] }),
    pipeline('script', { code: "await tags.read('line7/filler/speed')" }),
    pipeline('other', { tags: ['line7/filler/speed2', 'line8/**'] }),
    pipeline('elsewhere', { tags: ['line7/**'] }, 'q'),
  ];
  expect(ids(usersOfTag(pipelines, 'p', 'line7/filler/speed'))).toEqual(['path', 'list', 'pattern', 'write', 'script']);
});

test('a query is found in a node that names it and in a script that quotes it', () => {
  const pipelines = [
    pipeline('node', { query: 'orders' }),
    pipeline('script', { code: 'await db.query("orders", {})' }),
    pipeline('text', { note: 'orders of today' }),
  ];
  expect(usersOf(pipelines, 'p', 'query', 'orders')).toEqual([
    { id: 'node', name: 'NODE', running: true },
    { id: 'script', name: 'SCRIPT', running: true },
  ]);
});
