import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { makeApiKey } from '#common/api-key.ts';
import { createScrubber } from './scrub.ts';

const scrubber = createScrubber([]);

describe('a known secret', () => {
  const secret = 'pässword "1&2"';
  const { text, lines, value } = createScrubber([secret, 'abc']);

  test.each([
    ['as it is', secret],
    ['in JSON', JSON.stringify({ said: secret })],
    ['in a URL', `/login?pw=${encodeURIComponent(secret)}`],
    ['in Base64', Buffer.from(secret).toString('base64')],
    ['in Base64 for URLs', Buffer.from(secret).toString('base64url')],
    ['in hexadecimal', Buffer.from(secret).toString('hex')],
  ])('is found %s', async (_how, form) => {
    const bare = form.replace(/=+$/, '');
    for (const cleaned of [text(`a ${form} b`), await lines(`a ${form} b`), value({ a: form })])
      expect(cleaned).not.toContain(bare);
  });

  test('is found as the name of a field', () => {
    expect(value({ [secret]: 1 })).not.toContain('1&2');
  });

  test('of several lines is found line by line', async () => {
    const many = createScrubber(['first-line-of-it\nsecond-line-of-it']);
    expect(await many.lines('x second-line-of-it\ny')).toBe('x [removed]\ny');
  });

  test('under four characters stays, since half the text would be removed with it', () => {
    expect(text('abc')).toBe('abc');
  });
});

describe('text that looks like a secret', () => {
  const { value: key, id } = makeApiKey(randomBytes);
  const bytes = randomBytes(32).toString('base64url');
  test.each([
    ['an API key', `called with ${key}`, key.slice(17)],
    ['a header', 'Authorization: Bearer abc.def', 'abc.def'],
    ['a header of Sluice', 'x-api-key: short', 'short'],
    ['cookies', 'Cookie: sluice_session_8091=abc; b=def', 'def'],
    ['a bearer token in a sentence', 'sent Bearer abcdef1', 'abcdef1'],
    ['a password in a URL', 'postgres://mes:hunter2@db/x', 'hunter2'],
    ['a password in a line', 'connect host=db password=hunter2 port=1', 'hunter2'],
    ['a password in quotes', '{not json "dbPassword": "hunter 2"}', 'hunter 2'],
    ['a German one', 'Passwort: hunter2', 'hunter2'],
    ['a JSON web token', 'got eyJhbGciOi.eyJzdWIi.c2lnbmF0', 'c2lnbmF0'],
    ['32 random bytes', `read ${bytes}`, bytes.slice(4)],
    ['a private key', '-----BEGIN PRIVATE KEY-----\nZW5naW5l\n-----END PRIVATE KEY-----', 'ZW5naW5l'],
  ])('%s is removed', async (_what, line, secret) => {
    expect(scrubber.text(line)).not.toContain(secret);
    expect(scrubber.text(line)).toMatch(/\[removed\]|…/);
    expect(await scrubber.lines(`before\n${line}\nafter`)).not.toContain(secret);
  });

  test('a key keeps its ID, by which it is found', () => {
    expect(scrubber.text(key)).toBe(`slc_${id}_…`);
  });

  test('a request ID, a time, a route and an error stay readable', () => {
    const line = `2026-03-01T06:00:00.000Z ${randomUUID()} POST /api/v1/orders/:id 401 key_invalid EADDRINUSE 0.0.0.0:8090`;
    expect(scrubber.text(line)).toBe(line);
  });

  test('a slow-matching line does not slow it down', () => {
    const began = performance.now();
    scrubber.text('password'.repeat(8_000));
    scrubber.text(`${'a-'.repeat(32_000)}=`);
    scrubber.text('-----BEGIN A-----'.repeat(2_000));
    expect(performance.now() - began).toBeLessThan(5_000);
  });
});

test('fields that hold secrets, payloads and header values by their name are emptied at any depth', async () => {
  const line = JSON.stringify({
    level: 'info',
    message: 'called',
    keyName: 'MES',
    a: [{ password: 'p1', headers: { accept: 'h1' }, staticHeaders: { 'X-Line': 'h2' } }],
    payload: { order: 'p2' },
    body: 'p3',
    metricsToken: { set: true },
    tlsKey: null,
  });
  const cleaned = await scrubber.lines(line);
  expect(JSON.parse(cleaned)).toEqual({
    level: 'info',
    message: 'called',
    keyName: 'MES',
    a: [{ password: '[removed]', headers: '[removed]', staticHeaders: '[removed]' }],
    payload: '[removed]',
    body: '[removed]',
    metricsToken: { set: true },
    tlsKey: null,
  });
});
