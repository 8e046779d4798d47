import { createServer, type Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test, vi } from 'vitest';
import { GATEWAY_FLAGS } from '#common/node/gateway-flags.ts';
import { createLogger } from '#common/node/log.ts';
import { PATIENT_WAIT } from '#test/until.ts';
import { forkGateway } from './child.ts';
import { createSupervisor, type Supervisor } from './supervisor.ts';
import { emptySnapshot } from './testing/fake-child.ts';

const STAND_IN = fileURLToPath(new URL('./testing/stand-in.ts', import.meta.url));
let supervisor: Supervisor | null = null;
let other: Server | null = null;

afterEach(async () => {
  await supervisor?.stop();
  other?.close();
  supervisor = other = null;
});

function superviseStandIn(machineName = 'edge', port = 0): Supervisor {
  supervisor = createSupervisor({
    startChild: forkGateway(STAND_IN),
    snapshot: () => {
      const snapshot = emptySnapshot({ machineName });
      return { ...snapshot, settings: { ...snapshot.settings, gatewayPort: port } };
    },
    onHead: () => {},
    onJournalOpened: () => {},
    log: createLogger('supervisor', () => {}),
  });
  return supervisor;
}

async function servingPid(link: Supervisor): Promise<number> {
  return vi.waitFor(async () => Number(await (await fetch(`http://127.0.0.1:${link.port}/`)).text()), {
    timeout: 8_000,
  });
}

function gone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}

test('a gateway killed with SIGKILL is replaced by another process that serves', async () => {
  const link = superviseStandIn();
  await link.start();
  const first = await servingPid(link);
  expect(first).toBe(link.pid);
  process.kill(first, 'SIGKILL');
  await vi.waitFor(() => expect(link.restarts).toBe(1), PATIENT_WAIT);
  const second = await servingPid(link);
  expect(second).not.toBe(first);
  expect(link.state).toBe('running');
});

test('a gateway that did not acknowledge a revocation is gone when the revocation returns', async () => {
  const link = superviseStandIn('deaf');
  await link.start();
  const first = await servingPid(link);
  await link.change({ kind: 'key-revoked', keyId: 'abcdefghijkl' });
  expect(gone(first)).toBe(true);
  expect(await servingPid(link)).not.toBe(first);
});

test('a gateway whose event loop hangs is killed after ten seconds and replaced', async () => {
  const link = superviseStandIn('hung');
  await link.start();
  const first = link.pid;
  await vi.waitFor(() => expect(link.restarts).toBe(1), { timeout: 15_000, interval: 200 });
  expect(link.pid).not.toBe(first);
}, 20_000);

test('a port in use is reported in plain text and not retried', async () => {
  other = createServer();
  const port = await new Promise<number>((resolve) => {
    other?.listen(0, '127.0.0.1', () => {
      const address = other?.address();
      resolve(typeof address === 'object' && address ? address.port : 0);
    });
  });
  const link = superviseStandIn('edge', port);
  await expect(link.start()).rejects.toThrow(`port ${port} is in use`);
  await vi.waitFor(() => expect(link.state).toBe('dead'), PATIENT_WAIT);
  expect(link.restarts).toBe(0);
});

test('a gateway sees only a few names of the environment of the host, and only the arguments of Node', async () => {
  vi.stubEnv('SLUICE_TEST_SECRET', 'hidden');
  vi.stubEnv('NODE_OPTIONS', '--no-warnings');
  const link = superviseStandIn();
  await link.start();
  const seen = await (await fetch(`http://127.0.0.1:${link.port}/seen`)).json();
  const words = [...GATEWAY_FLAGS];
  expect(seen).toEqual({ environment: expect.not.arrayContaining(['SLUICE_TEST_SECRET']), words });
  expect(seen).toEqual({ environment: expect.not.arrayContaining(['NODE_OPTIONS']), words });
  expect(seen).toEqual({ environment: expect.arrayContaining(['PATH']), words });
});

test('stop ends the process', async () => {
  const link = superviseStandIn();
  await link.start();
  const { pid } = link;
  await link.stop();
  expect(gone(pid ?? 0)).toBe(true);
  expect(link.state).toBe('dead');
});

test('a missing entry file is a failure to start, not a crash of the host', async () => {
  supervisor = createSupervisor({
    startChild: forkGateway('/nowhere/entry.ts'),
    snapshot: () => emptySnapshot(),
    onHead: () => {},
    onJournalOpened: () => {},
    log: createLogger('supervisor', () => {}),
  });
  supervisor.start().catch(() => {});
  await vi.waitFor(() => expect(supervisor?.restarts).toBeGreaterThan(0), { timeout: 5_000 });
});
