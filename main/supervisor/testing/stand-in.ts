import { createServer } from 'node:http';
import type { GatewayToHost, HostToGateway } from '#common/control/messages.ts';

/**
 * The minimal program that implements the gateway's side of the control channel: it answers every request with its own
 * process id, and `/seen` with its arguments. The snapshot's machine name selects misbehaviour: `deaf` acknowledges
 * nothing, `hung` blocks its event loop after `ready`, `stubborn` does not end when requested.
 */
const say = (message: GatewayToHost) => void process.send?.(message);
const server = createServer((request, response) => {
  const seen = { environment: Object.keys(process.env), words: [...process.execArgv, ...process.argv.slice(2)] };
  response.end(request.url === '/seen' ? JSON.stringify(seen) : String(process.pid));
});
let mode = '';

process.on('SIGTERM', () => {});
process.on('SIGINT', () => {});
process.on('disconnect', () => process.exit(0));
process.on('message', (message: HostToGateway) => {
  if (message.type === 'snapshot')
    serve(message.epoch, message.snapshot.settings.gatewayPort, message.snapshot.machineName);
  if (message.type === 'change' && mode !== 'deaf') say({ type: 'ack', epoch: message.epoch });
  if (message.type === 'ping') say({ type: 'pong', id: message.id });
  if (message.type === 'stop' && mode !== 'stubborn') server.close(() => process.exit(0));
});

function serve(epoch: number, port: number, machineName: string): void {
  mode = machineName;
  server.once('error', () => {
    say({ type: 'ack', epoch, error: { code: 'conflict', detail: `port ${port} is in use` } });
    process.disconnect();
  });
  server.listen(port, '127.0.0.1', () => {
    const address = server.address();
    say({
      type: 'ready',
      port: typeof address === 'object' && address ? address.port : 0,
      plainHttpPort: null,
      failed: [],
    });
    if (mode === 'hung') setTimeout(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0), 50);
  });
}

say({ type: 'hello', version: '0.0.0', pid: process.pid, kinds: [] });
