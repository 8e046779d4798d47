import { expect, test } from 'vitest';
import { CALLS, type CallName } from '#common/capabilities/calls.ts';
import { keyRecord } from '#common/contract/records.ts';
import { PERMISSIONS } from '#common/model/records.ts';
import { routeDescription } from '#common/model/route-description.ts';
import { routeSettings } from '#common/model/route-settings.ts';
import { settingsSchema } from '#common/model/settings.ts';
import { type Scope, SCOPES } from '#common/scopes.ts';
import { openApi } from '../main/admin-api/openapi.ts';
import { BUILT_IN_ROLES } from '../main/people/tables.ts';
import { codesIn, tableOf } from './spec-pages.ts';

/** The tables of the specification match the product. */

const column = (id: string, index: number): string[] => tableOf(id).map((row) => row[index] ?? '');

test('capabilities.md lists the scopes', () => {
  expect(column('capabilities.md#scopes', 0).flatMap(codesIn)).toEqual([...SCOPES]);
});

/** As granted in docs/spec/capabilities.md#scopes; written by hand, so that a wrong declaration fails the test. */
const GRANTED: Readonly<Record<Scope, readonly CallName[]>> = {
  'tag:read': ['tags.read', 'tags.readMany'],
  'tag:write': ['tags.write', 'tags.writeMany'],
  'db:read': ['db.query'],
  'db:write': ['db.sql', 'db.transaction', 'db.procedure'],
  'hist:read': ['historian.query'],
  'vars:read': ['vars.get', 'vars.list'],
  'vars:write': ['vars.set', 'vars.increment', 'vars.compareAndSet', 'vars.remove'],
  'file:read': ['files.read', 'files.list'],
  'file:write': ['files.write', 'files.remove'],
  'script:execute': ['scripts.run', 'messages.send'],
};

test('every call requires the scope that grants it, and only log and http.request require none', () => {
  const granted = Object.entries(GRANTED).flatMap(([scope, names]) => names.map((name) => [name, scope] as const));
  const free = (['log', 'http.request'] as const).map((name) => [name, null] as const);
  const declared = Object.entries(CALLS).map(([name, { scope }]) => [name, scope] as const);
  expect(Object.fromEntries(declared)).toEqual(Object.fromEntries([...granted, ...free]));
  const forPlugins = Object.entries(CALLS).filter(([, call]) => 'pluginsOnly' in call && call.pluginsOnly);
  expect(forPlugins.map(([name]) => name)).toEqual(['http.request']);
});

test('routes.md lists the settings of a route with their defaults', () => {
  const written = Object.fromEntries(
    tableOf('routes.md#settings').map(([name = '', , value]) => [codesIn(name)[0], value]),
  );
  const defaults = routeSettings.parse({ mode: 'ingress' });
  const listed = Object.keys(routeSettings.shape).filter((name) => name !== 'mode' && !(name in routeDescription));
  expect(Object.keys(written)).toEqual(listed);
  expect(written).toEqual({
    method: `\`${defaults.method}\``,
    urlPattern: `\`${defaults.urlPattern}\``,
    timeout: String(defaults.timeout),
    authType: `\`${defaults.authType}\``,
    requiredScopes: defaults.requiredScopes.join(', ') || 'none',
    allowedIps: defaults.allowedIps?.join(', ') ?? 'any',
    rateLimit: `${defaults.rateLimit} (off)`,
    burstLimit: String(defaults.burstLimit),
    maxPayloadSize: `${defaults.maxPayloadSize / 1024 ** 2} MB`,
    corsEnabled: String(defaults.corsEnabled),
    allowedOrigins: `\`${defaults.allowedOrigins.join(', ')}\``,
    headerWhitelist: defaults.headerWhitelist.join(', ') || 'none',
  });
});

const GIB = 1024 ** 3;

/** In the notation of a default on the page. */
function written(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? '[]' : '?';
  if (typeof value !== 'number') return String(value);
  return value > 0 && value % GIB === 0
    ? `${value / GIB} GiB`
    : value.toLocaleString('en-US').replace(/^(\d),(\d{3})$/, '$1$2');
}

test('settings.md lists the settings with their defaults', () => {
  const listed = tableOf('settings.md#fields').flatMap(([names = '', values = '']) => {
    const defaults = values.split(/, (?!\d{3}\b)/).map((value) => value.replaceAll('`', ''));
    return codesIn(names).map((name, index) => [name, defaults[index]] as const);
  });
  // The host inserts the name of the PC.
  const { baseUrl, ...rest } = settingsSchema.parse({});
  expect(baseUrl).toBe('http://localhost');
  expect(Object.fromEntries(listed)).toEqual({
    baseUrl: 'http://<name of the PC>',
    ...Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, written(value)])),
  });
});

test('keys.md lists the fields of a key', () => {
  expect(column('keys.md#record', 0).flatMap(codesIn).toSorted()).toEqual(Object.keys(keyRecord.shape).toSorted());
});

test('users.md lists the permissions and the built-in roles', () => {
  expect(column('users.md#permissions', 0).flatMap(codesIn).toSorted()).toEqual(PERMISSIONS.toSorted());
  const roles = tableOf('users.md#roles').map(([name, permissions = '']) => ({
    name,
    permissions: permissions === 'all' ? PERMISSIONS.toSorted() : codesIn(permissions).toSorted(),
  }));
  expect(roles).toEqual(BUILT_IN_ROLES.map(({ name, permissions }) => ({ name, permissions: permissions.toSorted() })));
});

type Operation = Readonly<Record<string, unknown>>;
const WITHOUT_PERMISSION = ['none', 'any session'];

/** `GET /projects/{project}` → the required permissions in the OpenAPI document. */
function declaredCalls(): Map<string, string[]> {
  const document = openApi({ version: '1.0.4', uiPort: 8091, host: '127.0.0.1:8091' });
  const paths = Object.entries(document['paths'] as Readonly<Record<string, Readonly<Record<string, Operation>>>>);
  const calls = paths.flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => ['get', 'post', 'put', 'patch', 'delete'].includes(method))
      .map(([method, operation]) => {
        const needed = (operation['x-permissions'] as string[] | undefined) ?? [];
        return [`${method.toUpperCase()} ${path}`, needed.toSorted()] as const;
      }),
  );
  return new Map(calls);
}

/** The same according to the page. */
function writtenCalls(): Map<string, string[]> {
  const rows = tableOf('admin-api.md#calls').flatMap(([calls = '', needed = '']) => {
    const [condition = ''] = needed.split(';');
    const permissions = condition.startsWith('all') ? [...PERMISSIONS] : codesIn(condition);
    if (permissions.length === 0 && !WITHOUT_PERMISSION.includes(condition.split('.')[0] ?? ''))
      throw new Error(`expected permissions, "none" or "any session": ${needed}`);
    return codesIn(calls).flatMap((call) => operationsOf(call).map((name) => [name, permissions.toSorted()] as const));
  });
  return new Map(rows);
}

/** `PUT, DELETE L` → both operations, with the full path. */
function operationsOf(call: string): string[] {
  const [, methods = '', path = ''] = /^([A-Z, ]+) (\S+)$/.exec(call) ?? [];
  const whole = path
    .replace(/^L(?=\/|$)/, 'P/pipelines/:pipeline')
    .replace(/^P(?=\/|$)/, '/projects/:project')
    .replaceAll(/:(\w+)/g, '{$1}');
  return methods.split(', ').map((method) => `${method} ${whole}`);
}

test('admin-api.md lists every call with its permission', () => {
  expect(Object.fromEntries(writtenCalls())).toEqual(Object.fromEntries(declaredCalls()));
});
