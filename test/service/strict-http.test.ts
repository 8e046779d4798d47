import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ErrorCode } from '#common/errors/catalogue.ts';
import { expectRefusal } from '#test/expect-refusal.ts';
import { startGateway, type TestGateway } from '#test/gateway.ts';
import { makeKey } from '#test/make-key.ts';
import { openRaw, rawRequest } from '#test/raw-request.ts';
import { fixedReply, routePipeline } from '#test/route-pipeline.ts';
import { whatRan } from '#test/what-ran.ts';
import { ALLOWED_ROWS, STRICT_ROWS } from './strict-http-rows.ts';

/**
 * Behaviour 2 over a raw socket. Behind every refused request a good one is pipelined: it must never be dispatched.
 * Every request carries a valid key, so that whatever ran would have a `use` row in the journal.
 */
const key = makeKey();
const GOOD = `GET /count HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: ${key.value}\r\n\r\n`;
let gateway: TestGateway;

const withKey = (bytes: string) => bytes.replaceAll('%KEY%', key.value);

beforeAll(async () => {
  const ingress = (id: string, urlPattern: string) => ({
    id,
    kind: 'rest-api',
    settings: { mode: 'ingress', method: '*', urlPattern },
  });
  const pipeline = routePipeline({ id: 'count', method: '*' as const, path: '/count', ...fixedReply('counted') });
  pipeline.nodes?.push(ingress('items', '/items/:id'));
  pipeline.wires?.push({ from: 'items', port: 'out', to: 'out' });
  gateway = await startGateway({ pipelines: [pipeline], keys: [key] });
});
afterAll(() => gateway?.stop());

test('the table has at least 120 rows, each name once in its family', () => {
  expect(STRICT_ROWS.length).toBeGreaterThanOrEqual(120);
  expect(new Set(STRICT_ROWS.map((row) => `${row.family} ${row.name}`)).size).toBe(STRICT_ROWS.length);
});

test('the good request alone is served, and counted by runs and journal', async () => {
  const before = await whatRan(gateway, 'count');
  const { responses } = await rawRequest(gateway.port, GOOD, { responses: 1 });
  expect(responses[0]?.status).toBe(200);
  const after = await whatRan(gateway, 'count');
  expect(after.uses).toBe(before.uses + 1);
  expect(after.newestRun).not.toBe(before.newestRun);
});

describe.each([...new Set(STRICT_ROWS.map((row) => row.family))])('%s', (family) => {
  const rows = STRICT_ROWS.filter((row) => row.family === family);

  test.each(rows)('$name is refused, and nothing behind it is run', async ({ bytes, code }) => {
    const before = await whatRan(gateway, 'count');
    const { responses, closed } = await rawRequest(gateway.port, withKey(bytes) + GOOD);
    expect(responses.map((response) => response.status)).toHaveLength(1);
    const requestId = expectRefusal(responses[0], code);
    expect(closed?.rest.length).toBe(0);
    expect(await whatRan(gateway, 'count')).toEqual(before);
    expect((await gateway.journalRows(requestId)).filter((row) => row.type !== 'refusal')).toEqual([]);
  });

  test.each(rows)(
    '$name is refused when it comes byte by byte',
    { timeout: 30_000 },
    async ({ bytes, code, inPieces = [code] }) => {
      const text = withKey(bytes);
      // Long ones come in pieces: the parser's states are the same.
      const step = Math.max(1, Math.floor(text.length / 400));
      await using connection = await openRaw(gateway.port);
      for (let at = 0; at < text.length && connection.responses.length === 0; at += step) {
        connection.send(text.slice(at, at + step));
        await new Promise((resolve) => setImmediate(resolve));
      }
      connection.send(GOOD);
      const closed = await connection.closed();
      expect(connection.responses).toHaveLength(1);
      for (const response of connection.responses) {
        const { code: answered } = response.json() as { code: ErrorCode };
        expect(inPieces).toContain(answered);
        expectRefusal(response, answered);
      }
      expect(closed.rest.length).toBe(0);
    },
  );
});

test.each(Object.entries(ALLOWED_ROWS))('%s is served', async (_name, bytes) => {
  const { responses } = await rawRequest(gateway.port, withKey(bytes), { responses: 1 });
  expect(responses.map(({ status }) => status)).toEqual([200]);
});

test('the key that came with all these requests is in no log line and in no journal row', async () => {
  const secret = key.value.slice(17, -6);
  expect(gateway.log()).not.toContain(secret);
  const rows = await gateway.journalRows();
  expect(rows.length).toBeGreaterThan(100);
  expect(JSON.stringify(rows)).not.toContain(secret);
});
