import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A target that accepts every event immediately, in a separate process: it counts keys, so that repeated events are
 * detected. Answers each message of its parent with a report, and ends with its parent.
 */
export interface TargetReport {
  readonly received: number;
  readonly distinct: number;
}

const keys = new Set<string>();
let received = 0;
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    received += 1;
    keys.add(String(request.headers['idempotency-key']));
    response.writeHead(200, { 'Content-Length': 0 }).end();
  });
});
process.on('message', () => process.send?.({ received, distinct: keys.size } satisfies TargetReport));
process.on('disconnect', () => process.exit(0));
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
