import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ErrorCode } from '#common/errors/catalogue.ts';
import { expectRefusal } from '#test/expect-refusal.ts';
import { startGateway, type TestGateway } from '#test/gateway.ts';
import { makeKey, unknownKey } from '#test/make-key.ts';
import { call, type Call, type ConnectOptions, openRaw, requestBytes } from '#test/raw-request.ts';
import { fixedReply, routePipeline } from '#test/route-pipeline.ts';
import { testCertificate } from '#test/test-certificate.ts';
import { bytesRead, heldBytes, upload } from '#test/upload.ts';

/**
 * Bodies without a key (docs/spec/requests.md#steps): before step 4 has passed, at most 128 KiB is ever read. A caller
 * that sends a gigabyte is refused immediately, and its socket is closed a second later. The number of bytes read is
 * the kernel's own count of the process's reads.
 */
const KIB = 1024;
const MIB = 1024 * KIB;
const BODY_BYTES = 1024 * MIB;
const PIECE_BYTES = 256 * KIB;
const READ_BYTES_MAX = 128 * KIB;
/** The process has its own reads too: messages between its threads, and /proc. */
const OWN_BYTES_MAX = 16 * KIB;
const GROWTH_BYTES_MAX = 32 * MIB;
const ANSWER_MS_MAX = 2_000;
/** A second, and a margin for a busy machine. */
const CLOSED_MS_MAX = 3_500;

const ONE_BY_ONE = { concurrent: false };

const key = makeKey();
const PAGE = 'http://hmi.example';
const route = { maxPayloadSize: '64 MB' };
const pipelines = () => [
  routePipeline({ id: 'take', method: 'POST', path: '/take', route, ...fixedReply('taken') }),
  routePipeline({
    id: 'page',
    method: 'POST',
    path: '/page',
    route: { ...route, corsEnabled: true, allowedOrigins: [PAGE] },
    ...fixedReply('taken'),
  }),
  routePipeline({
    id: 'elsewhere',
    method: 'POST',
    path: '/elsewhere',
    route: { ...route, authType: 'none', allowedIps: ['10.0.0.0/8'] },
    ...fixedReply('taken'),
  }),
];

const LENGTH = { 'Content-Length': String(BODY_BYTES) };
const CHUNKED = { 'Transfer-Encoding': 'chunked' };
const PLAIN_PIECE = Buffer.alloc(PIECE_BYTES);
const CHUNK = Buffer.concat([Buffer.from(`${PIECE_BYTES.toString(16)}\r\n`), PLAIN_PIECE, Buffer.from('\r\n')]);
const SMALL_CHUNKS = Buffer.from('1\r\nx\r\n'.repeat(PIECE_BYTES / 6));

interface Row {
  name: string;
  headers: Record<string, string>;
  piece: Buffer;
}

const FORMS: Row[] = [
  { name: 'a declared length', headers: LENGTH, piece: PLAIN_PIECE },
  { name: 'chunks', headers: CHUNKED, piece: CHUNK },
  { name: 'chunks of one byte', headers: CHUNKED, piece: SMALL_CHUNKS },
  { name: 'Expect and a declared length', headers: { ...LENGTH, Expect: '100-continue' }, piece: PLAIN_PIECE },
  { name: 'Expect and chunks', headers: { ...CHUNKED, Expect: '100-continue' }, piece: CHUNK },
];

const CALLERS: { who: string; call: Call; code: ErrorCode | null }[] = [
  { who: 'without a key', call: { path: '/take' }, code: 'key_missing' },
  { who: 'with an unknown key', call: { path: '/take', key: unknownKey() }, code: 'key_invalid' },
  { who: 'with half a key', call: { path: '/take', key: 'slc_abc' }, code: 'key_invalid' },
  { who: 'to no route', call: { path: '/nowhere', key: key.value }, code: 'not_found' },
  { who: 'from a wrong address', call: { path: '/elsewhere' }, code: 'ip_not_allowed' },
  {
    who: 'from a page that may not',
    call: { path: '/page', key: key.value, headers: { Origin: 'http://other.example' } },
    code: 'origin_not_allowed',
  },
  {
    who: 'as a preflight',
    call: { method: 'OPTIONS', path: '/page', headers: { Origin: PAGE, 'Access-Control-Request-Method': 'POST' } },
    code: null,
  },
];

