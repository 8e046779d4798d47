import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RefusalCause } from '#common/errors/refusals.ts';
import { openRaw, requestBytes } from '#test/raw-request.ts';
import { ConnectionLimiter } from './connection-limiter.ts';
import { CoreDispatcher } from './core-dispatcher.ts';
import { emptyContext, type RecordedRefusal } from './empty-context.testing.ts';
import type { GatewayContext } from './gateway-context.ts';
import { recordRefusedSocket } from './refusal.ts';
import { createGatewayServer, type GatewayServer } from './server.ts';

/**
 * How refusals are grouped (docs/spec/journal.md#refusals): without a key by network. The owner of a network can use
 * all its addresses, so single rows for each of them would displace the rows of others.
 */
let refused: RecordedRefusal[];
let edge: GatewayContext;
let server: GatewayServer;
let port: number;

beforeEach(async () => {
  ({ edge, refused } = emptyContext());
  server = createGatewayServer(new CoreDispatcher(edge, new ConnectionLimiter()), null);
  port = await server.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(() => server.destroy());

async function send(bytes: Uint8Array | string, localAddress: string): Promise<void> {
  await using caller = await openRaw(port, { localAddress });
  caller.send(bytes);
  await caller.next();
}

test.each([
  ['a path without a route', requestBytes({ path: '/nowhere' })],
  ['a head that is not strict HTTP', requestBytes({ path: '/', headers: { X_Bad: 'a' } })],
  ['bytes that are not HTTP', '\0\0\r\n\r\n'],
])('%s is counted for the network of its caller', async (_name, bytes) => {
  for (const address of ['127.50.1.1', '127.50.1.2', '127.50.2.1']) await send(bytes, address);
  expect(refused.map(({ row }) => row.ip)).toEqual(['127.50.1.1', '127.50.1.2', '127.50.2.1']);
  const [first, neighbour, stranger] = refused.map(({ foldKey }) => foldKey);
  expect([neighbour === first, stranger === first]).toEqual([true, false]);
});

test('a socket that cannot be answered is counted for its network and its cause', () => {
  const record = (peer: string, cause: RefusalCause) => recordRefusedSocket(edge, peer, 'bad_request', cause, {});
  record('fd00::1', 'tls_handshake');
  record('fd00::2:3', 'tls_handshake');
  record('fd00:0:0:1::1', 'tls_handshake');
  record('fd00::1', 'tls_plain_http');
  expect(new Set(refused.map(({ foldKey }) => foldKey)).size).toBe(3);
});
