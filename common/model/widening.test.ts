import { assert, boolean, integer, nat, property, record } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ingressNodes } from './ingress-routes.ts';
import { pipelineDefinition, type PipelineDefinition } from './pipeline.ts';
import { rangeInside } from '../cidr.ts';
import { addedGrants, loosenings } from './widening.ts';

type Settings = Record<string, unknown>;

function route(settings: Settings = {}, id = 'in'): { id: string; kind: string; settings: Settings } {
  return {
    id,
    kind: 'rest-api',
    settings: { mode: 'ingress', method: 'POST', urlPattern: '/orders/:id', ...settings },
  };
}

function pipeline(nodes: object[], more: object = {}): PipelineDefinition {
  return pipelineDefinition.parse({ id: 'orders', name: 'Orders', nodes, ...more });
}

function texts(revision: PipelineDefinition, approved: PipelineDefinition | null): string[] {
  return loosenings(revision, approved).map(({ text }) => text);
}

/** The privilege widenings of a change of one node's settings from `before` to `after`. */
function change(before: Settings, after: Settings): string[] {
  return loosenings(pipeline([route(after)]), pipeline([route(before)])).map(({ field }) => field);
}

test('a disabled public route loosens nothing until it is enabled', () => {
  const off = { ...route({ authType: 'none' }), off: true };
  expect(texts(pipeline([off]), null)).toEqual([]);
  expect(texts(pipeline([route({ authType: 'none' })]), pipeline([off]))).not.toEqual([]);
});

describe('compared with routes that were approved before', () => {
  const narrow = { requiredScopes: ['db:write'], allowedIps: '10.0.0.0/8', rateLimit: 5 };
  const FIELDS = ['requiredScopes', 'allowedIps', 'rateLimit'];
  const fields = (revision: Settings, remembered: Settings): string[] =>
    loosenings(pipeline([route(revision, 'new')]), null, ingressNodes(pipeline([route(remembered, 'old')])).nodes).map(
      ({ field }) => field,
    );

  test.each([
    ['the same path', {}, narrow, FIELDS],
    ['another parameter name', { urlPattern: '/orders/:order' }, narrow, FIELDS],
    ['a path within it', { urlPattern: '/orders/7' }, narrow, FIELDS],
    ['a path around it', {}, { ...narrow, urlPattern: '/orders/7' }, FIELDS],
    ['every method', { method: '*' }, narrow, [...FIELDS, 'method']],
    ['every method, as narrow', { ...narrow, method: '*' }, narrow, ['method']],
    ['a method of every method', {}, { ...narrow, method: '*' }, FIELDS],
    ['as narrow', narrow, narrow, []],
    ['narrower', { ...narrow, rateLimit: 1 }, narrow, []],
    ['another method', { method: 'GET' }, narrow, []],
    ['another path', { urlPattern: '/parts/:id' }, narrow, []],
    ['a longer path', { urlPattern: '/orders/:id/lines' }, narrow, []],
    ['the defaults where they were approved', {}, {}, []],
    [
      'wider than the defaults, as approved there',
      { maxPayloadSize: '2 MB' },
      { maxPayloadSize: '2 MB' },
      ['maxPayloadSize'],
    ],
  ])('%s', (_what, revision, remembered, expected) => {
    expect(fields(revision, remembered)).toEqual(expected);
  });

  test('do not count for a route that has its own approved revision', () => {
    const own = pipeline([route()]);
    const others = ingressNodes(pipeline([route(narrow)])).nodes;
    expect(loosenings(own, own, others)).toEqual([]);
  });

  test('a new node on another path does not replace a narrower one', () => {
    const approved = pipeline([route(narrow)]);
    const moved = loosenings(pipeline([route({ urlPattern: '/free' }, 'new')]), approved);
    expect(moved.map(({ field }) => field)).toEqual(FIELDS);
    const beside = pipeline([route(narrow), route({ urlPattern: '/free' }, 'new')]);
    expect(loosenings(beside, approved)).toEqual([]);
  });
});

