import { expect, test } from 'vitest';
import { draftOf, nodeAt } from './kinds.testing.ts';
import { withoutLostSecrets } from './secrets.ts';

const SET = { set: true };
const call = (id: string, settings: object) => nodeAt(`rest-api:${id}`, 0, 0, { mode: 'egress', ...settings });
const kept = call('kept', { staticHeaders: { Authorization: SET, 'X-New': 'typed' }, tls: { key: SET } });

test('what is stored is kept, and what was typed in is saved', () => {
  const draft = draftOf([kept, 'log']);
  const stored = draftOf([call('kept', { staticHeaders: { authorization: SET }, tls: { key: SET } })]);
  expect(withoutLostSecrets(draft, stored)).toBe(draft);
});

test('a secret of a node whose deletion was saved and undone must be typed again', () => {
  expect(withoutLostSecrets(draftOf([kept]), draftOf(['log'])).nodes[0]?.settings).toEqual({
    mode: 'egress',
    staticHeaders: { Authorization: null, 'X-New': 'typed' },
    tls: { key: null },
  });
});

test('so is one that a save took away because the node called elsewhere', () => {
  const stored = draftOf([call('kept', { staticHeaders: { Authorization: null, 'X-New': SET }, tls: { key: SET } })]);
  expect(withoutLostSecrets(draftOf([kept]), stored).nodes[0]?.settings).toMatchObject({
    staticHeaders: { Authorization: null, 'X-New': 'typed' },
    tls: { key: SET },
  });
});