// Nearly every test waits a second. The gateways wait in parallel; the tests of one run one by one, because its reads
// are counted.
describe.concurrent.each(['plain', 'over TLS', 'in HTTP threads'])(
  '%s: uploads of a gigabyte',
  { timeout: 30_000 },
  (how) => {
    let gateway: TestGateway;
    let connect: ConnectOptions = {};

    beforeAll(async () => {
      const proof = how === 'over TLS' ? await testCertificate() : null;
      if (proof !== null) connect = { tls: proof.trust };
      const settings = how === 'in HTTP threads' ? { workers: 3 } : proof?.settings;
      gateway = await startGateway({ keys: [key], pipelines: pipelines(), ...(settings && { settings }) });
    });
    afterAll(() => gateway?.stop());

    /** Sends the gigabyte regardless of responses, and checks the outcome. */
    async function expectRefused(row: Row, request: Call, code: ErrorCode | null): Promise<void> {
      await using connection = await openRaw(gateway.port, connect);
      const [before, held] = [await bytesRead(gateway.pid), await heldBytes(gateway.pid)];
      const sentMs = performance.now();
      connection.send(requestBytes({ method: 'POST', ...request, headers: { ...request.headers, ...row.headers } }));
      const sending = upload(connection.socket, row.piece, BODY_BYTES);
      const answer = await connection.next();
      expect(performance.now() - sentMs).toBeLessThan(ANSWER_MS_MAX);
      if (code === null) expect([answer.status, answer.header('connection')]).toEqual([204, 'close']);
      else expectRefusal(answer, code);
      await connection.closed();
      await sending;
      expect(performance.now() - sentMs).toBeLessThan(CLOSED_MS_MAX);
      // No 100 before it, and nothing after it.
      expect(connection.responses).toHaveLength(1);
      const read = ((await bytesRead(gateway.pid)) ?? 0) - (before ?? 0);
      expect(read).toBeLessThanOrEqual(READ_BYTES_MAX + OWN_BYTES_MAX);
      expect(((await heldBytes(gateway.pid)) ?? 0) - (held ?? 0)).toBeLessThan(GROWTH_BYTES_MAX);
      expect((await gateway.call('stats', {})).bodyBytes).toBe(0);
    }

    // Threads differ only in who requests the body, not in its form; small pieces are read most often.
    const forms = how === 'in HTTP threads' ? FORMS.slice(2, 3) : FORMS;
    test.each(forms.flatMap((row) => CALLERS.map((caller) => ({ ...caller, row, form: row.name }))))(
      'with $form, $who, at most 128 KiB are read',
      ONE_BY_ONE,
      ({ row, call: request, code }) => expectRefused(row, request, code),
    );

    test('a valid caller is served during twenty of them', ONE_BY_ONE, async () => {
      const [row] = FORMS;
      if (row === undefined) throw new Error('there is no form');
      const floods = Array.from({ length: 20 }, () => expectRefusedTogether(row));
      for (let calls = 0; calls < 20; calls++) {
        const answer = await call(gateway.port, { method: 'POST', path: '/take', key: key.value, body: '{}', connect });
        expect(answer.status).toBe(200);
      }
      await Promise.all(floods);
    });

    async function expectRefusedTogether(row: Row): Promise<void> {
      await using connection = await openRaw(gateway.port, connect);
      connection.send(requestBytes({ method: 'POST', path: '/take', headers: row.headers }));
      const sending = upload(connection.socket, row.piece, BODY_BYTES);
      expectRefusal(await connection.next(), 'key_missing');
      await connection.closed();
      await sending;
    }

    test('with a valid key more than that is read', ONE_BY_ONE, async () => {
      const before = await bytesRead(gateway.pid);
      const body = Buffer.alloc(4 * MIB);
      const request = { method: 'POST', path: '/take', key: key.value, body, connect, timeoutMs: 20_000 };
      expect((await call(gateway.port, request)).status).toBe(200);
      if (before !== null) expect((await bytesRead(gateway.pid)) ?? 0).toBeGreaterThan(before + 4 * MIB);
    });
  },
);
