import { describe, expect, test } from 'vitest';
import { SCOPES } from '../scopes.ts';
import { fieldErrors } from './fields.ts';
import {
  type KeyLimits,
  keyLimits,
  LIMIT_ENTRIES_MAX,
  LIMITS_CHARS_MAX,
  NOTHING_ALLOWED,
  readLimits,
  widens,
  withoutWidening,
} from './key-limits.ts';

test('the canonical form is the result: each entry once, networks with one spelling', () => {
  expect(
    keyLimits.parse({
      'tag:write': [' line7/filler/* ', 'line7/filler/*'],
      'vars:read': ['fu\u0308llung'],
      'script:execute': ['script/recipe', 'channel/orders/**'],
      hours: [' Mon–Fri  06:00-14:00', 'mon-fri 06:00-14:00'],
      until: '2026-12-01T19:00:00+01:00',
      addresses: ['10.1.2.3/8', '::ffff:192.168.1.7', '::ffff:10.0.0.0/104', 'FD00:0::1/64', '10.0.0.0/8'],
    }),
  ).toEqual({
    'tag:write': ['line7/filler/*'],
    'vars:read': ['f\u00fcllung'],
    'script:execute': ['script/recipe', 'channel/orders/**'],
    addresses: ['10.0.0.0/8', '192.168.1.7', 'fd00::/64'],
    hours: ['mon-fri 06:00-14:00'],
    until: '2026-12-01T18:00:00.000Z',
  });
});

test.each([
  [{ 'tag:write': ['a', 'a b'] }, 'tag:write.1', 'expected a tag path or pattern such as line7/filler/*'],
  [{ 'tag:write': ['a/**/b'] }, 'tag:write.0', '"**" only as the last name'],
  [{ 'tag:write': ['a**'] }, 'tag:write.0', '"**" only as the last name'],
  [{ 'vars:read': ['a//b'] }, 'vars:read.0', 'expected a variable name or pattern'],
  [{ 'file:read': ['../etc'] }, 'file:read.0', 'expected a path or pattern of files'],
  [{ 'file:read': ['/etc/**'] }, 'file:read.0', 'expected a path or pattern of files'],
  [{ 'db:read': ['a/b'] }, 'db:read.0', 'expected the ID of a named query'],
  [{ 'db:write': ['mes/orders'] }, 'db:write.0', 'expected a connection, table or procedure'],
  [{ targets: ['https://mes.example'] }, 'targets.0', 'expected a host with its port such as mes.example:443'],
  [{ 'script:execute': ['recipe'] }, 'script:execute.0', 'expected a script or channel'],
  [{ addresses: ['10.0.0.300'] }, 'addresses.0', 'expected an address or a network such as 10.0.0.0/8'],
  [{ hours: ['mon 06:00-06:00'] }, 'hours.0', 'expected days and hours such as mon-fri 06:00-14:00'],
  [{ hours: ['24/7'] }, 'hours.0', 'expected days and hours'],
  [{ until: 'soon' }, 'until', 'expected a time such as 2026-12-01T18:00:00Z'],
  [{ rehearsal: false }, 'rehearsal', 'expected'],
  [{ addresses: 'any' }, 'addresses', 'expected a list'],
  [{ 'tag:delete': [] }, '', 'unknown field "tag:delete"'],
  [
    { 'tag:read': Array.from({ length: LIMIT_ENTRIES_MAX + 1 }, (_, n) => `t${n}`) },
    'tag:read',
    'expected at most 200 entries',
  ],
  [
    Object.fromEntries(
      (['tag:read', 'tag:write', 'hist:read'] as const).map((scope) => [
        scope,
        Array.from({ length: LIMIT_ENTRIES_MAX }, (_, n) => `${`${'x'.repeat(60)}/`.repeat(3)}t${n}`),
      ]),
    ),
    '',
    `expected at most ${LIMITS_CHARS_MAX.toLocaleString('en')} characters`,
  ],
])('limits are refused with the path of the entry (%#)', (limits, path, message) => {
  const { error } = keyLimits.safeParse(limits);
  expect(error && fieldErrors(error)).toMatchObject([{ path, message: expect.stringContaining(message) }]);
});

