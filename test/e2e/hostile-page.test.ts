import { request } from 'node:http';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { ADMIN, startService, type TestService } from '#test/service.ts';
import { openBrowser, openPage, type TestBrowser } from './chromium.ts';
import { readFromPage, startStranger, type Stranger, writeFromPage } from './hostile-page.ts';
import { REBOUND } from './launch.ts';
import { logIn } from './steps.ts';

/**
 * Access to the admin API (docs/spec/admin-api.md#access): a user who is logged in to the UI opens an attacker's page.
 * It is on another address, or on another port of the same one, which browsers treat as the same site, so that they
 * send the session cookie. Or its name is rebound to this PC (DNS rebinding).
 */
let service: TestService;
let browser: TestBrowser;
let elsewhere: Stranger;
let neighbour: Stranger;
let victim: Stranger;
let own: Awaited<ReturnType<typeof openPage>>;

// Many pages in one test.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

beforeAll(async () => {
  service = await startService();
  await service.setUp();
  await service.admin.ok('POST', '/projects', { id: 'line-1', name: 'Line 1' });
  await service.admin.ok('POST', '/projects/line-1/pipelines', { id: 'orders', name: 'Orders' });
  browser = await openBrowser();
  elsewhere = await startStranger('127.0.0.2');
  neighbour = await startStranger('127.0.0.1');
  victim = await startStranger('127.0.0.1');
  own = await openPage(browser, service.ready.ui);
  await own.page.goto(service.ready.ui);
  await logIn(own.page, ADMIN);
});

afterAll(async () => {
  await own?.close();
  await browser?.close();
  await service?.stop();
  for (const stranger of [elsewhere, neighbour, victim]) await stranger?.[Symbol.asyncDispose]();
});

/** Everything that an attacker could have changed, and every action in the journal. */
async function state(): Promise<unknown> {
  const { admin } = service;
  const paths = ['/projects', '/projects/line-1/pipelines', '/projects/line-1/keys', '/users', '/roles', '/settings'];
  const values = await Promise.all(paths.map((path) => admin.ok('GET', path)));
  const { items } = await admin.ok<{ items: { type: string; act?: string }[] }>('GET', '/audit?limit=1000');
  // A refused call is recorded, and changed nothing.
  return { values, acts: items.filter(({ type, act }) => type === 'admin' && act !== 'call.refused') };
}

/** A page of the attacker in the window with the session. */
async function pageOf(stranger: Stranger): Promise<Page> {
  const page = await own.page.context().newPage();
  await page.goto(stranger.origin);
  return page;
}

const NOTHING = (read: Record<string, string>) => Object.entries(read).filter(([, text]) => text !== '');

/** Runs in the page of the admin UI. */
const ownSession = async () => {
  const token = localStorage.getItem('sluice.session-token') ?? '';
  return (await fetch('/api/v1/session', { headers: { 'X-CSRF-Token': token } })).status;
};

describe.each([
  ['another address', () => elsewhere],
  ['another port of the same address', () => neighbour],
])('a page on %s', (_where, stranger) => {
  test('cannot read anything', async () => {
    const page = await pageOf(stranger());
    expect(NOTHING(await readFromPage(page, service.ready.ui))).toEqual([]);
    // The frame shows the browser's own error page.
    const framed = page.frames().filter((frame) => frame !== page.mainFrame());
    expect(framed.map((frame) => new URL(frame.url()).protocol)).toEqual(['chrome-error:', 'chrome-error:']);
    await page.close();
  });

  test('cannot change anything', async () => {
    const before = await state();
    const page = await pageOf(stranger());
    await writeFromPage(page, service.ready.ui);
    expect(await state()).toEqual(before);
    await page.close();
    // The session with which it wrote is intact.
    expect(await own.page.evaluate(ownSession)).toBe(200);
  });

  test('can do all of it on a server without guards', async () => {
    const page = await pageOf(stranger());
    await readFromPage(page, victim.origin);
    const framed = page.frames().filter((frame) => frame !== page.mainFrame());
    expect(framed.map((frame) => frame.url())).toEqual([`${victim.origin}/`, `${victim.origin}/api/v1/projects`]);
    const before = victim.seen.length;
    await writeFromPage(page, victim.origin);
    const posts = victim.seen.slice(before).filter((line) => line.startsWith('POST /api/v1/projects '));
    expect(posts.length).toBeGreaterThan(6);
    expect(posts.filter((line) => line.includes('"id":"evil"')).length).toBeGreaterThan(6);
    await page.close();
  });
});