describe('compared with the defaults', () => {
  test('a new route with the defaults, or narrower, loosens nothing', () => {
    expect(texts(pipeline([route()]), null)).toEqual([]);
    const narrow = {
      requiredScopes: ['db:write'],
      allowedIps: '10.0.0.0/8',
      rateLimit: 5,
      burstLimit: 50,
      maxPayloadSize: '1 KB',
    };
    expect(texts(pipeline([route(narrow)]), null)).toEqual([]);
  });

  test.each([
    ['a public route', { authType: 'none' }, 'node "in" adds the public route POST /orders/:id, which needs no key'],
    [
      'a larger payload',
      { maxPayloadSize: '2 MB' },
      'node "in" raises the max payload size from 1048576 to 2097152 bytes',
    ],
    ['CORS for all', { corsEnabled: true }, 'node "in" allows calls from any origin'],
    [
      'CORS for one',
      { corsEnabled: true, allowedOrigins: ['https://hmi'] },
      'node "in" allows calls from the origin https://hmi',
    ],
  ])('%s is named', (_what, settings, text) => {
    expect(texts(pipeline([route(settings)]), null)).toEqual([text]);
  });

  test('grants and runAs are named', () => {
    expect(texts(pipeline([], { grants: ['db:read'], runAs: 'pipeline' }), null)).toEqual([
      'the pipeline adds the grant db:read',
      'the pipeline sets runAs to "pipeline", so that keyed callers get its grants too',
    ]);
  });

  test('a new ingress node next to an approved one is compared with the defaults, not with it', () => {
    const approved = pipeline([route({ authType: 'none', maxPayloadSize: '8 MB' })]);
    const more = pipeline([
      route({ authType: 'none', maxPayloadSize: '8 MB' }),
      route({ urlPattern: '/other', maxPayloadSize: '8 MB' }, 'second'),
    ]);
    expect(texts(more, approved)).toEqual(['node "second" raises the max payload size from 1048576 to 8388608 bytes']);
  });
});

describe('compared with the approved revision', () => {
  test('the same revision loosens nothing, however wide it is', () => {
    const wide = { authType: 'none', rateLimit: 0, corsEnabled: true, maxPayloadSize: '64 MB', allowedIps: 'any' };
    const revision = pipeline([route(wide)], { grants: ['db:write'], runAs: 'pipeline' });
    expect(texts(revision, revision)).toEqual([]);
  });

  test.each<[string, Settings, Settings, string[]]>([
    ['a rate raised', { rateLimit: 5 }, { rateLimit: 6 }, ['rateLimit']],
    ['a rate switched off', { rateLimit: 5 }, { rateLimit: 0 }, ['rateLimit']],
    ['a rate set', { rateLimit: 0 }, { rateLimit: 1000, burstLimit: 9 }, []],
    ['a rate lowered', { rateLimit: 5 }, { rateLimit: 0.5 }, []],
    ['a burst raised', { rateLimit: 5 }, { rateLimit: 5, burstLimit: 1 }, ['burstLimit']],
    ['a burst raised by what the rate was lowered', { rateLimit: 5 }, { rateLimit: 4, burstLimit: 1 }, []],
    ['a range narrowed', { allowedIps: '10.0.0.0/8' }, { allowedIps: '10.1.0.0/16, 10.2.3.4' }, []],
    ['a range set', {}, { allowedIps: '10.0.0.0/8' }, []],
    ['a range widened', { allowedIps: '10.1.0.0/16' }, { allowedIps: '10.0.0.0/8' }, ['allowedIps']],
    ['a range added', { allowedIps: '10.1.0.0/16' }, { allowedIps: '10.1.0.0/16, 10.2.0.0/16' }, ['allowedIps']],
    ['ranges dropped for any', { allowedIps: '10.0.0.0/8' }, { allowedIps: 'any' }, ['allowedIps']],
    [
      'any written as ranges',
      { allowedIps: '10.0.0.0/8' },
      { allowedIps: '0.0.0.0/0, ::/0' },
      ['allowedIps', 'allowedIps'],
    ],
    ['IPv6 beside IPv4', { allowedIps: '0.0.0.0/0' }, { allowedIps: '::ffff:10.0.0.0/104' }, ['allowedIps']],
    ['a scope dropped', { requiredScopes: 'db:read,db:write' }, { requiredScopes: 'db:write' }, ['requiredScopes']],
    ['a scope swapped', { requiredScopes: 'db:read' }, { requiredScopes: 'db:write' }, ['requiredScopes']],
    ['a scope added', { requiredScopes: 'db:read' }, { requiredScopes: 'db:read,db:write' }, []],
    ['made public', {}, { authType: 'none' }, ['authType']],
    ['made keyed', { authType: 'none' }, { authType: 'api_key' }, []],
    [
      'an origin added',
      { corsEnabled: true, allowedOrigins: 'https://a' },
      { corsEnabled: true, allowedOrigins: 'https://a,https://b' },
      ['allowedOrigins'],
    ],
    [
      'origins opened',
      { corsEnabled: true, allowedOrigins: 'https://a' },
      { corsEnabled: true, allowedOrigins: '*' },
      ['allowedOrigins'],
    ],
    ['origins closed', { corsEnabled: true }, { corsEnabled: true, allowedOrigins: 'https://a' }, []],
    [
      'CORS switched on',
      { corsEnabled: false, allowedOrigins: 'https://a' },
      { corsEnabled: true, allowedOrigins: 'https://a' },
      ['allowedOrigins'],
    ],
    ['CORS switched off', { corsEnabled: true }, { corsEnabled: false }, []],
    ['a size raised', { maxPayloadSize: '1 KB' }, { maxPayloadSize: 1025 }, ['maxPayloadSize']],
    ['a size lowered', {}, { maxPayloadSize: '1 KB' }, []],
    ['a keyed method widened', { method: 'GET' }, { method: '*' }, []],
    ['a method widened on a narrow route', { method: 'GET', rateLimit: 5 }, { method: '*', rateLimit: 5 }, ['method']],
    ['a method kept wide on a narrow route', { method: '*', rateLimit: 5 }, { method: '*', rateLimit: 5 }, []],
    ['a method changed on a narrow route', { method: 'GET', rateLimit: 5 }, { method: 'POST', rateLimit: 5 }, []],
    ['a public method widened', { method: 'GET', authType: 'none' }, { method: '*', authType: 'none' }, ['authType']],
    ['a public method narrowed', { method: '*', authType: 'none' }, { method: 'GET', authType: 'none' }, []],
    ['a public route moved', { authType: 'none' }, { authType: 'none', urlPattern: '/all' }, ['authType']],
    [
      'a parameter renamed on a public route',
      { authType: 'none' },
      { authType: 'none', urlPattern: '/orders/:order' },
      [],
    ],
    ['settings that cannot be read', {}, { allowedIps: [] }, ['settings']],
  ])('%s', (_what, before, after, fields) => {
    expect(change(before, after)).toEqual(fields);
  });

  test('a renamed node is still compared with the route that it serves', () => {
    const approved = pipeline([route({ rateLimit: 5 }, 'in')]);
    expect(texts(pipeline([route({}, 'other')]), approved)).toEqual([
      'node "other" raises the rate limit from 5 a second to off',
    ]);
    expect(texts(pipeline([route({ method: '*' }, 'other')]), approved)).toHaveLength(2);
  });

  test('two nodes that swap their patterns cannot hide that a route is loosened', () => {
    const approved = pipeline([route({ urlPattern: '/a', rateLimit: 5 }, 'a'), route({ urlPattern: '/b' }, 'b')]);
    const swapped = pipeline([route({ urlPattern: '/b', rateLimit: 5 }, 'a'), route({ urlPattern: '/a' }, 'b')]);
    expect(texts(swapped, approved)).toEqual(['node "b" raises the rate limit from 5 a second to off']);
  });

  test('egress nodes and other kinds are not routes', () => {
    expect(
      texts(
        pipeline([
          { id: 'out', kind: 'rest-api', settings: { mode: 'egress' } },
          { id: 'log', kind: 'log' },
        ]),
        null,
      ),
    ).toEqual([]);
  });

  test('the end of a rehearsal is reported, its beginning is not', () => {
    const rehearsed = pipeline([], { rehearsal: true });
    expect(texts(pipeline([]), rehearsed)).toEqual([
      'the pipeline ends its rehearsal, so that its writes are performed',
    ]);
    expect(texts(rehearsed, pipeline([]))).toEqual([]);
  });

  test('a grant that was approved is not reported again', () => {
    const approved = pipeline([], { grants: ['db:read'] });
    expect(addedGrants(pipeline([], { grants: ['db:read', 'tag:write'] }), approved)).toEqual(['tag:write']);
  });
});

