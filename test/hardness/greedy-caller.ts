import { connect } from 'node:net';

/**
 * One greedy caller at full force, in a separate process: on each of its connections it sends the next request as soon
 * as the last one is answered, and opens the connection again when it is closed. Begins with its parent's message, a
 * GreedyOrder, answers the next one with the outcome of its calls, and ends with its parent.
 */
export interface GreedyOrder {
  readonly port: number;
  readonly connections: number;
  /** Number of addresses, from 127.60.0.1 on. */
  readonly addresses: number;
  /** Heads of its requests in base64, sent in turn; empty: it opens connections and sends nothing. */
  readonly heads: readonly string[];
  /** The body of each, in base64. */
  readonly body: string;
}

export interface GreedyResult {
  readonly sent: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly closed: number;
}

const AGAIN_MS = 20;
let sent = 0;
let closed = 0;
const statuses: Record<string, number> = {};

interface Requests {
  readonly heads: readonly Buffer[];
  readonly body: Buffer;
}

function open(order: GreedyOrder, requests: Requests, n: number): void {
  const at = n % order.addresses;
  const localAddress = `127.60.${at >> 8}.${at & 255 || 1}`;
  const socket = connect({ host: '127.0.0.1', port: order.port, localAddress, noDelay: true });
  const send = (): void => {
    const head = requests.heads[sent % requests.heads.length];
    if (head === undefined) return;
    sent += 1;
    socket.cork();
    socket.write(head);
    socket.write(requests.body);
    socket.uncork();
  };
  socket.on('connect', send);
  socket.on('error', () => undefined);
  socket.on('data', (chunk: Buffer) => {
    const status = /^HTTP\/1\.1 (\d{3})/.exec(chunk.toString('latin1', 0, 16))?.[1];
    if (status === undefined) return;
    statuses[status] = (statuses[status] ?? 0) + 1;
    setTimeout(send, AGAIN_MS);
  });
  socket.on('close', () => {
    closed += 1;
    setTimeout(() => open(order, requests, n), AGAIN_MS);
  });
}

process.on('message', (message: GreedyOrder | 'result') => {
  if (message === 'result') return void process.send?.({ sent, statuses, closed } satisfies GreedyResult);
  const heads = message.heads.map((head) => Buffer.from(head, 'base64'));
  const requests = { heads, body: Buffer.from(message.body, 'base64') };
  for (let n = 0; n < message.connections; n++) open(message, requests, n);
  process.send?.('begun');
});
process.on('disconnect', () => process.exit(0));
process.send?.('ready');
