import { request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PERMISSIONS } from '#common/model/records.ts';
import { type Client, createHarness, type Harness, PASSWORD } from './harness.testing.ts';
import { admin, harness, harnessPerFile } from './use-harness.testing.ts';
import { isMutation, neededPermissions } from './guards.ts';
import { JSON_DEPTH_MAX } from './parse-json.ts';
import { CALLS } from './table.ts';

/** Makes every call of the table and checks its access control. */
let before: Harness;
let nothing: Client;
harnessPerFile();
beforeAll(async () => {
  before = await createHarness();
  nothing = await harness.personWith(admin);
});
afterAll(() => before.close());

const calls = CALLS.map((call) => ({
  call,
  name: `${call.method.toUpperCase()} ${call.path}`,
  method: call.method.toUpperCase(),
  path: call.path.replaceAll(/:[a-z]+/gi, 'x1'),
}));
const behindLogIn = calls.filter(({ call }) => call.access !== 'public' && call.access !== 'bearer');

test('only set-up, log-in and metrics need no session', () => {
  const open = calls.filter(({ call }) => call.access === 'public' || call.access === 'bearer').map(({ name }) => name);
  expect(open).toEqual(['POST /setup', 'POST /session', 'GET /metrics']);
});

const mutations = behindLogIn.filter(({ method }) => isMutation(method));
const permitted = behindLogIn.filter(({ call }) => call.access !== 'session');

function bodyFor(method: string): object | undefined {
  return isMutation(method) ? {} : undefined;
}

test.each(behindLogIn)('$name refuses before set-up', async ({ method, path }) => {
  const { status, body } = await before.nobody.send(method, path, bodyFor(method));
  expect([status, body['code']]).toEqual([401, 'setup_needed']);
});

test.each(behindLogIn)('$name refuses without a session', async ({ method, path }) => {
  const { status, body } = await harness.nobody.send(method, path, bodyFor(method));
  expect([status, body['code']]).toEqual([401, 'no_session']);
});

test.each(behindLogIn)('$name refuses the cookie without the CSRF token, and with a wrong one', async (one) => {
  for (const token of ['', 'x', `${admin.csrfToken}x`]) {
    const { method, path } = one;
    const { status, body } = await admin.send(method, path, bodyFor(method), { 'x-csrf-token': token });
    expect([status, body['code']]).toEqual([403, 'csrf_token_wrong']);
  }
});

test.each(permitted)('$name refuses without the permission, naming it', async ({ call, method, path }) => {
  const { status, body } = await nothing.send(method, path, bodyFor(method));
  expect([status, body['code']]).toEqual([403, 'permission_missing']);
  for (const permission of neededPermissions(call.access)) expect(body['detail']).toContain(permission);
});

test.each(mutations)('$name refuses a body that is not JSON', async ({ method, path }) => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const { status, body } = await admin.send(method, path, 'name=x', headers);
  expect([status, body['code']]).toEqual([415, 'unsupported_media_type']);
});

test('each single permission opens only the calls that require it', async () => {
  for (const permission of PERMISSIONS) {
    const person = await harness.personWith(admin, permission);
    for (const { call, method, path } of behindLogIn) {
      const needed = neededPermissions(call.access);
      if (needed.every((one) => one === permission)) continue;
      const { body: problem } = await person.send(method, path, isMutation(method) ? {} : undefined);
      expect(problem['code'], `${method} ${path} with ${permission}`).toBe('permission_missing');
    }
  }
});

/** fetch sets Host itself: this function sends the given one. */
function raw(
  port: number,
  headers: Record<string, string>,
  path = '/api/v1/status',
  method = 'GET',
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = request({ port, host: '127.0.0.1', path, method, headers, setHost: false }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (part: string) => (body += part));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
    });
    sent.on('error', reject).end();
  });
}

