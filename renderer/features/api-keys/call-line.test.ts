import { expect, test } from 'vitest';
import type { RouteRecord } from '#common/model/route-record.ts';
import { firstOpened, isRouteOf } from './call-line.ts';

type Given = Pick<RouteRecord, 'project' | 'answers' | 'authType' | 'requiredScopes' | 'method' | 'pattern'>;
const open: Given = {
  project: 'line',
  answers: true,
  authType: 'api_key',
  requiredScopes: ['db:read'],
  method: 'GET',
  pattern: '/a',
};

test('the suggested call uses the first answering route that the key opens', () => {
  const others: Given[] = [
    { ...open, project: 'other' },
    { ...open, answers: false },
    { ...open, requiredScopes: ['db:read', 'db:write'] },
  ];
  expect(firstOpened([...others, open, { ...open }], 'line', ['db:read'])).toBe(open);
  expect(firstOpened(others, 'line', ['db:read'])).toBeUndefined();
});

test('the route that the key was created for comes first if the key opens it', () => {
  const wanted: Given = { ...open, method: 'POST', pattern: '/b' };
  expect(firstOpened([open, wanted], 'line', ['db:read'], 'POST /b')).toBe(wanted);
  expect(firstOpened([open, { ...wanted, requiredScopes: ['db:write'] }], 'line', ['db:read'], 'POST /b')).toBe(open);
});

test('a public route does not test a key, so it is not offered', () => {
  expect(firstOpened([{ ...open, authType: 'none' }], 'line', ['db:read'])).toBeUndefined();
});

test('a text is the name of a route only if the project has that route', () => {
  expect(isRouteOf([open], 'line', 'GET /a')).toBe(true);
  expect(isRouteOf([open], 'other', 'GET /a')).toBe(false);
  expect(isRouteOf([open], 'line', 'Call 555 to unlock')).toBe(false);
});
