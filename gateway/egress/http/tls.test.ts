import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import type { ServerOptions } from 'node:https';
import tls, { type TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Authority, makeAuthority } from '#test/peers/server-certificate.ts';
import type { HttpClient, HttpResult, TlsMaterial } from './contract.ts';
import { ask, bodyOf, Opened, type TestTarget } from './target.testing.ts';

interface Pair {
  readonly cert: string;
  readonly key: string;
}

const opened = new Opened();
let authority: Authority;
let named: Pair;
let addressed: Pair;
let person: Pair;

beforeAll(async () => {
  authority = await makeAuthority(userInfo().username, 'DNS:mes.example');
  const read = (): Pair => ({
    cert: readFileSync(authority.certFile, 'utf8'),
    key: readFileSync(authority.keyFile, 'utf8'),
  });
  named = read();
  authority.issue('IP:127.0.0.1');
  addressed = read();
  authority.issue('email:line7@plant.example');
  person = read();
});
afterEach(() => opened.close());
afterAll(() => authority[Symbol.asyncDispose]());

const material = (tls: Partial<TlsMaterial>): TlsMaterial => ({ ca: null, certificate: null, key: null, ...tls });

function serve(options: ServerOptions): Promise<TestTarget> {
  return opened.http((req, res) => {
    const { subjectaltname } = (req.socket as TLSSocket).getPeerCertificate();
    res.end(`hello ${subjectaltname ?? 'nobody'}`);
  }, options);
}

/** A client for which every name is 127.0.0.1. */
function clientFor({ port }: TestTarget): HttpClient {
  return opened.client(
    { allowedInternalTargets: [`127.0.0.1:${port}`] },
    { lookUp: () => Promise.resolve(['127.0.0.1']) },
  );
}

function call(target: TestTarget, tls: TlsMaterial | null, host = 'mes.example'): Promise<HttpResult> {
  return ask(clientFor(target), `https://${host}:${target.port}`, { tls });
}

