import { expect, test } from 'vitest';
import { fillLine, type LineValues } from './project-lines.ts';

const values: LineValues = new Map<string, string | number | boolean>([
  ['plc_host', '10.20.7.5'],
  ['plc_port', 502],
  ['spare', false],
  ['note', `a "quoted" \\ text`],
]);

const filled = (path: string, text: string) => fillLine(new Map([[path, text]]), values).get(path) ?? '';
const errorsOf = (path: string, text: string): unknown => {
  try {
    return filled(path, text);
  } catch (error) {
    return (error as { errors: unknown }).errors;
  }
};

test('a text that is only a placeholder becomes the value with its type', () => {
  const text = JSON.stringify({ host: '{{line.plc_host}}', port: '{{ line.plc_port }}', spare: ['{{line.spare}}'] });
  expect(JSON.parse(filled('connections/plc.json', text))).toEqual({ host: '10.20.7.5', port: 502, spare: [false] });
});

test('a placeholder inside of a text becomes text, and the placeholders of a message stay', () => {
  const text = JSON.stringify({
    url: 'http://{{line.plc_host}}:{{line.plc_port}}/{{payload.id}}',
    note: '{{line.note}}!',
  });
  expect(JSON.parse(filled('pipelines/a.json', text))).toEqual({
    url: 'http://10.20.7.5:502/{{payload.id}}',
    note: `a "quoted" \\ text!`,
  });
});

test('code and SQL get the value as it is written', () => {
  expect(filled('queries/q.sql', `SELECT * FROM t WHERE host = '{{line.plc_host}}'`)).toBe(
    `SELECT * FROM t WHERE host = '10.20.7.5'`,
  );
});

test('a value that could end a text of code or SQL is refused there', () => {
  const message =
    '{{line.note}} is in code or SQL; expected a value without quotes, dollar signs, backslashes and line breaks';
  expect(errorsOf('scripts/s.js', 'const note = "{{line.note}}";')).toEqual([{ path: 'scripts/s.js', message }]);
  const transaction = JSON.stringify({ statements: [{ sql: "UPDATE t SET note = '{{line.note}}'" }] });
  expect(errorsOf('pipelines/a.json', transaction)).toEqual([{ path: 'pipelines/a.json', message }]);
});

test('a name without a value is refused with the names that exist', () => {
  const message = '{{line.plc}} has no value; expected one of plc_host, plc_port, spare, note';
  expect(errorsOf('pipelines/a.json', '{"a":"{{line.plc}}"}')).toEqual([{ path: 'pipelines/a.json', message }]);
  expect(errorsOf('pipelines/a.json', '{"a":"{{line.}}"}')).toMatchObject([
    { message: expect.stringMatching(/^\{\{line\.\}\}/) },
  ]);
});

test('a file that is not JSON stays as it is', () => {
  expect(filled('pipelines/a.json', '{"a":"{{line.plc_host}}"')).toBe('{"a":"{{line.plc_host}}"');
});
