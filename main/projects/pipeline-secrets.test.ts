import { expect, test } from 'vitest';
import { pipelineDefinition } from '#common/model/pipeline.ts';
import { bare, clearStart, shownDefinition } from './pipeline-secrets.ts';

/** Another client than the admin UI may save a test with credentials; an earlier release stored them. */
test('a pipeline is stored and shown without the credentials of its saved tests', () => {
  const request = { node: 'in', params: {}, headers: { 'X-Webhook-Token': 'opens it' }, query: '', body: '' };
  const definition = pipelineDefinition.parse({
    id: 'order',
    name: 'Order',
    nodes: [],
    wires: [],
    tests: [{ name: 'Valid order', request, expected: 202 }],
  });
  expect(JSON.stringify(definition)).toContain('opens it');
  const stored = bare(definition);
  expect(stored.tests).toMatchObject([{ request: { headers: { 'X-Webhook-Token': '' } } }]);
  const shown = shownDefinition({ definition, secrets: [] }, { has: () => false });
  expect(shown).toEqual(stored);
});

test('the gateway gets neither saved tests nor notes nor groups', () => {
  const definition = pipelineDefinition.parse({
    id: 'order',
    name: 'Order',
    nodes: [{ id: 'in', kind: 'timer' }],
    notes: [{ id: 'note', text: 'Ask the MES team', position: { x: 0, y: 0 } }],
    groups: [{ id: 'group', title: 'Intake', nodes: ['in'] }],
    tests: [],
  });
  const stored = { project: 'line', revision: 1, definition, secrets: [] };
  expect(shownDefinition(stored, { has: () => false })).toMatchObject({
    notes: [{ text: 'Ask the MES team' }],
    groups: [{ nodes: ['in'] }],
  });
  const started = clearStart(stored, { read: () => null }).definition;
  expect(Object.keys(started).toSorted()).toEqual(['grants', 'id', 'name', 'nodes', 'runAs', 'wires']);
});
