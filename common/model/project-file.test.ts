import { expect, test } from 'vitest';
import { fieldErrors } from './fields.ts';
import { freeId } from './free-id.ts';
import { fileText, pipelineFile, projectFile } from './project-file.ts';

const project = { id: 'line-7', name: 'Line 7' };
const file = (more: object = {}) => ({ sluice: 'project', format: 1, project, ...more });
const errors = (input: unknown) => {
  const { error } = projectFile.safeParse(input);
  return error === undefined ? [] : fieldErrors(error);
};
const plc = { id: 'plc', settings: { kind: 'modbus', host: 'plc' } };
const tag = (path: string, source: object = { provider: 'memory' }) => ({ path, type: 'number', source });

test('a file has defaults for every part, and is the same after printing and reading it again', () => {
  const read = projectFile.parse(file());
  expect(read).toMatchObject({ leftOut: [], connections: [], queries: [], tags: [], scripts: [], pipelines: [] });
  expect(projectFile.parse(JSON.parse(fileText(read)))).toEqual(read);
  expect(fileText(read)).toMatch(/^\{\n {2}"sluice": "project",\n {2}"format": 1,\n/);
});

test('parts are printed in a fixed order, however they were written', () => {
  const { project: last, ...first } = file({ queries: [{ sql: 'SELECT 1', id: 'one' }] });
  expect(fileText(projectFile.parse({ ...first, project: last }))).toBe(
    fileText(projectFile.parse(file({ queries: [{ id: 'one', sql: 'SELECT 1' }] }))),
  );
});

test.each([
  ['another form', file({ format: 2 }), 'format', 'no other form'],
  ['a pipeline', { ...file(), sluice: 'pipeline' }, 'sluice', 'the file of a pipeline'],
  ['something else', {}, 'sluice', 'that Sluice exported'],
  ['an unknown part', file({ keys: [] }), '', 'unknown field "keys"'],
  ['a pipeline twice', file({ pipelines: [1, 2].map(() => ({ id: 'p', name: 'P' })) }), 'pipelines.1.id', 'twice'],
  ['a tag twice', file({ tags: [tag('a'), tag('a')] }), 'tags.1.path', 'twice'],
  [
    'a query on no database',
    file({ connections: [plc], queries: [{ id: 'q', sql: 'SELECT 1', connection: 'plc' }] }),
    'queries.0.connection',
    'to a database',
  ],
  [
    'a tag of a connection of another kind',
    file({ connections: [plc], tags: [tag('a', { provider: 'opcua', connection: 'plc', nodeId: 's=a' })] }),
    'tags.0.source.connection',
    'of the kind opcua',
  ],
  [
    'a bad node',
    file({ pipelines: [{ id: 'p', name: 'P', nodes: [{ id: '' }] }] }),
    'pipelines.0.nodes.0.id',
    '1 to 64',
  ],
])('%s is refused, and the message names the place', (_what, input, path, text) => {
  expect(errors(input)).toContainEqual(expect.objectContaining({ path, message: expect.stringContaining(text) }));
});

test('notes and groups of the canvas are part of the file; a wrong one is refused by its place', () => {
  const notes = [{ id: 'note', text: 'Ask the MES team', position: { x: 20, y: 40 } }];
  const groups = [{ id: 'group', title: 'Intake', nodes: ['in'] }];
  const pipeline = (more: object) => ({ id: 'p', name: 'P', nodes: [{ id: 'in', kind: 'timer' }], ...more });
  const read = projectFile.parse(file({ pipelines: [pipeline({ notes, groups })] }));
  expect(projectFile.parse(JSON.parse(fileText(read))).pipelines[0]).toMatchObject({ notes, groups });
  const twice = errors(file({ pipelines: [pipeline({ notes: [...notes, ...notes] })] }));
  expect(twice).toContainEqual(expect.objectContaining({ path: 'pipelines.0.notes' }));
  const untitled = errors(file({ pipelines: [pipeline({ groups: [{ id: 'g', title: '', nodes: [] }] })] }));
  expect(untitled).toContainEqual(expect.objectContaining({ path: 'pipelines.0.groups.0.title' }));
});

test('reading the file of a project as a pipeline file is refused with this reason', () => {
  const { error } = pipelineFile.safeParse(file());
  expect(error === undefined ? [] : fieldErrors(error)).toContainEqual(
    expect.objectContaining({
      path: 'sluice',
      message: 'expected "pipeline"; this is the file of a project, which is imported as one',
    }),
  );
});

test('a free ID is the ID itself or gets the first free number, and is never too long', () => {
  expect(freeId('a', new Set())).toBe('a');
  expect(freeId('a', new Set(['a', 'a-2']))).toBe('a-3');
  const long = 'x'.repeat(63);
  expect(freeId(long, new Set([long]))).toBe(`${'x'.repeat(61)}-2`);
});
