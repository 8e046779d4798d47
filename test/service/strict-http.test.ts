import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectOneRefusal, expectRefusal } from '#test/expect-refusal.ts';
import type { TestGateway } from '#test/gateway.ts';
import { JournalTail } from '#test/journal-tail.ts';
import { makeKey, TEST_PROJECT } from '#test/make-key.ts';
import { openRaw, type RawConnection, rawRequest } from '#test/raw-request.ts';
import { until } from '#test/until.ts';
import { ALLOWED_ROWS } from './strict-rows/allowed.ts';
import { startStrictGateway } from './strict-rows/gateway.ts';
import type { StrictRow } from './strict-rows/row.ts';
import { STRICT_ROWS } from './strict-rows/table.ts';
import { UPGRADE_ROWS } from './strict-rows/upgrades.ts';

/**
 * Strict HTTP (docs/spec/requests.md#strict-http) over a raw socket. Behind every refused request a good one is
 * pipelined: it must never be dispatched. Every request carries a valid key, so that whatever ran would have a `use`
 * row in the journal.
 */
const key = makeKey();
const GOOD = `GET /count HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: ${key.value}\r\n\r\n`;
/** After every row: if it were served, the socket would be closed immediately nevertheless. */
const LAST = GOOD.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');
let gateway: TestGateway;

let journal: JournalTail;

/** The new rows of the journal since the last call, and the newest run. */
async function look() {
  const rows = await journal.next();
  const [newest] = await gateway.call('runs', { project: TEST_PROJECT, pipeline: 'count' });
  return { rows, uses: rows.filter(({ type }) => type === 'use').length, newestRun: newest?.id ?? null };
}

const withKey = (bytes: string) => bytes.replaceAll('%KEY%', key.value);

beforeAll(async () => {
  gateway = await startStrictGateway(key);
  journal = new JournalTail(gateway.dataDir);
});
afterAll(() => gateway?.stop());

test('the table has at least 300 rows, with unique names in each family', () => {
  expect(STRICT_ROWS.length).toBeGreaterThanOrEqual(300);
  expect(new Set(STRICT_ROWS.map((row) => `${row.family} ${row.name}`)).size).toBe(STRICT_ROWS.length);
});

test('the valid request on its own is served, and counted in runs and journal', async () => {
  const before = await look();
  const { responses } = await rawRequest(gateway.port, GOOD, { responses: 1 });
  expect(responses[0]?.status).toBe(200);
  const after = await look();
  expect(after.uses).toBe(1);
  expect(after.newestRun).not.toBe(before.newestRun);
});

/** Sends all of it and returns the received bytes until the gateway ends the socket. */
async function send(bytes: string, { fin = false }: Pick<StrictRow, 'fin'> = {}): Promise<RawConnection> {
  await using connection = await openRaw(gateway.port);
  connection.send(bytes);
  if (fin) connection.socket.end();
  const closed = await connection.closed();
  expect(closed.rest.length).toBe(0);
  return connection;
}

describe.each([...new Set(STRICT_ROWS.map((row) => row.family))])('%s', (family) => {
  const rows = STRICT_ROWS.filter((row) => row.family === family);

  test.each(rows)('$name is refused, and nothing after it runs', async (row) => {
    const before = await look();
    const { responses } = await send(withKey(row.bytes) + LAST, row);
    expect(responses.map((response) => response.status)).toHaveLength(1);
    const requestId = expectRefusal(responses[0], row.code);
    const { rows: written, uses, newestRun } = await look();
    expect({ uses, newestRun }).toEqual({ uses: 0, newestRun: before.newestRun });
    expect(written.filter((other) => other.requestId === requestId && other.type !== 'refusal')).toEqual([]);
  });

  test.each(rows)('$name is refused after a valid request, which is the last one to run', async (row) => {
    await look();
    const { responses } = await send(GOOD + withKey(row.bytes) + LAST, row);
    expect(responses.map(({ status }) => status)).toEqual([200, expect.any(Number)]);
    expectOneRefusal(responses[1], row.inPieces ?? [row.code]);
    expect((await look()).uses).toBe(1);
  });

  test.each(rows)('$name is refused when it arrives byte by byte', { timeout: 30_000 }, async (row) => {
    const { code, inPieces = [code] } = row;
    const text = withKey(row.bytes);
    // Long ones are sent in pieces: the states of the parser are the same.
    const step = Math.max(1, Math.floor(text.length / 400));
    await using connection = await openRaw(gateway.port);
    for (let at = 0; at < text.length && connection.responses.length === 0; at += step) {
      connection.send(text.slice(at, at + step));
      await new Promise((resolve) => setImmediate(resolve));
    }
    connection.send(LAST);
    if (row.fin) connection.socket.end();
    const closed = await connection.closed();
    expect(connection.responses).toHaveLength(1);
    expectOneRefusal(connection.responses[0], inPieces);
    expect(closed.rest.length).toBe(0);
  });
});

test.each(Object.entries(ALLOWED_ROWS))(
  '%s is served once, and the data after it is parsed as the next request',
  async (_name, bytes) => {
    await look();
    // HTTP/1.0 ends with its reply.
    const kept = !/ (?:HTTP|RTSP)\/1\.0\r/.test(bytes);
    const { responses } = await send(withKey(bytes) + LAST);
    expect(responses.map(({ status }) => status)).toEqual(kept ? [200, 200] : [200]);
    expect((await look()).uses).toBe(responses.length);
  },
);

