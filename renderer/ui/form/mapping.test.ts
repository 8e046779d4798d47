import { expect, test } from 'vitest';
import { resultOf, shownValue } from './mapping.ts';
import { offersAt, withPath } from './offers.ts';

const MAPPING = { paths: [], message: { payload: { body: { id: 7, name: 'cap', none: null, lines: [1] } } } };

test('a path gives the value, a template a text, and a template of a single place keeps the type', () => {
  expect(resultOf('payload.body.id', 'path', MAPPING)).toEqual({ value: 7 });
  expect(resultOf('payload.body.lost', 'path', MAPPING)).toEqual({ value: undefined });
  expect(resultOf('{{payload.body.id}}', 'value', MAPPING)).toEqual({ value: 7 });
  expect(resultOf('{{payload.body.id}}', 'template', MAPPING)).toEqual({ value: '7' });
  expect(resultOf('a/{{payload.body.name}}{{payload.body.none}}{{payload.body.lines}}', 'template', MAPPING)).toEqual({
    value: 'a/cap[1]',
  });
});

test('nothing is shown for a plain text, for a partial path, or without a run', () => {
  expect(resultOf('plain', 'value', MAPPING)).toBeNull();
  expect(resultOf('payload.', 'path', MAPPING)).toBeNull();
  expect(resultOf('payload.body.id', 'path', { paths: [], message: null })).toBeNull();
});

test('a value is shown in one line, shortened if it is long', () => {
  expect(shownValue({ a: [1] })).toBe('{"a":[1]}');
  expect(shownValue('x'.repeat(500))).toHaveLength(121);
});

const PATHS = ['payload', 'payload.body', 'payload.body.id', 'payload.result.id'].map((path) => ({ path }));
const offered = (text: string, places: 'path' | 'template', asked = false, caret = text.length) =>
  offersAt(text, caret, { places, asked, paths: PATHS });
const pathsOf = (offers: ReturnType<typeof offered>) => offers?.options.map(({ path }) => path);

test('a path field suggests the paths that begin with the text, then those that contain it', () => {
  expect(pathsOf(offered('payload.b', 'path'))).toEqual(['payload.body', 'payload.body.id']);
  expect(pathsOf(offered('id', 'path'))).toEqual(['payload.body.id', 'payload.result.id']);
  expect(offered('', 'path')).toBeNull();
  expect(pathsOf(offered('', 'path', true))).toHaveLength(4);
  expect(offered('payload.body.id', 'path')).toBeNull();
  expect(pathsOf(offered('payload.body.id', 'path', true))).toHaveLength(4);
});

test('a template suggests paths inside its braces, and everywhere on request', () => {
  expect(offered('orders/', 'template')).toBeNull();
  expect(pathsOf(offered('orders/{{', 'template'))).toHaveLength(4);
  expect(pathsOf(offered('orders/{{ res', 'template'))).toEqual(['payload.result.id']);
  expect(offered('{{payload.body}}/', 'template')).toBeNull();
  expect(pathsOf(offered('{{payload.body}}/', 'template', true))).toHaveLength(4);
});

test('a selected path replaces the typed part and reuses existing braces', () => {
  const chosen = (text: string, caret: number, asked = false) => {
    const offers = offered(text, 'template', asked, caret);
    return offers && withPath(text, offers, 'payload.result.id', 'template');
  };
  expect(chosen('a/{{res', 7)).toEqual({ text: 'a/{{payload.result.id}}', caret: 23 });
  expect(chosen('a/{{pay}}/b', 7)).toEqual({ text: 'a/{{payload.result.id}}/b', caret: 23 });
  expect(chosen('a/', 2, true)).toEqual({ text: 'a/{{payload.result.id}}', caret: 23 });
  const path = offered('payload.b', 'path');
  expect(path && withPath('payload.b', path, 'payload.body', 'path').text).toBe('payload.body');
});
