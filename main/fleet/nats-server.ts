import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { clip } from '#common/clip.ts';
import { SluiceError } from '#common/errors/catalogue.ts';
import type { Logger } from '#common/node/log.ts';
import { createRestartPolicy, type RestartPolicy } from '../supervisor/restart-policy.ts';
import { CERTIFICATE_FILE, CONFIG_FILE, KEY_FILE, PID_FILE } from './nats/config.ts';

/**
 * nats-server as a child of the hub's host. It is started again when it ends, as the gateway is. One that outlived a
 * killed host is ended first, because it has the port.
 */
export const VERSION_MIN = [2, 10, 27] as const;
const STOP_MS_MAX = 5_000;
const VERSION_MS_MAX = 5_000;
const LINE_CHARS_MAX = 1_000;

export interface ServerFiles {
  config: string;
  certificate: string;
  key: string;
}

/** The program: the given one, or `nats-server` in PATH or in the folders of system programs. */
export function findServer(given: string | null, path = process.env['PATH'] ?? ''): string {
  if (given !== null) {
    if (existsSync(given)) return given;
    throw new SluiceError('invalid', `There is no program ${given}; expected the path of nats-server.`);
  }
  const folders = [...path.split(delimiter), '/usr/sbin', '/usr/local/bin'].filter((folder) => folder !== '');
  const found = folders.map((folder) => join(folder, 'nats-server')).find(existsSync);
  if (found !== undefined) return found;
  throw new SluiceError(
    'invalid',
    `nats-server is not installed; a hub needs version ${VERSION_MIN.join('.')} or later. Install it, or give its path with --nats-server.`,
  );
}

/** Throws SluiceError `invalid` for a version that does not know the settings of the hub. */
export async function expectVersion(program: string): Promise<void> {
  const { stdout } = await promisify(execFile)(program, ['--version'], { timeout: VERSION_MS_MAX }).catch(
    (cause: unknown) => {
      throw new SluiceError('invalid', `${program} cannot be run.`, { cause });
    },
  );
  const version = /v(\d+)\.(\d+)\.(\d+)/.exec(stdout);
  if (version !== null && !isBelow(version.slice(1).map(Number), VERSION_MIN)) return;
  throw new SluiceError(
    'invalid',
    `${program} is version ${version === null ? 'unknown' : version[0].slice(1)}; a hub needs ${VERSION_MIN.join('.')} or later.`,
  );
}

function isBelow(version: readonly number[], wanted: readonly number[]): boolean {
  const at = wanted.findIndex((part, index) => part !== version[index]);
  return at >= 0 && (version[at] ?? 0) < (wanted[at] ?? 0);
}

export class NatsServer {
  readonly #program: string;
  readonly #folder: string;
  readonly #log: Logger;
  readonly #policy: RestartPolicy = createRestartPolicy(() => performance.now());
  #child: ChildProcess | null = null;
  #timer: NodeJS.Timeout | null = null;
  #stopped = false;
  #restarting: Promise<void> = Promise.resolve();

  /** `folder`: of configuration, certificate and streams. */
  constructor(program: string, folder: string, log: Logger) {
    this.#program = program;
    this.#folder = folder;
    this.#log = log;
  }

  async start(files: ServerFiles): Promise<void> {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    await endLeftOver(this.#folder);
    this.#write(files);
    this.#spawn();
  }

  /** Replaces the process by one with these files. One at a time, so that the last one has the newest files. */
  restart(files: () => Promise<ServerFiles>): Promise<void> {
    const next = this.#restarting.then(async () => {
      this.#write(await files());
      if (this.#timer) clearTimeout(this.#timer);
      await this.#end();
      if (!this.#stopped) this.#spawn();
    });
    this.#restarting = next.catch(() => {});
    return next;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#restarting;
    if (this.#timer) clearTimeout(this.#timer);
    await this.#end();
  }

  #write({ config, certificate, key }: ServerFiles): void {
    const write = (name: string, text: string) => writeFileSync(join(this.#folder, name), text, { mode: 0o600 });
    write(CERTIFICATE_FILE, certificate);
    write(KEY_FILE, key);
    write(CONFIG_FILE, config);
  }

  #spawn(): void {
    const startedAt = performance.now();
    // Its log goes to a file of limited size; only errors of the start are printed. Not to this process's own standard
    // error, which a server that outlives a killed host would keep open.
    const child = spawn(this.#program, ['-c', join(this.#folder, CONFIG_FILE)], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#child = child;
    child.stderr.on('data', (text: Buffer) =>
      this.#log.warn('nats-server', { text: clip(text.toString('utf8').trim(), LINE_CHARS_MAX) }),
    );
    child.once('error', (error) => this.#log.error('nats-server could not be started', { error }));
    child.once('close', (code, signal) => {
      if (this.#child !== child) return;
      this.#child = null;
      if (this.#stopped) return;
      const delayMs = this.#policy.delayMs(code === 1 ? null : performance.now() - startedAt);
      this.#log.warn('nats-server ended', { code, signal, restartInMs: delayMs });
      this.#timer = setTimeout(() => this.#spawn(), delayMs);
    });
  }

  async #end(): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS_MAX);
    await ended;
    clearTimeout(timer);
  }
}

/** Ends the server of a host that was killed: only a process that runs with the configuration of this folder. */
async function endLeftOver(folder: string): Promise<void> {
  const pid = Number(readIfThere(join(folder, PID_FILE)));
  if (!Number.isInteger(pid) || pid <= 1) return;
  const isOurs = () => readIfThere(`/proc/${pid}/cmdline`).split('\0').includes(join(folder, CONFIG_FILE));
  if (!isOurs()) return;
  process.kill(pid, 'SIGKILL');
  for (let turn = 0; turn < 100 && isOurs(); turn++) await new Promise((resolve) => setTimeout(resolve, 20));
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
