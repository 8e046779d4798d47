/**
 * Microseconds per script call through the sandbox, alone and with 64 in flight, with a message like the benched
 * route's. Prints a line per case; for comparing changes on one machine, not a promise.
 */
import { performance } from 'node:perf_hooks';
import type { Message, ScriptRun } from '#sdk';
import { createSandbox } from '../../gateway/sandbox/sandbox.ts';

const CASES = {
  sync: 'export default (msg) => ({ status: 201, body: { accepted: msg.payload.body.orderId } })',
  async: 'export default async (msg) => ({ status: 201, body: { accepted: msg.payload.body.orderId } })',
};
const IN_FLIGHT = [1, 64];
const WARM_UP_CALLS = 5_000;
const CALLS = 30_000;

const message: Message = {
  payload: {
    body: {
      orderId: 'A-1',
      quantity: 3,
      lines: [
        { sku: 'x1', n: 2 },
        { sku: 'x2', n: 1 },
      ],
    },
    params: {},
    query: {},
    headers: { 'x-trace': 'abc' },
  },
  request: {
    id: '0198c6ab-7d5e',
    method: 'POST',
    path: '/api/v1/orders',
    route: '/api/v1/orders',
    ip: '10.0.0.1',
    receivedAt: '2026-01-01T00:00:00.000Z',
  },
  caller: { keyId: 'k7f3', name: 'MES line 7', scopes: ['db:write'] },
};

const run: ScriptRun = { signal: new AbortController().signal, capabilities: null };

const sandbox = await createSandbox({ log: (level, text) => console.error(level, text) });
for (const [name, code] of Object.entries(CASES)) {
  const script = await sandbox.compile(code, { deadlineSeconds: 1, name });
  for (const inFlight of IN_FLIGHT) {
    await drive(WARM_UP_CALLS, inFlight);
    const begun = performance.now();
    const main = performance.eventLoopUtilization();
    const cpu = process.cpuUsage();
    await drive(CALLS, inFlight);
    const { utilization } = performance.eventLoopUtilization(main);
    const { user, system } = process.cpuUsage(cpu);
    const each = ((performance.now() - begun) * 1000) / CALLS;
    console.log(
      `${name}, ${inFlight} in flight: ${each.toFixed(1)} µs per call (CPU ${((user + system) / CALLS).toFixed(1)} µs; calling thread ${(utilization * 100).toFixed(0)} % busy)`,
    );
  }
  script.close();

  async function drive(calls: number, inFlight: number): Promise<void> {
    let left = calls;
    const one = async (): Promise<void> => {
      while (left-- > 0) await script.call(message, run);
    };
    await Promise.all(Array.from({ length: inFlight }, one));
  }
}
await sandbox.close();
