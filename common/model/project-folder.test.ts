import { expect, test } from 'vitest';
import { SluiceError } from '../errors/catalogue.ts';
import { projectFile, type ProjectFile } from './project-file.ts';
import { folderOf, readFolder } from './project-folder.ts';

const code = 'export default (msg) => {\n  return msg.payload;\n};\n';
const tag = (path: string) => ({
  path,
  type: 'number',
  source: { provider: 'memory' },
  writeLimits: { max: 240, maxStep: 5, onlyWhile: [{ tag: 'line/mode', is: '=', value: 'Remote', maxAge: 2 }] },
});
const node = (id: string, settings: object, kind = 'transform') => ({ id, kind, settings });
const file = (more: object = {}): ProjectFile =>
  projectFile.parse({
    sluice: 'project',
    format: 1,
    project: { id: 'line-7', name: 'Line 7' },
    leftOut: [{ connection: 'erp', field: 'password' }],
    connections: [{ id: 'erp', settings: { kind: 'postgresql', host: 'erp', database: 'orders', user: 'sluice' } }],
    queries: [{ id: 'orders', sql: 'SELECT 1', connection: 'erp' }],
    scripts: [{ id: 'total', code }],
    tags: [tag('line/speed'), tag('Line/count'), tag('con/a'), tag('alone')],
    pipelines: [
      {
        id: 'report',
        name: 'Report',
        nodes: [node('calc', { code, deadline: 2 }), node('q', { sql: 'SELECT 2' }, 'sql')],
      },
    ],
    ...more,
  });
const errorsOf = (files: ReadonlyMap<string, string>): string[] => {
  try {
    readFolder(files);
  } catch (error) {
    if (error instanceof SluiceError) return (error.errors ?? []).map(({ path, message }) => `${path}: ${message}`);
  }
  return [];
};
const changed = (path: string, content: string | null) => {
  const files = folderOf(file());
  if (content === null) files.delete(path);
  else files.set(path, content);
  return files;
};

test('a project is one file for each definition, with code and SQL beside their settings', () => {
  const files = folderOf(file());
  expect([...files.keys()].toSorted()).toEqual([
    'connections/erp.json',
    'pipelines/report.calc.js',
    'pipelines/report.json',
    'pipelines/report.q.sql',
    'queries/orders.json',
    'queries/orders.sql',
    'scripts/total.js',
    'scripts/total.json',
    'sluice.json',
    'tags/_con.json',
    'tags/alone.json',
    'tags/line.json',
  ]);
  expect(files.get('queries/orders.sql')).toBe('SELECT 1\n');
  expect(files.get('pipelines/report.json')).toContain('"code": {\n          "file": "report.calc.js"\n        }');
});

test('reading a folder gives the same project, and writing it again the same files', () => {
  const files = folderOf(file());
  const read = readFolder(files).file;
  const { tags } = file();
  expect({ ...read, tags: null }).toEqual({ ...file(), leftOut: [], tags: null });
  expect(new Set(read.tags)).toEqual(new Set(tags));
  expect([...folderOf(read)]).toEqual([...files]);
});

test.each([
  ['no line break at the end', 'a'],
  ['two', 'a\n\n'],
  ['a carriage return, which stays inside', 'a\r\nb'],
])('a text with %s is kept exactly', (_what, text) => {
  const pipelines = [{ id: 'p', name: 'P', nodes: [node('calc', { code: text, deadline: 1 })] }];
  const wanted = file({ pipelines, scripts: [{ id: 's', code: text }] });
  const read = readFolder(folderOf(wanted)).file;
  expect(JSON.stringify([read.pipelines, read.scripts])).toBe(JSON.stringify([wanted.pipelines, wanted.scripts]));
});

test('ids of nodes that differ in case only do not share a file', () => {
  const pipelines = [{ id: 'p', name: 'P', nodes: [node('calc', { code: 'one' }), node('Calc', { code: 'two' })] }];
  const wanted = file({ pipelines });
  const files = folderOf(wanted);
  expect(new Set([...files.keys()].map((path) => path.toLowerCase())).size).toBe(files.size);
  expect(readFolder(files).file.pipelines).toEqual(wanted.pipelines);
});

