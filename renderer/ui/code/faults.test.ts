import { json } from '@codemirror/lang-json';
import { EditorState } from '@codemirror/state';
import { expect, test } from 'vitest';
import { jsonFault, problemMarks, problemsField, setProblems } from './faults.ts';

const stateOf = (doc: string) => EditorState.create({ doc, extensions: [json(), problemsField] });

test('JSON and an empty field are valid', () => {
  for (const text of ['', '  ', '{"a": [1, null]}', '12', '"x"']) expect(jsonFault(stateOf(text)), text).toBeNull();
});

test('an error is located where the text stops being valid JSON', () => {
  expect(jsonFault(stateOf('{"a": }'))).toBe(6);
  expect(jsonFault(stateOf('[1, 2'))).toBe(5);
  expect(jsonFault(stateOf('{a: 1}'))).toBe(1);
});

test('a problem is marked to the end of its line, and one outside the text at the end of the text', () => {
  const state = stateOf('select 1\nfrom x').update({
    effects: setProblems.of([
      { line: 2, column: 6, message: 'no such table' },
      { line: 9, column: 9, message: 'beyond' },
    ]),
  }).state;
  expect(problemMarks(state).map(({ from, to }) => [from, to])).toEqual([
    [14, 15],
    [15, 15],
  ]);
});
