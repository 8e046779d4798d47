import { expect, test } from 'vitest';
import { byCategory, choiceId, choicesOf, givesOutput, sampleSettings, startSettings, takesInput } from './choices.ts';
import type { Draft } from './draft.ts';
import { KINDS, kindOf } from './kinds.testing.ts';

const only = (...kinds: ReturnType<typeof kindOf>[]) => choicesOf(new Map(kinds.map((kind) => [kind.id, kind])));

test('a kind whose mode decides its wiring is offered once for each mode, with calls apart from routes', () => {
  const choices = choicesOf(KINDS).filter(({ kind }) => kind.id === 'rest-api');
  expect(choices.map(choiceId)).toEqual(['rest-api ingress', 'rest-api egress']);
  expect(choices.map(({ category }) => category)).toEqual(['http', 'calls']);
  expect(choices.map((choice) => takesInput(choice, KINDS))).toEqual([false, true]);
  expect(choices.map((choice) => givesOutput(choice, KINDS))).toEqual([true, true]);
});

test('third-party categories come after the known ones, under their own names', () => {
  const choices = only(
    kindOf('a', { category: 'weighing' }),
    kindOf('b', { category: 'database' }),
    kindOf('c', { category: 'labels' }),
    kindOf('d', { category: 'http' }),
  );
  expect(byCategory(choices).map(([category]) => category)).toEqual(['http', 'database', 'labels', 'weighing']);
});

test('a new node has no values of an example, only empty valid ones, and code that changes nothing', () => {
  const schema = {
    properties: {
      seconds: {},
      into: { default: 'payload.result' },
      cases: { type: 'array' },
      writes: { type: 'array', minItems: 1 },
      code: { type: 'string', control: 'javascript' },
    },
    required: ['seconds', 'cases', 'writes', 'code'],
  };
  const examples = [{ settings: { seconds: 2, into: 'payload.body', cases: [{ port: 'urgent' }] } }];
  const kind = kindOf('named', { settings: schema, examples });
  const [choice] = only(kind);
  expect(choice && startSettings(choice)).toEqual({ cases: [], code: 'export default (msg) => msg.payload\n' });
  expect(sampleSettings(kind, null)).toEqual(examples[0]?.settings);
});

test('a new route has its method and its own address, and a new call has no headers', () => {
  const mode = (value: string) => ({ mode: { const: value } });
  const headers = { type: 'object', additionalProperties: { type: 'string' } };
  const kind = kindOf('rest-api', {
    modes: { ingress: { input: false, ports: ['out'] }, egress: { input: true, ports: ['response'] } },
    settings: {
      oneOf: [
        { properties: { ...mode('ingress'), urlPattern: { default: '/' }, timeout: { default: 30 } } },
        { properties: { ...mode('egress'), url: {}, staticHeaders: headers }, required: ['url', 'staticHeaders'] },
      ],
    },
    examples: [
      { settings: { mode: 'ingress', urlPattern: '/orders', timeout: 5 } },
      { settings: { mode: 'egress', url: 'https://mes.example', staticHeaders: { 'X-Plant': 'North' } } },
    ],
  });
  expect(only(kind).map((choice) => startSettings(choice))).toEqual([
    { mode: 'ingress', method: 'POST', urlPattern: '/' },
    { mode: 'egress', staticHeaders: {} },
  ]);
  expect(sampleSettings(kind, 'egress')).toMatchObject({ url: 'https://mes.example' });
  const draft = (...paths: string[]): Draft => ({
    id: 'weights',
    name: 'Weights',
    runAs: 'caller',
    grants: [],
    nodes: paths.map((urlPattern, at) => ({
      id: `n${at}`,
      kind: 'rest-api',
      position: { x: 0, y: 0 },
      settings: { urlPattern },
    })),
    wires: [],
  });
  const [route] = only(kind);
  const pathIn = (where: Draft) => route && startSettings(route, where)['urlPattern'];
  expect(pathIn(draft())).toBe('/api/v1/weights');
  expect(pathIn(draft('/api/v1/weights'))).toBe('/api/v1/weights-2');
  expect(pathIn(draft('/api/v1/weights', '/api/v1/weights-2'))).toBe('/api/v1/weights-3');
});
