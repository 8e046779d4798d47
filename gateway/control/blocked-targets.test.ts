import { expect, test } from 'vitest';
import { blockedTargets } from './blocked-targets.ts';

const found = (url: unknown, allowed: readonly string[] = [], more: object = {}) => {
  const node = { id: 'mes', kind: 'rest-api', position: { x: 0, y: 0 }, settings: { mode: 'egress', url }, ...more };
  return blockedTargets({ id: 'a', name: 'A', runAs: 'caller', grants: [], nodes: [node], wires: [] }, allowed);
};

test.each([
  'http://127.0.0.1:8080/x',
  'http://127.1/x',
  'http://[::1]:8080/x',
  'http://localhost:8080/x',
  'http://169.254.169.254/latest',
  'http://0.0.0.0:1/x',
])('%s is never called', (url) => {
  expect(found(url)).toMatchObject([{ code: 'target_blocked', node: 'mes', field: 'settings.url' }]);
});

test.each(['http://10.20.0.7:8080/x', 'https://mes.example/x', 'http://{{payload.host}}/x', '', undefined])(
  '%s is not checked, or is allowed',
  (url) => expect(found(url)).toEqual([]),
);

test('the setting allows a target by its port, and nodes without calls are not checked', () => {
  expect(found('http://127.0.0.1:8080/x', ['127.0.0.1:8080'])).toEqual([]);
  expect(found('http://127.0.0.1:8081/x', ['127.0.0.1:8080'])).toHaveLength(1);
  for (const entry of ['localhost:8080', 'LocalHost:8080', '127.0.0.1:8080'])
    expect(found('http://localhost:8080/x', [entry])).toEqual([]);
  expect(found('http://127.0.0.1/x', [], { off: true })).toEqual([]);
  expect(found('http://127.0.0.1/x', [], { kind: 'set' })).toEqual([]);
});