test.each([
  ['X_API_Key: a\r\n', '/count', 'a header name has an underscore'],
  ['', '/count?a=%zz', 'the query has a malformed escape'],
  ['', '/count/%c3', 'the path has a malformed escape'],
  ['', '/count?a=1&__proto__=1', 'the query has the forbidden name __proto__'],
  ['', '/count?%5f_proto__', 'the query has the forbidden name __proto__'],
])('the caller receives the error for %j and %s', async (line, target, fault) => {
  const { responses } = await send(`GET ${target} HTTP/1.1\r\nHost: a\r\n${line}\r\n`);
  expectRefusal(responses[0], 'bad_request');
  expect(responses[0]?.json()).toMatchObject({
    detail: `The gateway accepts only strictly valid HTTP/1.0 and HTTP/1.1. Cause: ${fault}.`,
  });
});

describe.each(Object.entries(UPGRADE_ROWS))('%s', (_name, bytes) => {
  const text = withKey(bytes);

  test('is served as if it did not ask for an upgrade, and is the last one on its connection', async () => {
    await look();
    const { responses } = await send(text);
    expect(responses.map(({ status }) => status)).toEqual([200]);
    expect(responses[0]?.header('connection')).toBe('close');
    expect((await look()).uses).toBe(1);
  });

  test.each([
    ['whole', LAST],
    ['cut off by the end of a read', LAST.slice(3)],
    ['that is not HTTP', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ])('a request after it is not read: one in the same packet, %s', async (_how, behind) => {
    await look();
    const { responses } = await send(GOOD + text + behind);
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    expect((await look()).uses).toBe(2);
  });

  test('a request after it is not read: one that arrives byte by byte', async () => {
    await look();
    await using connection = await openRaw(gateway.port);
    for (const byte of text + LAST) {
      connection.send(byte);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await connection.closed();
    expect(connection.responses.map(({ status }) => status)).toEqual([200]);
    expect((await look()).uses).toBe(1);
  });
});

test('with Expect and Upgrade, the body is requested and the upgrade ignored', async () => {
  const head = 'POST /count HTTP/1.1\r\nHost: a\r\nX-API-Key: %KEY%\r\nContent-Length: 2\r\n';
  await using connection = await openRaw(gateway.port);
  connection.send(withKey(`${head}Expect: 100-continue\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n`));
  expect((await connection.next()).status).toBe(100);
  connection.send(`{}${LAST}`);
  expect((await connection.next()).status).toBe(200);
  await connection.closed();
  expect(connection.responses).toHaveLength(2);
});

test('the journal explains why a caller that speaks TLS to the plain port failed', async () => {
  // With more than 50 refusals per second, which earlier tests may cause, some have no single row.
  await until('its row', async () => {
    await new Promise<void>((resolve) => {
      connectTls({ host: '127.0.0.1', port: gateway.port, rejectUnauthorized: false }).on('error', () => resolve());
    });
    return (await look()).rows.some(({ why }) => why?.cause === 'TLS, where plain HTTP is spoken');
  });
});

test.each(['CONNECT 127.0.0.1:80', 'GET /count', 'OPTIONS *', 'PRI *'])(
  'a caller that resets its socket after %s does not bring the gateway down',
  async (line) => {
    for (let tries = 0; tries < 20; tries++) {
      const { socket, closed, send: put } = await openRaw(gateway.port);
      put(withKey(`${line} HTTP/1.1\r\nHost: a\r\nX-API-Key: %KEY%\r\n\r\n`));
      await new Promise((resolve) => setTimeout(resolve, tries % 5));
      socket.resetAndDestroy();
      await closed();
    }
    await until('none of them is left', async () => (await gateway.call('stats', {})).connections === 0);
    const { responses } = await rawRequest(gateway.port, GOOD, { responses: 1 });
    expect(responses[0]?.status).toBe(200);
  },
);

test('a target longer than the parser limit gets 400, in one read or two', async () => {
  await using caller = await openRaw(gateway.port);
  caller.send(Buffer.from(`GET /items/${'x'.repeat(9_000)}`));
  // Another call was answered: the gateway has read the first piece.
  await rawRequest(gateway.port, GOOD, { responses: 1 });
  caller.send(Buffer.from(`${'x'.repeat(9_000)} HTTP/1.1\r\nHost: x\r\n\r\n`));
  expectRefusal(await caller.next(), 'bad_request');
  await using other = await openRaw(gateway.port);
  other.send(Buffer.from(`GET /ok HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(9_000)}`));
  await rawRequest(gateway.port, GOOD, { responses: 1 });
  other.send(Buffer.from(`${'x'.repeat(9_000)}\r\n\r\n`));
  expectRefusal(await other.next(), 'headers_too_large');
});

test('the key sent with all these requests appears in no log line and no journal row', async () => {
  const secret = key.value.slice(17, -6);
  expect(gateway.log()).not.toContain(secret);
  const rows = await gateway.journalRows();
  expect(rows.length).toBeGreaterThan(100);
  expect(JSON.stringify(rows)).not.toContain(secret);
});
