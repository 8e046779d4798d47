import { expect } from 'vitest';
import { routePipeline } from '#test/route-pipeline.ts';
import { startService } from '#test/service.ts';

/**
 * Starts a packaged `sluice` like a user without anything else on the machine, and expects its UI, a keyed route with a
 * script in it (WebAssembly, a thread), that route from an HTTP thread, and a clean end.
 */
export async function expectToServe(program: readonly [string, ...string[]]): Promise<void> {
  await using service = await startService([], { program, env: { NODE_PATH: '' } });
  await service.setUp();
  const page = await fetch(service.ready.ui);
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(await page.text())?.[1] ?? 'no script in the page';
  expect(await statusOf(service.ready.ui + script)).toBe(200);

  const { admin, ready } = service;
  await admin.ok('POST', '/projects', { id: 'line', name: 'Line' });
  const code = 'export default (msg) => ({ status: 200, body: { doubled: msg.payload.query.n * 2 } })';
  const middle = [{ kind: 'transform', settings: { scopes: [], code } }];
  await admin.run('line', routePipeline({ id: 'doubled', path: '/doubled', middle }));
  const { key } = await admin.ok<{ key: string }>('POST', '/projects/line/keys', { name: 'test', scopes: [] });
  const url = `${ready.gateway}/doubled?n=21`;
  expect(await statusOf(url)).toBe(401);
  const answers = async () => {
    const answer = await fetch(url, { headers: { 'X-API-Key': key, Connection: 'close' } });
    expect([answer.status, await answer.json()]).toEqual([200, { doubled: 42 }]);
  };
  await answers();
  await admin.ok('PATCH', '/settings', { workers: 2 });
  await answers();
  expect(await service.stop()).toBe(0);
}

/** Reads the response to its end: an unread one keeps its socket. */
async function statusOf(url: string): Promise<number> {
  const response = await fetch(url);
  await response.arrayBuffer();
  return response.status;
}