describe('a change', () => {
  test.each<[KeyLimits, KeyLimits, boolean]>([
    [{}, { 'tag:write': ['a'] }, false],
    [{ 'tag:write': ['a'] }, {}, true],
    [{ 'tag:write': ['a/*'] }, { 'tag:write': ['a/b'] }, false],
    [{ 'tag:write': ['a/*'] }, { 'tag:write': ['a/**'] }, true],
    [{ 'tag:write': ['a/*'] }, { 'tag:write': [] }, false],
    [{ 'tag:write': [] }, { 'tag:write': ['a'] }, true],
    [{ 'tag:write': ['a'] }, { 'tag:write': ['a'], 'tag:read': ['b'] }, false],
    [{ 'db:write': ['mes'] }, { 'db:write': ['mes/table/orders', 'mes/procedure/*'] }, false],
    [{ 'db:write': ['mes/table/orders'] }, { 'db:write': ['mes'] }, true],
    [{ 'db:write': ['mes/table/*'] }, { 'db:write': ['mes/procedure/a'] }, true],
    [{ targets: ['*.example:443'] }, { targets: ['mes.example:443'] }, false],
    [{ targets: ['mes.example:443'] }, { targets: ['mes.example:*'] }, true],
    [{}, { rehearsal: true }, false],
    [{ rehearsal: true }, {}, true],
    [{ rehearsal: true }, { rehearsal: true, 'tag:write': ['a'] }, false],
    [{}, { addresses: ['10.0.0.1'] }, false],
    [{ addresses: ['10.0.0.0/8'] }, { addresses: ['10.1.0.0/16'] }, false],
    [{ addresses: ['10.0.0.0/8'] }, { addresses: ['10.0.0.0/8', '11.0.0.1'] }, true],
    [{ addresses: ['10.0.0.0/8'] }, {}, true],
    [{}, { hours: ['mon 06:00-14:00'] }, false],
    [{ hours: ['mon-fri 06:00-14:00'] }, { hours: ['tue 08:00-09:00', 'fri 13:00-14:00'] }, false],
    [{ hours: ['mon-fri 06:00-14:00'] }, { hours: ['fri 13:00-14:01'] }, true],
    [{ hours: ['mon-fri 06:00-14:00'] }, {}, true],
    [{ until: '2026-12-01T18:00:00Z' }, { until: '2026-12-01T17:00:00Z' }, false],
    [{ until: '2026-12-01T18:00:00Z' }, { until: '2026-12-01T18:00:01Z' }, true],
    [{ until: '2026-12-01T18:00:00Z' }, {}, true],
  ])('from %j to %j widens: %s', (before, after, wider) => {
    expect(widens(before, after)).toBe(wider);
  });

  test('without its widening keeps the old lists where the new ones are wider', () => {
    const until = '2026-12-01T18:00:00Z';
    const before: KeyLimits = {
      'tag:write': ['a/*'],
      'tag:read': ['b/*'],
      addresses: ['10.0.0.1'],
      until,
      rehearsal: true,
    };
    const after: KeyLimits = { 'tag:write': ['a/b'], addresses: ['10.0.0.2'], hours: ['mon 06:00-14:00'] };
    expect(withoutWidening(before, after)).toEqual({
      'tag:write': ['a/b'],
      'tag:read': ['b/*'],
      addresses: ['10.0.0.1'],
      hours: ['mon 06:00-14:00'],
      until,
      rehearsal: true,
    });
  });
});

test.each([
  null,
  undefined,
  7,
  [],
  { until: 'soon' },
  { hours: 'mon' },
  { 'tag:delete': [] },
  { 'tag:write': 'a' },
  { 'tag:write': [7] },
  { rehearsal: false },
])('stored limits that cannot be read (%j) allow nothing', (stored) => {
  expect(readLimits(stored)).toBe(NOTHING_ALLOWED);
  expect(Object.keys(NOTHING_ALLOWED).toSorted()).toEqual([...SCOPES, 'targets', 'addresses'].toSorted());
});
