import { expect, test } from 'vitest';
import { READ_ONLY_PIPELINE_FIELDS as FROM_MODEL } from '#common/model/pipeline.ts';
import { definitionText, parseDefinition } from './definition-text.ts';
import { READ_ONLY_PIPELINE_FIELDS } from './read-only-fields.ts';

test('the list of read-only fields is the same as in the model', () => {
  expect(READ_ONLY_PIPELINE_FIELDS).toEqual(FROM_MODEL);
});

test('the text to edit leaves out what Sluice keeps itself and keeps the rest', () => {
  const record = {
    id: 'a',
    name: 'A',
    nodes: [],
    project: 'p',
    revision: 3,
    state: 'running',
    runningRevision: 2,
    runningSince: 't',
    approvedRevision: 1,
    updatedAt: 't',
    updatedBy: 'u',
  };
  expect(JSON.parse(definitionText(record))).toEqual({ id: 'a', name: 'A', nodes: [] });
});

test('a text that is not JSON is answered with the reason', () => {
  const parsed = parseDefinition('{ "id": ');
  expect(parsed.ok).toBe(false);
  expect(parsed.ok ? '' : parsed.reason).toMatch(/JSON/);
});
