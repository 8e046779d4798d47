import { expect, test } from 'vitest';
import type { SetupCheck } from '#common/model/setup-test.ts';
import { changesOf, faultsOf, inputOf } from './address-input.ts';
import { blocks } from './finding-text.ts';

test('an unavailable port blocks the next step, and a suspicious address does not', () => {
  const of = (check: SetupCheck, ok: boolean | null) => blocks({ check, ok, code: 'taken', values: {} });
  expect([of('gatewayPort', false), of('uiPort', false), of('gatewayPort', null), of('address', false)]).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

const input = { baseUrl: 'http://edge-7', gatewayPort: '8090', uiPort: '8091' };

test('the input is checked field by field', () => {
  expect(faultsOf(input)).toEqual([]);
  expect(faultsOf({ baseUrl: 'edge-7:80', gatewayPort: '0', uiPort: '65536' })).toEqual([
    'baseUrl',
    'gatewayPort',
    'uiPort',
  ]);
});

test('only changes are saved, and nothing that a flag overrides', () => {
  const typed = { ...input, baseUrl: ' http://10.20.4.12 ', gatewayPort: '8095' };
  expect(changesOf(typed, input, [])).toEqual({ baseUrl: 'http://10.20.4.12', gatewayPort: 8095 });
  expect(changesOf(typed, input, ['gatewayPort'])).toEqual({ baseUrl: 'http://10.20.4.12' });
  expect(changesOf(input, input, [])).toEqual({});
});

test('the field shows the port that was found for "any free port"', () => {
  const settings = { baseUrl: 'http://edge-7', gatewayPort: 0, uiPort: 8091, overridden: [] };
  const running = { gatewayPort: 40_123, uiPort: 40_124 };
  expect(inputOf(settings as unknown as Parameters<typeof inputOf>[0], running)).toMatchObject({
    gatewayPort: '40123',
    uiPort: '8091',
  });
});