describe('Host and Origin', () => {
  test.each(['localhost', '127.0.0.1', '[::1]', 'LOCALHOST'])('%s with the UI port is served', async (name) => {
    expect((await raw(harness.port, { ...admin.headers, host: `${name}:${harness.port}` })).status).toBe(200);
  });

  test.each([
    'evil.example:PORT',
    'localhost',
    '127.0.0.1:1',
    'localhost.:PORT',
    '127.0.0.1:PORT@evil.example',
    '0.0.0.0:PORT',
  ])('Host %s gets 421', async (host) => {
    const { status, body } = await raw(harness.port, {
      ...admin.headers,
      host: host.replace('PORT', String(harness.port)),
    });
    expect([status, JSON.parse(body)]).toMatchObject([421, { code: 'wrong_host' }]);
  });

  test.each([
    'http://evil.example',
    'null',
    'http://localhost',
    'http://127.0.0.1:8090',
    'https://127.0.0.1:PORT',
    'http://127.0.0.1:PORT/',
  ])('Origin %s gets 403', async (origin) => {
    const { status, body } = await admin.send('GET', '/status', undefined, {
      origin: origin.replace('PORT', String(harness.port)),
    });
    expect([status, body['code']]).toEqual([403, 'origin_not_allowed']);
  });

  test('a log-in from another origin is refused before the password is checked', async () => {
    const { status } = await harness.nobody.send(
      'POST',
      '/session',
      { name: 'Ada', password: PASSWORD },
      { origin: 'http://evil.example' },
    );
    expect(status).toBe(403);
  });

  test("the UI's own Origin and a missing one pass", async () => {
    expect((await admin.send('GET', '/status', undefined, { origin: harness.base })).status).toBe(200);
    expect((await admin.send('GET', '/status')).status).toBe(200);
  });
});

describe('the session cookie', () => {
  test('is HttpOnly, SameSite=Strict, for every path, and carries the port in its name', async () => {
    const { headers } = await harness.nobody.send('POST', '/session', { name: 'Ada', password: PASSWORD });
    const [cookie = ''] = headers.getSetCookie();
    expect(cookie).toMatch(
      new RegExp(`^sluice_session_${harness.port}=[\\w-]{43}; Path=/; Expires=[^;]+; HttpOnly; SameSite=Strict$`),
    );
  });

  test('does not count when it is sent twice: one of the two was planted', async () => {
    const { status } = await admin.send('GET', '/session', undefined, {
      cookie: `${admin.cookie}; ${admin.cookie}`,
    });
    expect(status).toBe(401);
  });

  test('does not count when it belongs to another port', async () => {
    const cookie = admin.cookie.replace(String(harness.port), '1');
    expect((await admin.send('GET', '/session', undefined, { cookie })).status).toBe(401);
  });

  test('a CSRF token of another session is wrong', async () => {
    const other = await harness.logIn('Ada');
    const { body } = await admin.send('POST', '/projects', { id: 'a', name: 'A' }, { 'x-csrf-token': other.csrfToken });
    expect(body['code']).toBe('csrf_token_wrong');
  });
});

