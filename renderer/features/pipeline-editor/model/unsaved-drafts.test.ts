import { expect, test } from 'vitest';
import { draftOf } from './kinds.testing.ts';
import { UnsavedDrafts } from './unsaved-drafts.ts';

test('a saved draft is offered only to the user who edited it', () => {
  const drafts = new UnsavedDrafts<number>();
  const left = { user: 'anna', draft: draftOf(['log']), base: 7 };
  drafts.keep('line/orders', left);
  expect(drafts.of('line/orders', 'anna')).toBe(left);
  expect(drafts.of('line/orders', 'ben')).toBeNull();
  expect(drafts.of('line/other', 'anna')).toBeNull();
  drafts.forget('line/orders');
  expect(drafts.of('line/orders', 'anna')).toBeNull();
});
