import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { StatusRecord } from '#common/model/records.ts';
import { type AdminClient, createAdminClient } from './admin-client.ts';
import { SERVICE_ENTRY } from './paths.ts';
import { tempDir } from './temp-dir.ts';
import { within } from './until.ts';

export interface ServiceOptions {
  /** Used and kept; without it a temporary folder that `stop` removes. */
  dataDir?: string;
  env?: Record<string, string>;
  /** `hub` needs nats-server; default: `serve`. */
  command?: 'serve' | 'hub';
  /** No flag sets the ports: those of the settings are used. */
  savedPorts?: boolean;
  /** Another `sluice` than the sources': a package's program and the arguments before `serve`. */
  program?: readonly [string, ...string[]];
}

export interface ReadyLine {
  event: 'ready';
  gateway: string;
  ui: string;
  setupTokenFile?: string;
}

export interface TestService extends AsyncDisposable {
  readonly pid: number;
  readonly dataDir: string;
  readonly ready: ReadyLine;
  readonly gatewayPort: number;
  /** Not logged in until `setUp`. */
  readonly admin: AdminClient;
  /** Everything on standard error. */
  log(): string;
  /** Creates the first Administrator with the one-time token and logs in. */
  setUp(password?: string): Promise<void>;
  status(): Promise<StatusRecord>;
  /** SIGTERM; returns the exit code. */
  stop(): Promise<number | null>;
  /** SIGKILL only to the host. */
  kill9(): Promise<void>;
}

export const ADMIN = { name: 'admin', password: 'a long enough pass phrase' };

const READY_MS_MAX = 60_000;

/**
 * Starts the whole service (`serve`) like an operator, with free ports, a separate folder and a file as its secret
 * store, and waits for its ready line. `flags` replace these.
 */
export async function startService(flags: string[] = [], options: ServiceOptions = {}): Promise<TestService> {
  const own = options.dataDir === undefined ? await tempDir('sluice-service-') : null;
  const dataDir = options.dataDir ?? own?.path ?? '';
  const [program, ...before] = options.program ?? [process.execPath, SERVICE_ENTRY];
  const child = spawn(
    program,
    [...before, options.command ?? 'serve', ...defaultFlags(dataDir, flags, options.savedPorts === true), ...flags],
    {
      env: { ...process.env, ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const endWithUs = () => child.kill('SIGKILL');
  process.once('exit', endWithUs);
  let out = '';
  let log = '';
  child.stderr.on('data', (text) => (log = (log + String(text)).slice(-200_000)));
  const exited = once(child, 'close').then(([code]) => {
    process.removeListener('exit', endWithUs);
    return code as number | null;
  });
  const readyLine = new Promise<ReadyLine>((resolve, reject) => {
    child.stdout.on('data', (text) => {
      out += String(text);
      const line = out.split('\n').find((one) => one.startsWith('{"event":"ready"'));
      if (line !== undefined && out.includes(`${line}\n`)) resolve(JSON.parse(line) as ReadyLine);
    });
    void exited.then((code) => reject(new Error(`the service ended (code ${code}) before it was ready:\n${log}`)));
  });
  const end = async () => {
    child.kill('SIGKILL');
    await exited;
    await own?.remove();
  };
  const ready = await within(READY_MS_MAX, 'the ready line', readyLine).catch(async (error: unknown) => {
    await end();
    throw error;
  });
  const admin = createAdminClient(ready.ui);
  const stop = async () => {
    child.kill('SIGTERM');
    const code = await within(15_000, 'the service ends after SIGTERM', exited).finally(end);
    return code;
  };
  return {
    pid: child.pid ?? 0,
    dataDir,
    ready,
    gatewayPort: Number(new URL(ready.gateway).port),
    admin,
    log: () => log,
    async setUp(password = ADMIN.password) {
      const token = (await readFile(ready.setupTokenFile ?? `${dataDir}/setup-token`, 'utf8')).trim();
      await admin.ok('POST', '/setup', { token, name: ADMIN.name, password });
      await admin.logIn(ADMIN.name, password);
    },
    status: () => admin.ok<StatusRecord>('GET', '/status'),
    stop,
    kill9: end,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) await stop();
    },
  };
}

/** A flag may be given only once: those of the test replace the defaults. */
function defaultFlags(dataDir: string, flags: readonly string[], savedPorts: boolean): string[] {
  const defaults = {
    '--data': dataDir,
    '--gateway-host': '127.0.0.1',
    ...(!savedPorts && { '--gateway-port': '0', '--ui-port': '0' }),
    '--secret-store': 'file',
  };
  const given = new Set(flags.map((flag) => flag.split('=')[0]));
  return Object.entries(defaults).flatMap(([flag, value]) => (given.has(flag) ? [] : [flag, value]));
}
