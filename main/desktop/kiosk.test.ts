import { describe, expect, test } from 'vitest';
import { mayDownload } from './download-policy.ts';
import { kioskKey, type KeyPress } from './kiosk-keys.ts';
import { createReloadLimit, mayRelaunch, RELOADS_MAX, RELOADS_WITHIN_MS } from './reload-limit.ts';

function press(code: string, held = ''): KeyPress {
  const [control, alt, shift, meta] = ['c', 'a', 's', 'm'].map((key) => held.includes(key));
  const modifiers = { control: control ?? false, alt: alt ?? false, shift: shift ?? false, meta: meta ?? false };
  return { type: 'keyDown', key: '', code, ...modifiers };
}

describe('in the full screen of a panel', () => {
  test.each([
    ['F4', 'a'],
    ['F11', ''],
    ['F12', ''],
    ['ContextMenu', ''],
    ['Space', 'a'],
    ...['KeyW', 'KeyQ', 'KeyP', 'KeyS', 'KeyO', 'KeyN', 'F4'].map((code): [string, string] => [code, 'c']),
    ['KeyI', 'cs'],
    ['KeyQ', 'm'],
    ['KeyH', 'am'],
  ])('%s with "%s" is ignored', (code, held) => {
    expect(kioskKey(press(code, held))).toBe('block');
  });

  test.each([
    ['KeyA', ''],
    ['KeyW', 's'],
    ['KeyC', 'c'],
    ['KeyV', 'c'],
    ['Tab', ''],
    ['ArrowLeft', ''],
    // AltGr: @ on a German keyboard.
    ['KeyQ', 'ca'],
  ])('%s with "%s" is typed', (code, held) => {
    expect(kioskKey(press(code, held))).toBe('pass');
  });

  test('Ctrl+Alt+Shift+K leaves it, once per press', () => {
    expect(kioskKey(press('KeyK', 'cas'))).toBe('way-out');
    expect(kioskKey({ ...press('KeyK', 'cas'), type: 'keyUp' })).toBe('block');
    expect(kioskKey(press('KeyK', 'ca'))).toBe('pass');
  });

  test('nothing is saved as a file', () => {
    expect(mayDownload('http://127.0.0.1:8091/api/v1/openapi.json', 'http://127.0.0.1:8091', true)).toBe(false);
  });
});

describe('downloads', () => {
  const UI = 'http://127.0.0.1:8091';
  test.each([
    [`${UI}/licenses.txt`, true],
    [`blob:${UI}/6f0c`, true],
    ['http://127.0.0.1:8090/x', false],
    ['https://example.org/a.exe', false],
    ['blob:https://example.org/6f0c', false],
    ['file:///etc/passwd', false],
    ['devtools://devtools/x', false],
  ])('%s may be offered: %s', (target, may) => {
    expect(mayDownload(target, UI, false)).toBe(may);
  });
});

describe('a page that ends', () => {
  test('is reloaded a few times, then a user is asked, and later the count starts over', () => {
    let now = 0;
    const may = createReloadLimit(() => now);
    expect(Array.from({ length: RELOADS_MAX + 1 }, () => may())).toEqual([true, true, true, false]);
    now = RELOADS_WITHIN_MS;
    expect(may()).toBe(true);
  });

  test('a program that fails at its start is not started repeatedly', () => {
    expect([mayRelaunch(5), mayRelaunch(60)]).toEqual([false, true]);
  });
});