test('a name that resolves to this machine gets no page, no data and no session', async () => {
  const { port } = new URL(service.ready.ui);
  const rebound = `http://${REBOUND}:${port}`;
  const before = await state();
  // A page of that origin, as the attacker's server would have returned it before the name was rebound: without a
  // policy.
  const { page, close } = await openPage(browser, rebound, { bypassCSP: true });
  expect((await page.goto(rebound))?.status()).toBe(421);
  const answers = await page.evaluate(async () => {
    const ask = async (path: string, init?: RequestInit) => {
      const response = await fetch(path, init);
      return `${response.status} ${((await response.json()) as { code: string }).code}`;
    };
    const json = { 'Content-Type': 'application/json', 'X-CSRF-Token': 'x' };
    return [
      await ask('/'),
      await ask('/api/v1/status'),
      await ask('/api/v1/openapi.json'),
      await ask('/api/v1/metrics'),
      await ask('/api/v1/setup', { method: 'POST', headers: json, body: '{}' }),
      await ask('/api/v1/session', { method: 'POST', headers: json, body: '{"name":"admin","password":"x"}' }),
      await ask('/api/v1/projects', { method: 'POST', headers: json, body: '{"id":"evil","name":"Evil"}' }),
    ];
  });
  expect(new Set(answers)).toEqual(new Set(['421 wrong_host']));
  expect(await page.context().cookies()).toEqual([]);
  expect(await state()).toEqual(before);
  await close();
});

describe('requests with the cookie and the token of a session', () => {
  let cookie = '';
  let csrfToken = '';

  beforeAll(async () => {
    const cookies = await own.page.context().cookies(service.ready.ui);
    cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
    csrfToken = await own.page.evaluate(() => localStorage.getItem('sluice.session-token') ?? '');
  });

  /** Sends the given Host header; UI is replaced by the port of the UI. */
  function post(headers: Record<string, string>, body = '{"id":"evil","name":"Evil"}'): Promise<string> {
    const { port, host } = new URL(service.ready.ui);
    const sent: Record<string, string> = { host, cookie, 'content-type': 'application/json', ...headers };
    // Not in the token: its random letters may contain UI.
    for (const name of ['host', 'origin']) if (sent[name] !== undefined) sent[name] = sent[name].replace('UI', port);
    return new Promise((resolve, reject) => {
      const asked = request(
        { host: '127.0.0.1', port, path: '/api/v1/projects', method: 'POST', headers: sent, setHost: false },
        (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (part: string) => (text += part));
          response.on('end', () => resolve(`${response.statusCode} ${(JSON.parse(text) as { code?: string }).code}`));
        },
      );
      asked.on('error', reject).end(body);
    });
  }

  const token = () => ({ 'x-csrf-token': csrfToken });

  test.each([
    `${REBOUND}:UI`,
    `localhost.${REBOUND}:UI`,
    `127.0.0.1.${REBOUND}:UI`,
    '127.0.0.1:1',
    '127.0.0.1',
    '127.0.0.2:UI',
    '0.0.0.0:UI',
    '[::]:UI',
    '[::ffff:127.0.0.1]:UI',
    '127.1:UI',
    '2130706433:UI',
    '0x7f.1:UI',
    'localhost.:UI',
    `localhost:UI@${REBOUND}`,
    `${REBOUND}#localhost:UI`,
    'localhost:UI, localhost:UI',
  ])('the Host %s is refused', async (host) => {
    const before = await state();
    expect(await post({ ...token(), host })).toMatch(/^4(?:21 wrong_host|00 )/);
    expect(await state()).toEqual(before);
  });

  test.each([
    'null',
    'http://evil.example',
    'http://127.0.0.2:UI',
    'http://127.0.0.1:1',
    'http://127.0.0.1',
    'https://127.0.0.1:UI',
    'http://localhost:UI.evil.example',
    'http://localhost:UI/',
    'file://',
    'chrome-extension://abcdefghijklmnop',
    '',
  ])('the Origin "%s" is refused', async (origin) => {
    const before = await state();
    expect(await post({ ...token(), origin })).toBe('403 origin_not_allowed');
    expect(await state()).toEqual(before);
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/json', ''])(
    'a body of the type "%s" is refused, with or without the token',
    async (type) => {
      const before = await state();
      expect(await post({ ...token(), 'content-type': type })).toBe('415 unsupported_media_type');
      expect(await post({ 'content-type': type })).toBe('403 csrf_token_wrong');
      expect(await state()).toEqual(before);
    },
  );

  test('a request with neither Origin nor token is refused', async () => {
    expect(await post({})).toBe('403 csrf_token_wrong');
  });

  test('the request of the UI itself is served', async () => {
    expect(await post({ ...token(), origin: service.ready.ui }, '{"id":"good","name":"Good"}')).toBe('201 undefined');
  });
});
