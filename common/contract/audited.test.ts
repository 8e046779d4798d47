import { expect, expectTypeOf, test } from 'vitest';
import { actsOf, type MethodAndAudit } from './audited.ts';

/** Checked by the compiler: `npm run typecheck` fails on a wrong declaration. */
test('a method that may change something does not compile without an audit entry', () => {
  expectTypeOf<{ method: 'post' }>().not.toExtend<MethodAndAudit>();
  expectTypeOf<{ method: 'put' }>().not.toExtend<MethodAndAudit>();
  expectTypeOf<{ method: 'patch' }>().not.toExtend<MethodAndAudit>();
  expectTypeOf<{ method: 'delete' }>().not.toExtend<MethodAndAudit>();
  expectTypeOf<{ method: 'post'; audit: [] }>().not.toExtend<MethodAndAudit>();
  expectTypeOf<{ method: 'post'; audit: ['key.create'] }>().toExtend<MethodAndAudit>();
  expectTypeOf<{ method: 'post'; audit: { none: 'Reads.' } }>().toExtend<MethodAndAudit>();
  expectTypeOf<{ method: 'get' }>().toExtend<MethodAndAudit>();
});

test('a call that is not audited records no actions', () => {
  expect(actsOf({ method: 'get' })).toEqual([]);
  expect(actsOf({ method: 'post', audit: { none: 'Reads.' } })).toEqual([]);
  expect(actsOf({ method: 'post', audit: ['key.create', 'key.revoke'] })).toEqual(['key.create', 'key.revoke']);
});
