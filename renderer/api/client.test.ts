import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { call, callText } from './client.ts';

afterEach(() => void vi.unstubAllGlobals());

/** The page's own origin, which answers as `answer` does; the browser's fetch is that of Node. */
async function originThat(answer: (response: ServerResponse) => void): Promise<AsyncDisposable> {
  const server = createServer((_, response) => answer(response));
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

test('an answer that is cut in its middle is an appliance that does not answer', async () => {
  await using _ = await originThat((response) => {
    response.writeHead(200, { 'Content-Length': 100 });
    response.write('{"revision":', () => response.destroy());
  });
  await expect(call('GET /status')).rejects.toMatchObject({ name: 'ApiError', code: 'unreachable' });
  await expect(callText('GET /status')).rejects.toMatchObject({ name: 'ApiError', code: 'unreachable' });
});

test('a response that is not JSON is reported as an error of its own, not as a broken page', async () => {
  await using _ = await originThat((response) => void response.end('<html>a proxy between'));
  await expect(call('GET /status')).rejects.toMatchObject({ name: 'ApiError', code: 'internal', status: 200 });
});
