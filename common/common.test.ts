import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { ROUTE_DEFAULTS } from './model/route-defaults.testing.ts';
import { apiKeyId, KEY_CHARS, makeApiKey, maskKeys, maskKeysInPath } from './api-key.ts';
import { normaliseAddress, parseCidr } from './cidr.ts';
import { CATALOGUE, problem } from './errors/catalogue.ts';
import { parseSize, routeSettings } from './model/route-settings.ts';
import { fieldErrors } from './model/fields.ts';
import { parsePattern, patternShape } from './pattern.ts';
import { missingScopes, SCOPES, scopeMask, scopeNames } from './scopes.ts';

test('a generated key has the form slc_<12>_<43><6> and can be parsed', () => {
  const { id, value } = makeApiKey(randomBytes);
  expect(value).toMatch(/^slc_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}$/);
  expect(value).toHaveLength(KEY_CHARS);
  expect(apiKeyId(value)).toBe(id);
});

test('the checksum of a key detects any single changed character', () => {
  const { value } = makeApiKey(randomBytes);
  for (let at = 4; at < value.length; at++) {
    const other = value[at] === 'a' ? 'b' : 'a';
    expect(apiKeyId(value.slice(0, at) + other + value.slice(at + 1))).toBeNull();
  }
});

test('a key in a text is masked to its id', () => {
  const { id, value } = makeApiKey(randomBytes);
  expect(maskKeys(`GET /x?k=${value} end`)).toBe(`GET /x?k=slc_${id}_… end`);
});

test('a key in a path is masked even if parts of it are escaped; any other path is unchanged', () => {
  const { id, value } = makeApiKey(randomBytes);
  const escaped = value.replaceAll('_', '%5F').replace('s', '%73');
  expect(maskKeysInPath(`/k/${escaped}/a%20b`)).toBe(`/k/slc_${id}_…/a b`);
  expect(maskKeysInPath(`/k/${value}`)).toBe(`/k/slc_${id}_…`);
  expect(maskKeysInPath('/a%20b/%zz/slc%5F')).toBe('/a%20b/%zz/slc%5F');
});

test('scopes stored as bits are converted back to names', () => {
  expect(scopeNames(scopeMask(SCOPES))).toEqual(SCOPES);
  expect(scopeNames(missingScopes(scopeMask(['db:read', 'tag:write']), scopeMask(['db:read'])))).toEqual(['tag:write']);
});

test.each(['', 'api', '//', '/a//b', '/:', '/:1a', '/:a/:a', '/a b', '/a?b', '/a%20b', '/*', '/a/(b', '/ü', '/a:b'])(
  'the pattern %j is refused or literal',
  (source) => {
    const result = parsePattern(source);
    expect(result.ok).toBe(source === '/a/(b');
  },
);

test.each(['/a/../b', '/..', '/./a', '/a/.'])(
  'the pattern %s is refused: clients resolve it before they send the request',
  (source) => {
    expect(parsePattern(source)).toMatchObject({ ok: false, message: expect.stringContaining('clients resolve') });
  },
);

test('patterns that differ only in parameter names have one shape', () => {
  const shapes = ['/a/:x/b', '/a/:y/b'].map((source) => {
    const parsed = parsePattern(source);
    return parsed.ok ? patternShape(parsed.pattern) : '';
  });
  expect(new Set(shapes)).toEqual(new Set(['/a/:/b']));
});

test.each([
  ['10.0.0.0/8', true],
  ['10.0.0.1', true],
  ['::1', true],
  ['fd00::/8', true],
  ['10.0.0.0/33', false],
  ['10.0.0', false],
  ['010.0.0.1', false],
  ['1.2.3.4.', false],
  ['fd00::/129', false],
  ['fe80::1%eth0', false],
  ['10.0.0.0/8/8', false],
  ['any', false],
  ['', false],
])('%j is an address range: %s', (text, expected) => {
  expect(parseCidr(text) !== null).toBe(expected);
});

test('a mapped IPv4 address is compared as IPv4', () => {
  expect([
    normaliseAddress('::ffff:10.1.2.3'),
    normaliseAddress('::FFFF:a01:203'),
    normaliseAddress('fe80::1%eth0'),
  ]).toEqual(['10.1.2.3', '10.1.2.3', 'fe80::1']);
});

test.each([
  ['1 MB', 1_048_576],
  ['512 KB', 524_288],
  ['100', 100],
  [4096, 4096],
  ['1.5 MB', 1_572_864],
  ['1 GB', null],
  [-1, null],
  ['big', null],
])('the size %j is %s bytes', (text, bytes) => {
  expect(parseSize(text)).toBe(bytes);
});

test('a route without settings has the defaults of the specification', () => {
  expect(routeSettings.parse({ mode: 'ingress' })).toEqual({
    mode: 'ingress',
    method: 'GET',
    urlPattern: '/api/v1/example',
    ...ROUTE_DEFAULTS,
  });
});

test.each([
  ['method', 'OPTIONS'],
  ['urlPattern', 'orders'],
  ['timeout', 0],
  ['timeout', 3601],
  ['timeout', '30'],
  ['authType', 'basic'],
  ['authType', null],
  ['requiredScopes', ['db:admin']],
  ['allowedIps', []],
  ['allowedIps', ''],
  ['allowedIps', '10.0.0.0/99'],
  ['rateLimit', -1],
  ['rateLimit', Number.POSITIVE_INFINITY],
  ['burstLimit', 1.5],
  ['maxPayloadSize', '65 MB'],
  ['maxPayloadSize', 'much'],
  ['corsEnabled', 'yes'],
  ['allowedOrigins', 'hmi.local'],
  ['allowedOrigins', 'https://hmi.local/'],
  ['headerWhitelist', 'X-API-Key'],
  ['headerWhitelist', 'a b'],
  ['colour', 'red'],
])('the route setting %s = %j is refused by name', (field, value) => {
  const result = routeSettings.safeParse({ mode: 'ingress', [field]: value });
  expect(result.success).toBe(false);
  const errors = result.success ? [] : fieldErrors(result.error);
  expect(errors.some((error) => error.path === field || error.message.includes(`"${field}"`))).toBe(true);
  for (const error of errors) expect(error.message).toMatch(/expected|cannot|is not|must|unknown|empty/);
});

test('lists may be given as one comma-separated text; entries are trimmed', () => {
  const settings = routeSettings.parse({
    mode: 'ingress',
    requiredScopes: ' db:read , tag:read',
    allowedIps: '10.0.0.0/8, ::1',
    headerWhitelist: 'X-Trace, x-trace',
  });
  expect(settings).toMatchObject({
    requiredScopes: ['db:read', 'tag:read'],
    allowedIps: ['10.0.0.0/8', '::1'],
    headerWhitelist: ['x-trace'],
  });
});

test('every error has a status and a title, and a problem has no nested fields', () => {
  for (const code of Object.keys(CATALOGUE) as (keyof typeof CATALOGUE)[]) {
    const made = problem(code, 'd', 'r');
    expect(made).toMatchObject({ type: `urn:sluice:problem:${code}`, code, requestId: 'r' });
    expect(made.status).toBeGreaterThanOrEqual(400);
  }
});
