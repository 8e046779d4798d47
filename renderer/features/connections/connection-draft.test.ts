import { expect, test } from 'vitest';
import { connectionDefinition } from '#common/model/connection.ts';
import { CONNECTION_KINDS } from '#common/model/connection-kinds.ts';
import type { ShownConnection } from '#api/connections-queries.ts';
import { draftOf, emptyDraft, isShown, leadsElsewhere, lostSecrets, ofKind, sentOf } from './connection-draft.ts';
import { fieldsOf } from './connection-fields.ts';

const FILLED = { host: 'db-7', database: 'mes', user: 'sluice' } as const;

const saved: ShownConnection = {
  id: 'mes',
  name: 'MES database',
  settings: {
    kind: 'postgresql',
    host: 'db-7',
    port: 5432,
    database: 'mes',
    user: 'sluice',
    password: { set: true },
    tls: 'verify',
    ca: null,
    poolMax: 5,
    connectTimeout: 5,
  },
};

test.each(CONNECTION_KINDS)(
  'the form of a %s connection has all fields of its model, with the defaults of the model',
  (kind) => {
    const draft = emptyDraft(kind, 'one', 'One');
    const { settings } = sentOf({ ...draft, texts: { ...draft.texts, ...pick(draft.texts) } }, null);
    const host = 'db-7';
    const needed = kind.endsWith('sql') || kind === 'sqlserver' ? { ...FILLED } : { host };
    const model = connectionDefinition.parse({ id: 'one', settings: { kind, ...needed } });
    expect(settings).toEqual(model.settings);
    expect(
      fieldsOf(kind)
        .map(({ name }) => name as string)
        .toSorted(),
    ).toEqual(
      Object.keys(model.settings)
        .filter((name) => name !== 'kind')
        .toSorted(),
    );
  },
);

/** Values for fields without a default, if the kind has them. */
function pick(texts: object): object {
  return 'database' in texts ? FILLED : { host: FILLED.host };
}

test('a saved connection is read back from its form unchanged, with its secret kept', () => {
  const { settings } = sentOf(draftOf(saved), saved);
  expect(settings).toEqual({ ...saved.settings });
  expect(lostSecrets(draftOf(saved), saved)).toEqual([]);
});

test.each([
  ['another host', { host: 'db-8' }],
  ['another port', { port: '5433' }],
  ['weaker protection', { tls: 'encrypt' }],
])('a stored secret is not sent with %s, and the form reports that', (_what, change) => {
  const draft = { ...draftOf(saved), texts: { ...draftOf(saved).texts, ...change } };
  expect(leadsElsewhere(draft, saved)).toBe(true);
  expect(lostSecrets(draft, saved)).toEqual(['password']);
  expect(sentOf(draft, saved).settings['password']).toBeNull();
  const typed = { ...draft, secrets: { password: 'another' } };
  expect(lostSecrets(typed, saved)).toEqual([]);
  expect(sentOf(typed, saved).settings['password']).toBe('another');
});

test('a secret is replaced by a string and removed by null', () => {
  expect(sentOf({ ...draftOf(saved), secrets: { password: 'new' } }, saved).settings['password']).toBe('new');
  expect(sentOf({ ...draftOf(saved), secrets: { password: null } }, saved).settings['password']).toBeNull();
});

test('another kind keeps the host, uses its own port, and shows certificates only where they are checked', () => {
  const opcua = ofKind(draftOf(saved), 'opcua');
  expect([opcua.texts.host, opcua.texts.port, opcua.texts.user]).toEqual(['db-7', '4840', 'sluice']);
  const shown = (draft: typeof opcua) =>
    fieldsOf(draft.kind)
      .filter((field) => isShown(field, draft))
      .map(({ name }) => name);
  expect(shown(opcua)).toContain('trustedCertificates');
  const open = { ...opcua, texts: { ...opcua.texts, securityMode: 'None' } };
  expect(shown(open)).not.toContain('trustedCertificates');
  expect(sentOf(open, null).settings['securityPolicy']).toBe('None');
  expect(shown(draftOf({ ...saved, settings: { ...saved.settings, tls: 'off' } }))).not.toContain('ca');
});

test('invalid numbers are sent as typed, so that the server reports the expected value', () => {
  const draft = { ...draftOf(saved), texts: { ...draftOf(saved).texts, poolMax: 'many', connectTimeout: '0,5' } };
  expect(sentOf(draft, saved).settings).toMatchObject({ poolMax: 'many', connectTimeout: 0.5 });
});
