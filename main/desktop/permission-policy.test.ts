import { expect, test } from 'vitest';
import { mayUse } from './permission-policy.ts';

test.each([
  'clipboard-read',
  'clipboard-sanitized-write',
  'display-capture',
  'fileSystem',
  'fullscreen',
  'geolocation',
  'hid',
  'media',
  'midi',
  'notifications',
  'openExternal',
  'pointerLock',
  'serial',
  'usb',
  'unknown',
  'a permission that does not exist yet',
])('a page is refused %s', (permission) => {
  expect(mayUse(permission)).toBe(false);
});
