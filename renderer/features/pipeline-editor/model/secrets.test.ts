import { expect, test } from 'vitest';
import { draftOf, nodeAt } from './kinds.testing.ts';
import { withoutLostSecrets } from './secrets.ts';

const SET = { set: true };
const call = (id: string, settings: object) => nodeAt(`rest-api:${id}`, 0, 0, { mode: 'egress', ...settings });
const kept = call('kept', { staticHeaders: { Authorization: SET, 'X-New': 'typed' }, tls: { key: SET } });

test('a stored secret is kept, and a typed one is saved', () => {
  const draft = draftOf([kept, 'log']);
  const stored = draftOf([call('kept', { staticHeaders: { authorization: SET }, tls: { key: SET } })]);
  expect(withoutLostSecrets(draft, stored)).toBe(draft);
});

test('a secret must be typed again after the deletion of its node was saved and undone', () => {
  expect(withoutLostSecrets(draftOf([kept]), draftOf(['log'])).nodes[0]?.settings).toEqual({
    mode: 'egress',
    staticHeaders: { Authorization: null, 'X-New': 'typed' },
    tls: { key: null },
  });
});

test('a secret must be typed again if a save removed it because the node called another host', () => {
  const stored = draftOf([call('kept', { staticHeaders: { Authorization: null, 'X-New': SET }, tls: { key: SET } })]);
  expect(withoutLostSecrets(draftOf([kept]), stored).nodes[0]?.settings).toMatchObject({
    staticHeaders: { Authorization: null, 'X-New': 'typed' },
    tls: { key: SET },
  });
});
