import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openNotifySocket } from '#test/notify-socket.ts';
import { SERVICE_ENTRY } from '#test/paths.ts';
import { startService, type TestService } from '#test/service.ts';
import { tempDir } from '#test/temp-dir.ts';
import { until } from '#test/until.ts';

/** The service as systemd and its status commands see it. */
const isLinux = process.platform === 'linux';
/** 333 ms between two heartbeats. */
const WATCHDOG = { WATCHDOG_USEC: '1000000' };
/** The start of a gateway on a busy machine. */
const SLOW = { timeoutMs: 30_000 };
const titleOf = (pid: number): string => readFileSync(`/proc/${pid}/comm`, 'utf8').trim();

async function gatewayPid(service: TestService): Promise<number> {
  const { gateway } = await service.status();
  if (gateway.pid === null) throw new Error('there is no gateway');
  return gateway.pid;
}

test.runIf(isLinux)('systemd gets messages about the start, the heartbeat and the stop', async () => {
  await using systemd = await openNotifySocket();
  await using service = await startService([], { env: { ...WATCHDOG, NOTIFY_SOCKET: systemd.path } });
  await until('it is ready', () => systemd.valuesOf('READY').length === 1);
  expect(systemd.valuesOf('STATUS').at(-1)).toBe(`Routes are served on port ${service.gatewayPort}.`);
  await until('three heartbeats', () => systemd.valuesOf('WATCHDOG').length >= 3);
  expect(systemd.valuesOf('STOPPING')).toEqual([]);
  expect(await service.stop()).toBe(0);
  expect(systemd.valuesOf('STOPPING')).toEqual(['1']);
  expect(systemd.valuesOf('READY')).toEqual(['1']);
});

test.runIf(isLinux)('systemd learns that the gateway is being replaced and that the host is alive', async () => {
  await using systemd = await openNotifySocket();
  await using service = await startService([], { env: { ...WATCHDOG, NOTIFY_SOCKET: systemd.path } });
  await service.setUp();
  const signs = () => systemd.valuesOf('WATCHDOG').length;
  const statuses = () => systemd.valuesOf('STATUS');
  process.kill(await gatewayPid(service), 'SIGKILL');
  await until('it is away', () => statuses().includes('The gateway is being restarted; no route answers.'));
  await until('it serves again', () => statuses().at(-1)?.startsWith('Routes are served') ?? false, SLOW);
  const before = signs();
  await until('heartbeats', () => signs() > before);
});

test.runIf(isLinux)('the watchdog of another process is ignored', async () => {
  await using systemd = await openNotifySocket();
  const env = { ...WATCHDOG, WATCHDOG_PID: '1', NOTIFY_SOCKET: systemd.path };
  await using service = await startService([], { env });
  await until('it is ready', () => systemd.valuesOf('READY').length === 1);
  await service.stop();
  expect(systemd.valuesOf('WATCHDOG')).toEqual([]);
});

test.runIf(isLinux)('host, gateway and database have process titles that a technician recognises', async () => {
  await using service = await startService();
  await service.setUp();
  await service.admin.ok('POST', '/projects', { id: 'line', name: 'Line' });
  await service.admin.ok('POST', '/projects/line/queries/test', { query: { id: 'one', sql: 'SELECT 1' } });
  const children = (pid: number): number[] =>
    readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  const gateway = await gatewayPid(service);
  expect([service.pid, gateway, ...children(gateway)].map(titleOf)).toEqual([
    'sluice',
    'sluice-gateway',
    'sluice-database',
  ]);
});

const PREFIXES = { journal: { info: '<6>', warn: '<4>' }, file: { info: '', warn: '' } };

test.runIf(isLinux).each(['journal', 'file'] as const)(
  'in a %s each log line of host and gateway begins as specified',
  async (kind) => {
    await using folder = await tempDir('sluice-log-');
    const file = `${folder.path}/log`;
    writeFileSync(file, '');
    const { dev, ino } = statSync(file, { bigint: true });
    await using service = await startService([], {
      program: ['/bin/sh', '-c', `exec "$0" "$@" 2>>${file}`, process.execPath, SERVICE_ENTRY],
      // The description of the stream from systemd; an inherited variable names another one.
      env: { JOURNAL_STREAM: kind === 'journal' ? `${dev}:${ino}` : `${dev}:1` },
    });
    await service.setUp();
    process.kill(await gatewayPid(service), 'SIGKILL');
    const lines = () => readFileSync(file, 'utf8').trimEnd().split('\n');
    await until('the host warns', () => lines().some((line) => line.includes('"gateway ended"')));
    await until(
      'the next gateway serves',
      () => lines().filter((line) => line.includes('"audit journal"')).length >= 2,
      SLOW,
    );
    const prefixes = new Map(lines().map((line) => [levelOf(line), line.slice(0, line.indexOf('{'))]));
    expect(Object.fromEntries(prefixes)).toEqual(PREFIXES[kind]);
  },
);

function levelOf(line: string): string {
  return (JSON.parse(line.slice(line.indexOf('{'))) as { level: string }).level;
}

test('an invalid flag stops a systemd service permanently, and a command with exit code 1', async () => {
  const run = async (env: NodeJS.ProcessEnv): Promise<number> => {
    const child = spawn(process.execPath, [SERVICE_ENTRY, 'serve', '--gateway-port', 'x'], {
      stdio: 'ignore',
      env: { ...process.env, ...env },
    });
    const [code] = (await once(child, 'exit')) as [number];
    return code;
  };
  expect(await run({})).toBe(1);
  expect(await run({ NOTIFY_SOCKET: '/run/systemd/notify' })).toBe(64);
});