test('notes and groups of the canvas are in the file of their pipeline, and are read again', () => {
  const notes = [{ id: 'note', text: 'Ask the MES team\nbefore a change', position: { x: 20, y: 40 } }];
  const groups = [{ id: 'group', title: 'Intake', nodes: ['calc'] }];
  const wanted = file({ pipelines: [{ id: 'p', name: 'P', nodes: [node('calc', { code: 'one' })], notes, groups }] });
  const files = folderOf(wanted);
  expect(JSON.parse(files.get('pipelines/p.json') ?? '')).toMatchObject({ notes, groups });
  expect(readFolder(files).file.pipelines).toEqual(wanted.pipelines);
  files.set('pipelines/p.json', '{"id":"p","name":"P","notes":[{"id":"n","text":"","position":{"x":0,"y":0}}]}');
  files.delete('pipelines/p.calc.js');
  expect(errorsOf(files)).toContainEqual(expect.stringContaining('pipelines/p.json: notes.0.text: expected'));
});

test('line ends that Git converted make no difference', () => {
  const files = new Map([...folderOf(file())].map(([path, text]) => [path, text.replaceAll('\n', '\r\n')]));
  expect(readFolder(files).file).toEqual(readFolder(folderOf(file())).file);
});

test('a change of one field is a difference of at most 10 lines in one file', () => {
  const before = file();
  const [pipeline] = before.pipelines;
  const settings = { code, deadline: 3 };
  const pipelines = [{ ...pipeline, nodes: [{ ...pipeline?.nodes[0], settings }, pipeline?.nodes[1]] }];
  const [old, now] = [folderOf(before), folderOf(file({ pipelines }))];
  const differing = [...now].filter(([path, text]) => old.get(path) !== text).map(([path]) => path);
  expect(differing).toEqual(['pipelines/report.json']);
  const lines = (files: Map<string, string>) => files.get('pipelines/report.json')?.split('\n') ?? [];
  expect(lines(now).filter((line, index) => line !== lines(old)[index])).toEqual(['        "deadline": 3']);
  expect(lines(now)).toHaveLength(lines(old).length);
});

test.each([
  ['the mark is missing', 'sluice.json', null, 'sluice.json: the file is missing'],
  ['the form is another', 'sluice.json', '{"sluice":"folder","format":2}', 'sluice.json: format: expected 1'],
  ['a file is not JSON', 'pipelines/report.json', '{\n  "id": secret\n}', 'pipelines/report.json: expected JSON'],
  ['a file is not a JSON object', 'pipelines/report.json', '[]', 'pipelines/report.json: expected an object'],
  ['a text is missing', 'queries/orders.sql', null, 'queries/orders.sql: the file is missing'],
  ['a text of a node is missing', 'pipelines/report.calc.js', null, 'pipelines/report.calc.js: the file is missing'],
  ['a text belongs to nothing', 'scripts/other.js', 'x', 'scripts/other.js: no file of settings beside it'],
  ['a text is empty', 'scripts/total.js', '', 'scripts/total.js: expected'],
  [
    'a file has another name',
    'pipelines/other.json',
    '{"id":"p","name":"P"}',
    'pipelines/other.json: id: expected "other"',
  ],
  ['a field is unknown', 'connections/erp.json', '{"id":"erp","hos":1}', 'connections/erp.json: '],
  ['a field is wrong', 'tags/line.json', '[{"path":"line/a","type":"x"}]', 'tags/line.json: 0.type: expected one of'],
  [
    'a tag is in another group',
    'tags/line.json',
    '[{"path":"a/b"}]',
    'tags/line.json: 0.path: a tag with this path is in tags/a.json',
  ],
  [
    'a node names the file of another',
    'pipelines/report.json',
    '{"id":"report","name":"R","nodes":[{"id":"a","kind":"transform","settings":{"code":{"file":"../x.js"}}}]}',
    'pipelines/report.json: nodes.0.settings.code: expected the text, or { "file": "report.a.js" }',
  ],
  [
    'a query is for no connection of the folder',
    'connections/erp.json',
    null,
    'queries/orders.json: connection: expected "embedded" or a connection of this folder',
  ],
])('the file and the field are named if %s', (_what, path, content, sentence) => {
  const errors = errorsOf(changed(path, content));
  expect(errors).toContainEqual(expect.stringContaining(sentence));
  expect(errors.join('\n')).not.toContain('secret');
});

test('a path of the project file is named by its file', () => {
  const { placeOf } = readFolder(folderOf(file()));
  expect(placeOf('pipelines.0.nodes.1.id')).toBe('pipelines/report.json: nodes.1.id');
  expect(placeOf('pipelines.0.nodes.0.settings.code')).toBe('pipelines/report.calc.js');
  expect(placeOf('project.name')).toBe('sluice.json: project.name');
});
