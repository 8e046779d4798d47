import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { call, callText, everyItem } from './client.ts';

afterEach(() => void vi.unstubAllGlobals());

/** The page's own origin, with the responses of `answer`; the browser's fetch is that of Node. */
async function originThat(
  answer: (response: ServerResponse, request: IncomingMessage) => void,
): Promise<AsyncDisposable> {
  const server = createServer((request, response) => answer(response, request));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const ask = globalThis.fetch;
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => ask(`http://127.0.0.1:${port}${path}`, init));
  return {
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

test('a truncated response counts as an appliance that does not answer', async () => {
  await using _ = await originThat((response) => {
    response.writeHead(200, { 'Content-Length': 100 });
    response.write('{"revision":', () => response.destroy());
  });
  await expect(call('GET /status')).rejects.toMatchObject({ name: 'ApiError', code: 'unreachable' });
  await expect(callText('GET /status')).rejects.toMatchObject({ name: 'ApiError', code: 'unreachable' });
});

test('a response that is not JSON is reported as its own error, not as a broken page', async () => {
  await using _ = await originThat((response) => void response.end('<html>a proxy between'));
  await expect(call('GET /status')).rejects.toMatchObject({ name: 'ApiError', code: 'internal', status: 200 });
});

test('every page of a list is requested with the same filter', async () => {
  const asked: (string | undefined)[] = [];
  await using _ = await originThat((response, { url }) => {
    asked.push(url);
    response.end(JSON.stringify({ items: [asked.length], next: asked.length === 1 ? 'c2' : null }));
  });
  const input = { query: { user: 'Ada' } } as unknown as Parameters<typeof everyItem<'GET /audit'>>[1];
  expect(await everyItem('GET /audit', input)).toEqual([1, 2]);
  expect(asked).toEqual(['/api/v1/audit?user=Ada', '/api/v1/audit?user=Ada&cursor=c2']);
});
