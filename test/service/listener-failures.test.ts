import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { freePort } from '#test/free-port.ts';
import { startGateway } from '#test/gateway.ts';
import { call } from '#test/raw-request.ts';
import { fixedReply, routePipeline } from '#test/route-pipeline.ts';

/**
 * A change of the listener that fails half-way because of missing file descriptors: 16 sockets of a thread share a
 * port.
 */
const SOCKETS = 16;
const pipelines = () => [
  routePipeline({ id: 'quick', path: '/quick', route: { authType: 'none' }, ...fixedReply('ok') }),
];
const run = promisify(execFile);

/** Number of open descriptors of the process; the system assigns the lowest free one, so that there are few gaps. */
const descriptors = async (pid: number) => (await readdir(`/proc/${pid}/fd`)).length;
const limit = (pid: number, count: number) => run('prlimit', ['--pid', String(pid), `--nofile=${count}:`]);

test.runIf(process.platform === 'linux')(
  'more workers than file descriptors are refused, and the port stays as it was',
  async () => {
    const gatewayPort = await freePort();
    await using gateway = await startGateway({ pipelines: pipelines(), settings: { gatewayPort, workers: 1 } });
    await gateway.changeSettings({ workers: 3 });
    const needed = await descriptors(gateway.pid);
    await gateway.changeSettings({ workers: 1 });
    // The threads start and the first of them listens; the second gets only a part of its sockets.
    await limit(gateway.pid, needed - SOCKETS / 2);
    await expect(gateway.changeSettings({ workers: 3 })).rejects.toMatchObject({ failure: { code: 'conflict' } });
    expect((await call(gatewayPort, { path: '/quick' })).status).toBe(200);
    await gateway.changeSettings({ workers: 2 });
    expect((await call(gatewayPort, { path: '/quick' })).status).toBe(200);
  },
);

test.runIf(process.platform === 'linux')(
  'workers that do not start are refused, and the port stays as it was',
  async () => {
    const gatewayPort = await freePort();
    await using gateway = await startGateway({ pipelines: pipelines(), settings: { gatewayPort, workers: 1 } });
    // A thread needs more than that before it runs anything; a caller does not.
    await limit(gateway.pid, (await descriptors(gateway.pid)) + 2);
    await expect(gateway.changeSettings({ workers: 3 })).rejects.toMatchObject({
      message: expect.stringContaining('conflict: workers: an HTTP thread does not come up: '),
      failure: { code: 'conflict' },
    });
    expect((await call(gatewayPort, { path: '/quick' })).status).toBe(200);
  },
);

test.runIf(process.platform === 'linux')(
  'a gateway that cannot reopen its port after a failed change reports that it has failed',
  async () => {
    const gatewayPort = await freePort();
    await using gateway = await startGateway({ pipelines: pipelines(), settings: { gatewayPort, workers: 1 } });
    await limit(gateway.pid, (await descriptors(gateway.pid)) - SOCKETS / 2);
    const change = gateway.changeSettings({ gatewayHost: '0.0.0.0' });
    // The host ends a gateway that reports this, and starts another.
    await expect(change).rejects.toMatchObject({ failure: { code: 'internal' } });
    await expect(call(gatewayPort, { path: '/quick' })).rejects.toThrow('ECONNREFUSED');
  },
);
