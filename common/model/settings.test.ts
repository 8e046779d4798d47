import { expect, test } from 'vitest';
import { settingsSchema, unservedSettings } from './settings.ts';

test('several workers are refused where threads cannot share a port', () => {
  const several = settingsSchema.parse({ workers: 2 });
  expect(unservedSettings(several, 'linux')).toEqual([]);
  for (const platform of ['win32', 'darwin'])
    expect(unservedSettings(several, platform)).toMatchObject([
      { path: 'workers', message: 'several workers are supported on Linux only; expected 1' },
    ]);
  expect(unservedSettings(settingsSchema.parse({}), 'win32')).toEqual([]);
});

test.each([0, 17, 1.5])('%s workers are refused', (workers) => {
  expect(settingsSchema.safeParse({ workers }).error?.issues).toMatchObject([
    { path: ['workers'], message: 'expected a whole number from 1 to 16' },
  ]);
});
