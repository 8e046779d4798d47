import { expect, test } from 'vitest';
import type { PipelineRecord } from '#common/model/records.ts';
import { chosenPipelines, rowsByProject } from './pipeline-view.ts';

const pipeline = (project: string, id: string, urlPattern: string, state: PipelineRecord['state'] = 'running') =>
  ({
    project,
    id,
    name: `Does ${id}`,
    state,
    nodes: [
      {
        id: 'in',
        kind: 'rest-api',
        position: { x: 0, y: 0 },
        settings: { mode: 'ingress', method: 'POST', urlPattern },
      },
    ],
  }) as Partial<PipelineRecord> as PipelineRecord;

const list = [
  pipeline('line-7', 'orders', '/api/v1/orders'),
  pipeline('line-7', 'labels', '/api/v1/labels', 'failed'),
  pipeline('line-8', 'orders', '/api/v2/orders'),
];
const names = (filter: { project: string; find: string }) =>
  chosenPipelines(list, filter).map(({ project, id }) => `${project}/${id}`);

test('failed pipelines come first, and the others keep their order', () => {
  expect(names({ project: '', find: ' ' })).toEqual(['line-7/labels', 'line-7/orders', 'line-8/orders']);
});

test('every word must be found in the name, project or route', () => {
  expect(names({ project: '', find: 'orders post' })).toEqual(['line-7/orders', 'line-8/orders']);
  expect(names({ project: '', find: 'V2 orders' })).toEqual(['line-8/orders']);
  expect(names({ project: '', find: 'orders nowhere' })).toEqual([]);
  expect(names({ project: 'line-8', find: '' })).toEqual(['line-8/orders']);
});

test('pipelines are listed under their project, and a project with a failed one comes first', () => {
  const chosen = chosenPipelines(list.toReversed(), { project: '', find: '' });
  const rows = rowsByProject(chosen, [{ id: 'line-7', name: 'Line 7' }]);
  expect(rows.map((row) => (row.kind === 'project' ? row : row.pipeline.id))).toEqual([
    { kind: 'project', id: 'line-7', name: 'Line 7', running: 1, count: 2 },
    'labels',
    'orders',
    { kind: 'project', id: 'line-8', name: 'line-8', running: 1, count: 1 },
    'orders',
  ]);
});
