/**
 * Microseconds per script call through the sandbox, alone and with 64 in flight, with a message like the benched
 * route's; `waits` makes a capability call that is answered at once. Prints a line per case, and a
 * run beside writing the whole memory once; for comparing changes on one machine, not a promise.
 */
import { performance } from 'node:perf_hooks';
import type { Message, ScriptRun } from '#sdk';
import { testCapabilities } from '#sdk/testing.ts';
import { loadEngineWasm } from '../../gateway/sandbox/engine-wasm.ts';
import { Packer } from '../../gateway/sandbox/packed-message.ts';
import { createSandbox } from '../../gateway/sandbox/sandbox.ts';
import { bareGuest, guestOf } from '../../gateway/sandbox/sandbox-fixture.ts';

const CASES = {
  sync: 'export default (msg) => ({ status: 201, body: { accepted: msg.payload.body.orderId } })',
  async: 'export default async (msg) => ({ status: 201, body: { accepted: msg.payload.body.orderId } })',
  waits: "export default async (msg) => ({ status: 201, body: { accepted: await vars.get('a') } })",
};
const IN_FLIGHT = [1, 64];
const WARM_UP_CALLS = 5_000;
const CALLS = 30_000;
/** A wait copies the memory twice. */
const WAITING_CALLS = 5_000;

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

const run: ScriptRun = { signal: new AbortController().signal, capabilities: testCapabilities(() => 1) };

const sandbox = await createSandbox({ native: false, log: (level, text) => console.error(level, text) });
for (const [name, code] of [...Object.entries(CASES), ['natively', CASES.sync] as const]) {
  sandbox.useNative(name === 'natively');
  const script = await sandbox.compile(code, { deadlineSeconds: 1, name });
  const count = name === 'waits' ? WAITING_CALLS : CALLS;
  for (const inFlight of IN_FLIGHT) {
    await drive(Math.min(WARM_UP_CALLS, count / 5), inFlight);
    const begun = performance.now();
    const main = performance.eventLoopUtilization();
    const cpu = process.cpuUsage();
    await drive(count, inFlight);
    const { utilization } = performance.eventLoopUtilization(main);
    const { user, system } = process.cpuUsage(cpu);
    const each = ((performance.now() - begun) * 1000) / count;
    console.log(
      `${name}, ${inFlight} in flight: ${each.toFixed(1)} µs per call (CPU ${((user + system) / count).toFixed(1)} µs; calling thread ${(utilization * 100).toFixed(0)} % busy)`,
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

/** Interleaved in one process, so that a noisy machine affects both. */
const ROUNDS = 10;
const RUNS = 2_000;
const wasm = await loadEngineWasm();
const guest = guestOf(await bareGuest(CASES.sync, { wasm }));
const packed = new Packer().pack(message);
if (packed === null) throw new Error('the message of the benchmark cannot be packed');
const view = new Uint8Array(guest.memory.buffer);
const copy = view.slice();
const steps = {
  run: () => void guest.run(packed, []),
  'writing the whole memory, as a comparison': () => view.set(copy),
};
const least: Record<string, number> = {};
for (let round = 0; round < ROUNDS; round++) {
  for (const [name, step] of Object.entries(steps)) {
    const cpu = process.cpuUsage();
    for (let n = 0; n < RUNS; n++) step();
    const { user, system } = process.cpuUsage(cpu);
    least[name] = Math.min(least[name] ?? Infinity, (user + system) / RUNS);
  }
}
for (const [name, us] of Object.entries(least)) console.log(`${name}: ${us.toFixed(1)} µs of CPU`);
