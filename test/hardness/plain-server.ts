/**
 * The baseline of `slow-clients.ts`, as a process of its own: bare node:http with the gateway's time limits, as far as
 * Node has them, and nothing else. It replies at once, to a path that ends in /large with as many characters as its
 * argument specifies. Prints its port and ends with its parent.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const [largeChars = '0'] = process.argv.slice(2);
const large = JSON.stringify({ text: 'x'.repeat(Number(largeChars)) });
const limits = {
  headersTimeout: 5_000,
  requestTimeout: 15_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 500,
};

const server = createServer(limits, (request, response) => {
  request.resume().on('end', () => response.end(request.url === '/large' ? large : '{"ok":true}'));
});
server.listen({ host: '0.0.0.0', port: 0, backlog: 4_096 }, () =>
  process.send?.({ port: (server.address() as AddressInfo).port }),
);
process.on('disconnect', () => process.exit(0));
