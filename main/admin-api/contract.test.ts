import { expect, test } from 'vitest';
import { CONTRACT } from '#common/contract/contract.ts';
import { CALLS } from './table.ts';

const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

test('every declared call is served once, and no other call is', () => {
  const declared = Object.values(CONTRACT).flatMap((area) => Object.values(area).map(nameOf));
  expect(CALLS.map(nameOf).toSorted()).toEqual(declared.toSorted());
});
