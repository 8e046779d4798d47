import { expect, test } from 'vitest';
import type { PipelineRecord } from '#common/model/records.ts';
import { definitionOf } from '#api/pipeline-queries.ts';
import { headerNames, tokenPlaces, withToken } from './token-places.ts';

const TARGET = 'https://mes.example:443';
const node = (id: string, url: string, staticHeaders: Record<string, unknown>) => ({
  id,
  kind: 'rest-api',
  position: { x: 0, y: 0 },
  settings: { mode: 'egress', url, staticHeaders },
});
const pipeline = (id: string, more: Partial<PipelineRecord> = {}): PipelineRecord => ({
  project: 'line',
  id,
  name: id,
  runAs: 'caller',
  grants: [],
  nodes: [
    node('mes', 'https://mes.example/orders', { 'X-Site': { set: true }, Authorization: { set: true } }),
    node('erp', 'https://erp.example/', { Authorization: { set: true } }),
  ],
  wires: [],
  revision: 4,
  runningRevision: 4,
  state: 'running',
  runningSince: null,
  triggerFaults: [],
  errorsWith200: [],
  approvedRevision: null,
  updatedAt: '',
  updatedBy: '',
  ...more,
});

test('the token of a target is in the headers of the nodes that call it, Authorization first', () => {
  const { places, blocked } = tokenPlaces(TARGET, [pipeline('orders')]);
  expect(places.map(({ node: id, header }) => `${id} ${header}`)).toEqual(['mes X-Site', 'mes Authorization']);
  expect(headerNames(places)).toEqual(['Authorization', 'X-Site']);
  expect(blocked).toEqual([]);
});

test('a pipeline whose draft differs from its running revision is unchanged', () => {
  const drawn = pipeline('drawn', { revision: 5 });
  const stopped = pipeline('stopped', { runningRevision: null });
  const { places, blocked } = tokenPlaces(TARGET, [drawn, stopped]);
  expect(places).toEqual([]);
  expect(blocked.map(({ id }) => id)).toEqual(['drawn', 'stopped']);
});

test('a new token changes that header of those nodes, and keeps every other secret', () => {
  const { nodes } = withToken(definitionOf(pipeline('orders')), ['mes'], 'Authorization', 'Bearer new');
  expect(nodes.map(({ settings }) => settings['staticHeaders'])).toEqual([
    { 'X-Site': { set: true }, Authorization: 'Bearer new' },
    { Authorization: { set: true } },
  ]);
});

test('header names are compared in any case, and each node keeps its spelling', () => {
  const mixed = pipeline('mixed', {
    nodes: [
      node('first', 'https://mes.example/a', { Authorization: { set: true } }),
      node('second', 'https://mes.example/b', { authorization: { set: true }, 'X-Site': { set: true } }),
    ],
  });
  expect(headerNames(tokenPlaces(TARGET, [mixed]).places)).toEqual(['Authorization', 'X-Site']);
  const { nodes } = withToken(definitionOf(mixed), ['first', 'second'], 'Authorization', 'Bearer new');
  expect(nodes.map(({ settings }) => settings['staticHeaders'])).toEqual([
    { Authorization: 'Bearer new' },
    { authorization: 'Bearer new', 'X-Site': { set: true } },
  ]);
});
