import { execFile } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { promisify } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { adminAddress, logIn } from './admin-session.ts';
import { UnknownOutcome } from './plain-error.ts';

let server: Server | undefined;
afterEach(() => server?.close());

test.each([
  ['http://127.0.0.1:8091/', 'http://127.0.0.1:8091'],
  // A resolver may answer ::1, on which another account can listen.
  ['http://localhost:8091', 'http://127.0.0.1:8091'],
])('calls the admin API of %s at %s', (text, address) => {
  expect(adminAddress(text)).toBe(address);
});

test.each([
  'http://line-7:8091',
  'https://127.0.0.1:8091',
  'http://[::1]:8091',
  'http://127.0.0.1:8091/api',
  'http://anna:secret@127.0.0.1:8091',
  'http://127.0.0.1.example:8091',
  'line-7',
])('%s is refused, and not repeated', (address) => {
  expect(() => adminAddress(address)).toThrow(/^--address is not an address of this machine; expected one such as/);
});

/** Any server instead of Sluice. */
async function answering(status: number, text: string, headers: Record<string, string> = {}): Promise<string> {
  server = createServer((_request, response) => response.writeHead(status, headers).end(text));
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('a refused log-in is the sentence of the answer', async () => {
  const address = await answering(401, JSON.stringify({ detail: 'Name or password is wrong.' }));
  await expect(logIn(address, 'anna', 'secret')).rejects.toThrow('Name or password is wrong.');
});

test('a redirect is not followed, with the password in it', async () => {
  const address = await answering(307, '{}', { Location: 'http://127.0.0.1:1/api/v1/session' });
  await expect(logIn(address, 'anna', 'secret')).rejects.toThrow('the answer is 307');
});

test('a server that is not Sluice is named', async () => {
  const address = await answering(200, '<html>');
  await expect(logIn(address, 'anna', 'secret')).rejects.toThrow('is no JSON; expected the address of the admin UI');
});

test('nothing that listens is said plainly', async () => {
  const address = await answering(200, '');
  await new Promise((resolve) => server?.close(resolve));
  await expect(logIn(address, 'anna', 'secret')).rejects.toThrow(`Sluice does not answer at ${address}`);
});

const apply = (address: string) =>
  logIn(address, 'anna', 'secret', 200).then((session) =>
    session.call('POST /projects/:project/apply', { path: { project: 'p' }, body: {} } as never),
  );

test.each([
  [
    'an answer that is late',
    () => undefined,
    'no answer within 0.2 s; the change may still be applied; run "sluice plan"',
  ],
  ['a connection that breaks', (socket: Socket) => void socket.destroy(), 'the change may still be applied'],
])('%s leaves the outcome of an apply open', async (_name, onApply, says) => {
  server = createServer((request, response) => {
    if (request.url === '/api/v1/session') response.end('{"csrfToken":"x"}');
    else onApply(request.socket);
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const error: unknown = await apply(address).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(UnknownOutcome);
  expect(String(error)).toContain(says);
  server.closeAllConnections();
});

test('a proxy of the environment does not see the password', async () => {
  const seen: string[] = [];
  const proxy = createServer((request, response) => void response.end(String(seen.push(`${request.url}`))));
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const address = await answering(401, JSON.stringify({ detail: 'It was asked directly.' }));
  const HTTP_PROXY = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const code = `import { logIn } from ${JSON.stringify(new URL('admin-session.ts', import.meta.url).href)};
    await logIn(${JSON.stringify(address)}, 'anna', 'secret').catch((error) => console.log(error.message));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], {
    env: { NODE_USE_ENV_PROXY: '1', HTTP_PROXY, NO_PROXY: '' },
  });
  proxy.close();
  expect(seen).toEqual([]);
  expect(stdout).toContain('It was asked directly.');
});
