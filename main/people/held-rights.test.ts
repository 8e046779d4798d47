import { expect, test } from 'vitest';
import type { Permission } from '#common/model/records.ts';
import { HeldRights } from './held-rights.ts';

const USER = {
  id: 'u',
  name: 'Bob',
  roles: ['Engineer', 'Operator', 'Viewer'],
  active: true,
  createdAt: '2026-03-01T06:00:00Z',
  lastLoginAt: null,
};
const PERMISSIONS: Permission[] = ['view', 'run_pipelines', 'edit_pipelines'];
const ROLE = { id: 'r', name: 'Crew', permissions: PERMISSIONS, builtIn: false };

test('overlapping restrictions return nothing that another one removes, even when one is released', () => {
  const held = new HeldRights();
  const wide = { kind: 'user', user: 'u', roles: ['Engineer', 'Operator'] } as const;
  const first = held.hold(wide);
  const narrow = held.hold({ kind: 'user', user: 'u', active: false, roles: ['Operator'] });
  const again = held.hold(wide);
  expect(held.shownUser(USER)).toMatchObject({ active: false, roles: ['Operator'] });
  first.release();
  expect(held.shownUser(USER).roles).toEqual(['Operator']);
  narrow.release();
  expect(held.shownUser(USER)).toMatchObject({ active: true, roles: ['Engineer', 'Operator'] });
  again.release();
  expect([held.shownUser(USER), held.list()]).toEqual([USER, []]);

  const fewer = held.hold({ kind: 'role', role: 'r', permissions: ['view'] });
  held.hold({ kind: 'role', role: 'r', permissions: ['view', 'run_pipelines'] });
  expect(held.shownRole(ROLE).permissions).toEqual(['view']);
  fewer.release();
  expect(held.shownRole(ROLE).permissions).toEqual(['view', 'run_pipelines']);
});

test('a later change replaces the restriction of its subject, and later held restrictions stay', () => {
  const held = new HeldRights();
  const both = held.hold({ kind: 'user', user: 'u', active: false, roles: [] });
  const replaced = held.overlapping({ kind: 'user', user: 'u', active: true });
  const newer = held.hold({ kind: 'user', user: 'u', active: false });
  replaced.release();
  expect(both.left()).toEqual([{ kind: 'user', user: 'u', roles: [] }]);
  expect(newer.left()).toHaveLength(1);
  expect(held.shownUser(USER)).toMatchObject({ active: false, roles: [] });
});
