import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT } from '../package/places.ts';
import { debuggedGatewayFlags } from './inspect-gateway.ts';
import type { DevOptions } from './options.ts';

const STOP_MS_MAX = 10_000;

/** The host's output when both ports are open. */
export interface Ready {
  gateway: string;
  ui: string;
  /** Only before the set-up. */
  setupTokenFile?: string;
}

/**
 * The host with its gateway, from the sources, restarted by `restart`. Restarts are sequential; several requests during
 * one are combined. A host that ends unexpectedly, for example after a syntax error, is started by the next restart.
 */
export class HostProcess {
  readonly #options: DevOptions;
  readonly #onReady: (ready: Ready) => Promise<void>;
  #child: ChildProcess | null = null;
  #restarting: Promise<void> | null = null;
  #again = false;

  constructor(options: DevOptions, onReady: (ready: Ready) => Promise<void>) {
    this.#options = options;
    this.#onReady = onReady;
  }

  /** Null after it has ended. */
  get pid(): number | null {
    const child = this.#child;
    return child === null || child.exitCode !== null || child.signalCode !== null ? null : (child.pid ?? null);
  }

  restart(): Promise<void> {
    this.#again = true;
    this.#restarting ??= this.#run().finally(() => (this.#restarting = null));
    return this.#restarting;
  }

  async stop(): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS_MAX);
    await exited;
    clearTimeout(timer);
  }

  async #run(): Promise<void> {
    while (this.#again) {
      this.#again = false;
      await this.stop();
      await this.#start();
    }
  }

  async #start(): Promise<void> {
    const { folder, gatewayPort, hostPort, inspect } = this.#options;
    const own = inspect ? await debuggedGatewayFlags(folder) : [];
    const flags = {
      '--data': join(folder, 'data'),
      '--secret-store': 'file',
      '--gateway-host': '127.0.0.1',
      '--gateway-port': String(gatewayPort),
      '--ui-port': String(hostPort),
    };
    const child = spawn(
      process.execPath,
      [...own, join(ROOT, 'main/service.ts'), 'serve', ...Object.entries(flags).flat()],
      {
        env: { ...process.env, NODE_COMPILE_CACHE: join(folder, 'compile-cache') },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    this.#child = child;
    const endWithUs = () => void child.kill('SIGKILL');
    process.once('exit', endWithUs);
    child.once('exit', (code, signal) => {
      process.removeListener('exit', endWithUs);
      if (this.#child === child)
        console.error(`The host ended (${signal ?? code}). It starts again when a source file changes.`);
    });
    const ready = await readyLine(child);
    if (ready !== null) await this.#onReady(ready);
  }
}

/** Null if the process ended before. */
async function readyLine(child: ChildProcess): Promise<Ready | null> {
  if (child.stdout === null) return null;
  for await (const line of createInterface({ input: child.stdout, terminal: false }))
    if (line.startsWith('{"event":"ready"')) {
      child.stdout.resume();
      return JSON.parse(line) as Ready;
    }
  return null;
}