describe('bodies', () => {
  test.each([
    ['cut off', '{"id":'],
    ['not JSON at all', 'hello'],
    ['with __proto__', '{"__proto__":{"x":1},"id":"a","name":"A"}'],
    ['a list', '[]'],
    ['null', 'null'],
    ['a string', '"x"'],
  ])('a body that is %s gets 400 invalid', async (_what, body) => {
    const answer = await admin.send('POST', '/projects', body);
    expect([answer.status, answer.body['code']]).toEqual([400, 'invalid']);
  });

  test('__proto__ deep inside, where any field is allowed, is refused too', async () => {
    const node = '{"id":"n","kind":"log","settings":{"__proto__":{"admin":true}}}';
    await admin.send('POST', '/projects', { id: 'proto', name: 'Proto' });
    const answer = await admin.send('POST', '/projects/proto/pipelines', `{"id":"p","name":"P","nodes":[${node}]}`);
    expect([answer.status, answer.body['code']]).toEqual([400, 'invalid']);
  });

  test('JSON nested deeper than can be checked or passed on gets 400, also where any value is allowed', async () => {
    await admin.send('POST', '/projects', { id: 'deep', name: 'Deep' });
    const nested = (levels: number) => `{"value":${'['.repeat(levels)}"[[\\"[["${']'.repeat(levels)}}`;
    const variable = (levels: number) => admin.send('PUT', '/projects/deep/variables/x', nested(levels));
    for (const levels of [JSON_DEPTH_MAX, 400_000]) {
      const { status, body } = await variable(levels);
      expect([status, body['detail']]).toEqual([400, expect.stringContaining(`at most ${JSON_DEPTH_MAX} levels deep`)]);
    }
    // That one is passed on; the stub of the gateway keeps no variables.
    expect((await variable(JSON_DEPTH_MAX - 1)).body['code']).not.toBe('invalid');
  });

  test('an unknown field is refused by name in body and query, also where no fields are accepted', async () => {
    const project = await admin.send('POST', '/projects', { id: 'a', name: 'A', colour: 'red' });
    expect(project.body['errors']).toMatchObject([{ path: '', message: 'unknown field "colour"' }]);
    expect((await admin.send('GET', '/status?x=1')).body['code']).toBe('invalid');
    expect((await admin.send('GET', '/audit?user=Ada')).body['code']).toBe('invalid');
    expect((await admin.send('DELETE', '/session', { all: true })).body['code']).toBe('invalid');
  });

  test('a body over 1 MiB gets 413, and one over 16 KiB before log-in', async () => {
    const large = await admin.send('POST', '/projects', { id: 'a', name: 'x'.repeat(1024 * 1024) });
    expect([large.status, large.body['code']]).toEqual([413, 'payload_too_large']);
    const early = await harness.nobody.send('POST', '/session', { name: 'x'.repeat(16 * 1024), password: 'x' });
    expect(early.status).toBe(413);
  });

  test('the body of a caller without a session is not even read', async () => {
    const head = `POST /api/v1/projects HTTP/1.1\r\nHost: 127.0.0.1:${harness.port}\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n`;
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(harness.port, '127.0.0.1', () => socket.write(head));
      socket.on('error', reject).once('data', (data) => {
        resolve(data.toString());
        socket.destroy();
      });
    });
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
  });

  test('a content coding is refused', async () => {
    const answer = await admin.send('POST', '/projects', { id: 'a', name: 'A' }, { 'content-encoding': 'gzip' });
    expect(answer.status).toBe(415);
  });
});

describe('every response', () => {
  test('has a request ID and is neither cached nor sniffed', async () => {
    for (const path of ['/status', '/nothing']) {
      const { headers } = await admin.send('GET', path);
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(headers.get('access-control-allow-origin')).toBeNull();
      expect(headers.get('x-powered-by')).toBeNull();
    }
  });

  test('with an error has problem details with the ID of the request', async () => {
    const { status, body, headers } = await admin.send('GET', '/nothing');
    expect(status).toBe(404);
    expect(headers.get('content-type')).toContain('application/problem+json');
    expect(body).toEqual({
      type: 'urn:sluice:problem:unknown',
      title: 'There is no object with this name or ID',
      status: 404,
      code: 'unknown',
      detail: 'There is no object with this name or ID.',
      requestId: headers.get('x-request-id'),
    });
  });

  test.each([
    'GET /api/v1/projects/',
    'GET /api/v1/Projects',
    'OPTIONS /api/v1/projects',
    'GET /api',
    'PUT /api/v1/projects',
  ])('%s gets 404', async (line) => {
    const [method = '', path = ''] = line.split(' ');
    const { status, body } = await raw(
      harness.port,
      { ...admin.headers, host: `localhost:${harness.port}` },
      path,
      method,
    );
    expect([status, JSON.parse(body)]).toMatchObject([404, { code: 'unknown' }]);
  });

  test('to a path with an invalid escape is 400', async () => {
    const { status, body } = await admin.send('GET', '/projects/%ff');
    expect([status, body['code']]).toEqual([400, 'invalid']);
  });

  test('to an internal error does not describe it, and the log does, under the request ID', async () => {
    harness.deps.projects.projects = () => {
      throw new Error('SECRET DETAIL');
    };
    const { status, body } = await admin.send('GET', '/projects');
    expect([status, body['code']]).toEqual([500, 'internal']);
    expect(JSON.stringify(body)).not.toMatch(/SECRET|\.ts|at /);
    expect(
      harness.logged.some((line) => line.includes('SECRET DETAIL') && line.includes(String(body['requestId']))),
    ).toBe(true);
  });
});
