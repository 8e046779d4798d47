import { describe, expect, test } from 'vitest';
import { mayNavigate, mayOpenOutside, mayRequest } from './navigation-policy.ts';

const UI = 'http://127.0.0.1:8091';

describe('navigation', () => {
  test('pages of the UI can be opened, whatever their path', () => {
    expect(mayNavigate(`${UI}/`, UI)).toBe(true);
    expect(mayNavigate(`${UI}/settings/api-keys?project=a#b`, UI)).toBe(true);
  });

  test.each([
    ['another port of this PC, such as the gateway', 'http://127.0.0.1:8090/'],
    ['another name of the same address', 'http://localhost:8091/'],
    ['another scheme', 'https://127.0.0.1:8091/'],
    ['a host that begins like the address', 'http://127.0.0.1:8091.example.org/'],
    ['the address as a user name', 'http://127.0.0.1:8091@example.org/'],
    ['the UI with credentials', 'http://a:b@127.0.0.1:8091/'],
    ['a file', 'file:///etc/passwd'],
    ['a script', 'javascript:alert(1)'],
    ['a document in the address', 'data:text/html,hello'],
    ['a blob of the UI', `blob:${UI}/6f0c`],
    ['an empty page', 'about:blank'],
    ['no address at all', 'not an address'],
  ])('%s cannot be opened', (_name, target) => {
    expect(mayNavigate(target, UI)).toBe(false);
  });
});

describe('requests', () => {
  test('the UI loads from its own origin and from its own blobs', () => {
    expect(mayRequest(`${UI}/assets/index.js`, UI)).toBe(true);
    expect(mayRequest(`blob:${UI}/6f0c`, UI)).toBe(true);
  });

  test.each([
    ['https://example.org/a.js'],
    ['http://127.0.0.1:8090/'],
    ['blob:https://example.org/6f0c'],
    ['file:///etc/passwd'],
    ['ws://127.0.0.1:8091/'],
  ])('%s is not loaded', (target) => {
    expect(mayRequest(target, UI)).toBe(false);
  });
});

describe('links to the system browser', () => {
  test('a plain https address may be opened', () => {
    expect(mayOpenOutside('https://example.org/manual#keys')).toBe(true);
  });

  test.each([
    ['http://example.org/'],
    ['file:///etc/passwd'],
    ['javascript:alert(1)'],
    ['https://user:secret@example.org/'],
    ['ms-settings:network'],
    ['smb://host/share'],
    [`https://example.org/${'a'.repeat(1_000)}`],
    ['https://'],
    [''],
  ])('"%s" may not', (target) => {
    expect(mayOpenOutside(target)).toBe(false);
  });
});