describe('a target called over TLS', () => {
  test('must present a certificate of a trusted authority, for its name', async () => {
    const target = await serve(named);
    expect(bodyOf(await call(target, material({ ca: authority.ca })))).toBe('hello nobody');
  });

  test('may be an address, if its certificate names it', async () => {
    const tls = material({ ca: authority.ca });
    expect(bodyOf(await call(await serve(addressed), tls, '127.0.0.1'))).toBe('hello nobody');
    expect(await call(await serve(named), tls, '127.0.0.1')).toMatchObject({
      kind: 'unreachable',
      text: 'the certificate of the target is for another name (ERR_TLS_CERT_ALTNAME_INVALID)',
    });
  });

  test('with the certificate of another name is unreachable', async () => {
    const target = await serve(addressed);
    expect(await call(target, material({ ca: authority.ca }))).toMatchObject({
      kind: 'unreachable',
      text: 'the certificate of the target is for another name (ERR_TLS_CERT_ALTNAME_INVALID)',
    });
    expect(target.requests).toEqual([]);
  });

  test.each([
    ['the public authorities', () => null],
    ['another own authority', () => material({ ca: authority.strangerCa })],
  ])('is not trusted with %s', async (_what, tls) => {
    const target = await serve(named);
    const result = await call(target, tls());
    expect(result).toMatchObject({ kind: 'unreachable' });
    expect(JSON.stringify(result)).toContain('not signed by an authority that is trusted (');
    expect(target.requests).toEqual([]);
  });

  test('is verified whatever the environment says', async () => {
    const target = await serve(named);
    const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    try {
      expect(await call(target, null)).toMatchObject({ kind: 'unreachable' });
    } finally {
      if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
      else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before;
    }
  });

  test('older than 1.2 is unreachable', async () => {
    const old = { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
    const target = await serve({ ...named, ...old });
    // As with NODE_OPTIONS=--tls-min-v1.0: Node's own minimum version is 1.2 otherwise.
    const usual = { min: tls.DEFAULT_MIN_VERSION, ciphers: tls.DEFAULT_CIPHERS };
    tls.DEFAULT_MIN_VERSION = 'TLSv1';
    tls.DEFAULT_CIPHERS = old.ciphers;
    const result = await call(target, material({ ca: authority.ca }));
    tls.DEFAULT_MIN_VERSION = usual.min;
    tls.DEFAULT_CIPHERS = usual.ciphers;
    expect(result).toMatchObject({
      kind: 'unreachable',
      text: 'the target speaks no TLS as new as 1.2 (ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION)',
    });
  });

  test('that does not speak TLS is reported as such', async () => {
    const target = await opened.http((_req, res) => res.end());
    expect(await call(target, null)).toMatchObject({
      kind: 'unreachable',
      text: 'the target does not speak TLS at this port (ERR_SSL_WRONG_VERSION_NUMBER)',
    });
  });

  test('gets the client certificate of this call only if it asks for one', async () => {
    const target = await serve({ ...named, requestCert: true, rejectUnauthorized: true, ca: authority.ca });
    const client = clientFor(target);
    const origin = `https://mes.example:${target.port}`;
    const tls = material({ ca: authority.ca, certificate: person.cert, key: person.key });
    expect(bodyOf(await ask(client, origin, { tls }))).toBe('hello email:line7@plant.example');
    expect(bodyOf(await ask(client, origin, { tls: { ...tls } }))).toBe('hello email:line7@plant.example');
    expect(target.connections).toHaveLength(1);
    expect(await ask(client, origin, { tls: material({ ca: authority.ca }) })).toMatchObject({
      kind: 'unreachable',
      text: 'the target asks for a client certificate (ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED)',
    });
  });

  test('that ends a kept connection when a call arrives gets it once more, unless its response began', async () => {
    const used = new Set<unknown>();
    const target = await opened.http((req, res) => {
      const isFirst = !used.has(req.socket);
      used.add(req.socket);
      if (isFirst) res.end('ok');
      else if (req.url === '/begun') req.socket.write('HTTP/1.1 2', () => req.socket.destroy());
      else req.socket.destroy();
    }, named);
    const client = clientFor(target);
    const tls = material({ ca: authority.ca });
    const get = (path: string) => ask(client, `https://mes.example:${target.port}`, { tls, path });
    expect(await get('/')).toMatchObject({ kind: 'answered', repeated: false });
    expect(await get('/lost')).toMatchObject({ kind: 'answered', repeated: true });
    expect(await get('/')).toMatchObject({ kind: 'answered', repeated: false });
    expect(await get('/begun')).toMatchObject({ kind: 'unreachable', repeated: false });
    expect(target.requests).toEqual(['GET /', 'GET /lost', 'GET /lost', 'GET /', 'GET /begun']);
  });

  test('may be trusted by any of several authorities, all of which must be readable', async () => {
    const target = await serve(named);
    const both = `${authority.strangerCa}\n${authority.ca}`;
    expect(bodyOf(await call(target, material({ ca: both })))).toBe('hello nobody');
    const broken = `${authority.ca}\n-----BEGIN CERTIFICATE-----\nhidden\n-----END CERTIFICATE-----`;
    const result = await call(target, material({ ca: broken }));
    expect(JSON.stringify(result)).toContain('the TLS settings cannot be used');
  });

  test('with unusable settings is unreachable, without their text', async () => {
    const target = await serve(named);
    const secret = '-----BEGIN PRIVATE KEY-----\nhidden\n-----END PRIVATE KEY-----';
    const result = await call(target, material({ certificate: person.cert, key: secret }));
    expect(result).toMatchObject({ kind: 'unreachable' });
    expect(JSON.stringify(result)).toContain('the TLS settings cannot be used');
    expect(JSON.stringify(result)).not.toContain('hidden');
  });
});