test('every method is compared with other methods of the path that were approved in another pipeline', () => {
  const own = pipeline([route({ method: 'GET' })]);
  const elsewhere = ingressNodes(pipeline([route({ requiredScopes: ['db:write'] }, 'tight')])).nodes;
  const fields = (settings: Settings) =>
    loosenings(pipeline([route(settings)]), own, elsewhere).map(({ field }) => field);
  expect(fields({ method: '*' })).toEqual(['requiredScopes', 'method']);
  expect(fields({ method: 'GET' })).toEqual([]);
});

test('a range is inside another exactly if its first and last address are', () => {
  const range = record({ address: nat(0xffffffff), prefix: integer({ min: 0, max: 32 }) });
  const text = ({ address, prefix }: { address: number; prefix: number }): string =>
    `${[24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join('.')}/${prefix}`;
  const bounds = ({ address, prefix }: { address: number; prefix: number }): [number, number] => {
    const size = 2 ** (32 - prefix);
    const first = Math.floor(address / size) * size;
    return [first, first + size - 1];
  };
  assert(
    property(range, range, boolean(), (inner, other, nested) => {
      const outer = nested ? { address: inner.address, prefix: other.prefix } : other;
      const [[first, last], [from, to]] = [bounds(inner), bounds(outer)];
      expect(rangeInside(text(inner), text(outer))).toBe(first >= from && last <= to);
    }),
  );
});

test.each([
  ['fd00::/8', 'fc00::/7', true],
  ['fd12:3456::1', 'fd12:3456::/32', true],
  ['fc00::/7', 'fd00::/8', false],
  ['10.0.0.1', '10.0.0.1/32', true],
  ['10.0.0.0/8', '::/0', false],
  ['garbage', '0.0.0.0/0', false],
])('%s inside %s: %s', (inner, outer, inside) => {
  expect(rangeInside(inner, outer)).toBe(inside);
});
