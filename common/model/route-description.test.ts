import { expect, test } from 'vitest';
import { fieldErrors } from './fields.ts';
import { routeSettings } from './route-settings.ts';

function faultsOf(settings: Record<string, unknown>): string[] {
  const { error } = routeSettings.safeParse({ mode: 'ingress', ...settings });
  return error === undefined ? [] : fieldErrors(error).map(({ path, message }) => `${path}: ${message}`);
}

test('a route without a description is unchanged', () => {
  const settings = routeSettings.parse({ mode: 'ingress' });
  for (const field of ['description', 'queryParameters', 'replies']) expect(settings).not.toHaveProperty(field);
});

test('a parameter is an optional text unless described otherwise', () => {
  const { queryParameters } = routeSettings.parse({ mode: 'ingress', queryParameters: [{ name: 'line' }] });
  expect(queryParameters).toEqual([{ name: 'line', type: 'string', required: false }]);
});

test('an error names its place and what was expected', () => {
  const twice = [{ name: 'a' }, { name: 'a' }];
  expect(faultsOf({ queryParameters: twice })).toEqual([
    'queryParameters.1.name: expected each name once; a is given twice',
  ]);
  expect(faultsOf({ queryParameters: [{ name: 'a b' }] })).toEqual([
    'queryParameters.0.name: expected a name of 1 to 128 characters without white space',
  ]);
  expect(faultsOf({ queryParameters: [{ name: 'a', type: 'integer', example: '7' }] })).toEqual([
    'queryParameters.0.example: expected a value of the type integer',
  ]);
  expect(faultsOf({ queryParameters: [{ name: 'a', type: 'array', example: [1] }] })).toEqual([
    'queryParameters.0.example: expected a list of strings',
  ]);
  expect(faultsOf({ replies: [{ status: 200 }, { status: 200 }] })).toEqual([
    'replies.1.status: expected each status once; 200 is given twice',
  ]);
  expect(faultsOf({ replies: [{ status: 99 }] })).toEqual([
    'replies.0.status: expected a whole number from 200 to 599',
  ]);
  expect(faultsOf({ replies: [{ status: 200, schema: true }] })).toEqual([
    'replies.0.schema: expected a JSON Schema: an object of at most 65536 characters',
  ]);
  expect(faultsOf({ replies: [{ status: 200, contentType: 'json' }] })).toEqual([
    'replies.0.contentType: expected a media type such as application/json or text/csv',
  ]);
  expect(faultsOf({ replies: [{ status: 200, body: 1 }] })).toEqual(['replies.0: unknown field "body"']);
});

test('descriptions have limits', () => {
  expect(faultsOf({ description: 'x'.repeat(2_001) })).toEqual(['description: expected at most 2,000 characters']);
  const names = Array.from({ length: 65 }, (_, index) => ({ name: `p${index}` }));
  expect(faultsOf({ queryParameters: names })).toEqual(['queryParameters: expected at most 64 parameters']);
  const replies = Array.from({ length: 33 }, (_, index) => ({ status: 200 + index }));
  expect(faultsOf({ replies })).toEqual(['replies: expected at most 32 replies']);
  expect(faultsOf({ replies: [{ status: 200, example: 'x'.repeat(16_384) }] })).toEqual([
    'replies.0.example: expected a JSON value of at most 16384 characters',
  ]);
});
