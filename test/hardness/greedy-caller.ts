import { connect } from 'node:net';

/**
 * One greedy caller at full force, as a process of its own: on each of its connections it sends the same request again
 * as soon as it is answered, and opens the connection again when it is closed. Begins with its parent's message, a
 * GreedyOrder, answers the next one with what became of its calls, and ends with its parent.
 */
export interface GreedyOrder {
  readonly port: number;
  readonly connections: number;
  /** As many as that, from 127.60.0.1 on. */
  readonly addresses: number;
  /** In base64; empty: it opens connections and says nothing. */
  readonly request: string;
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

function open(order: GreedyOrder, request: Buffer, n: number): void {
  const at = n % order.addresses;
  const localAddress = `127.60.${at >> 8}.${at & 255 || 1}`;
  const socket = connect({ host: '127.0.0.1', port: order.port, localAddress, noDelay: true });
  const send = (): void => {
    if (request.length === 0) return;
    sent += 1;
    socket.write(request);
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
    setTimeout(() => open(order, request, n), AGAIN_MS);
  });
}

process.on('message', (message: GreedyOrder | 'result') => {
  if (message === 'result') return void process.send?.({ sent, statuses, closed } satisfies GreedyResult);
  for (let n = 0; n < message.connections; n++) open(message, Buffer.from(message.request, 'base64'), n);
  process.send?.('begun');
});
process.on('disconnect', () => process.exit(0));
process.send?.('ready');
