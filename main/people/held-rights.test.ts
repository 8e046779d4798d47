import { expect, test } from 'vitest';
import { HeldRights } from './held-rights.ts';

test('a restriction that is held again gives nothing back that a narrower one took meanwhile', () => {
  const held = new HeldRights();
  const wide = { kind: 'user', user: 'u', roles: ['Engineer', 'Operator'] } as const;
  held.hold(wide);
  held.hold({ kind: 'user', user: 'u', roles: ['Operator'] });
  held.hold(wide);
  held.hold({ kind: 'role', role: 'r', permissions: ['view'] });
  held.hold({ kind: 'role', role: 'r', permissions: ['view', 'run_pipelines'] });
  expect(held.list()).toEqual([
    { kind: 'user', user: 'u', roles: ['operator'] },
    { kind: 'role', role: 'r', permissions: ['view'] },
  ]);
});
