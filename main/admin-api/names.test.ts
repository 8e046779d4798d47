import { beforeAll, expect, test } from 'vitest';
import { NAME_EXPECTED } from '#common/model/ids.ts';
import { PASSWORD } from './harness.testing.ts';
import { admin, harness, harnessPerFile } from './use-harness.testing.ts';

harnessPerFile({ project: { id: 'line', name: 'Line' } });
beforeAll(async () => {
  await admin.send('POST', '/projects/line/pipelines', { id: 'orders', name: 'Orders' });
});

const ODD = [
  'a\nb',
  'a\rb',
  'a\u0007b',
  'a\u0000b',
  'a\u0085b',
  'a\u2028b',
  'a\u202eb',
  'a\u2066b',
  'a\u200fb',
  'a\u200bb',
];

test.each<[string, string, (name: string) => object, string?]>([
  ['POST', '/projects', (name) => ({ id: 'odd', name })],
  ['PATCH', '/projects/line', (name) => ({ name })],
  ['POST', '/projects/line/keys', (name) => ({ name, scopes: [] })],
  ['POST', '/users', (name) => ({ name, password: PASSWORD, roles: [] })],
  ['POST', '/roles', (name) => ({ name, permissions: ['view'] })],
  ['POST', '/projects/line/pipelines', (name) => ({ id: 'odd', name })],
  ['PUT', '/projects/line/pipelines/orders', (name) => ({ id: 'orders', name })],
  [
    'PUT',
    '/projects/line/pipelines/orders',
    (name) => ({ id: 'orders', name: 'Orders', nodes: [{ id: 'log', kind: 'log', name }] }),
    'nodes.0.name',
  ],
])('%s %s refuses names with line breaks, control and bidirectional characters', async (method, path, body, at) => {
  for (const name of ODD) {
    const answer = await admin.send(method, path, body(name));
    expect([answer.status, answer.body['errors']]).toMatchObject([
      400,
      [{ path: at ?? 'name', message: NAME_EXPECTED }],
    ]);
  }
  expect((await admin.send(method, path, body('Füllanlage 7 – Ωmega 充填 👩‍🔧'))).status).toBeLessThan(300);
});

test('a role and a key that an earlier release accepted with such names can still be used', async () => {
  await admin.send('POST', '/roles', { name: 'odd', permissions: ['view'] });
  const key = await admin.send('POST', '/projects/line/keys', { name: 'odd key', scopes: [] });
  const { id } = key.body['record'] as { id: string };
  await harness.vault.mutate((db) => {
    db.run("UPDATE people_roles SET name = 'o\u202edd' WHERE name = 'odd'");
    db.run(`UPDATE keys SET name = 'odd\u202ekey' WHERE id = '${id}'`);
  });
  const user = await admin.send('POST', '/users', { name: 'Bob', password: PASSWORD, roles: ['o\u202edd'] });
  expect([user.status, user.body['roles']]).toEqual([201, ['o\u202edd']]);
  expect((await admin.send('POST', `/projects/line/keys/${id}/rotate`)).status).toBe(201);
});
