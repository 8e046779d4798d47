import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { adminAddress, logIn } from './admin-session.ts';

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
  const address = await answering(307, '', { Location: 'http://127.0.0.1:1/api/v1/session' });
  await expect(logIn(address, 'anna', 'secret')).rejects.toThrow(`Sluice does not answer at ${address}`);
});

test('a server that is not Sluice is named', async () => {
  const address = await answering(200, '<html>');
  await expect(logIn(address, 'anna', 'secret')).rejects.toThrow('is no JSON; expected the address of the admin UI');
});
