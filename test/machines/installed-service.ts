import { request } from 'node:http';
import { createAdminClient } from '#test/admin-client.ts';
import { routePipeline } from '#test/route-pipeline.ts';
import { until } from '#test/until.ts';
import type { BootedRoot } from './booted-root.ts';

const GATEWAY = 'http://127.0.0.1:8090';
const UI = 'http://127.0.0.1:8091';
const PASSWORD = 'a long enough pass phrase';
const CALL_MS_MAX = 500;
const BACK_MS_MAX = 60_000;

/** The installed service of a booted system, from the point of view of its callers and its technician. */
export class InstalledService {
  readonly #machine: BootedRoot;
  readonly #admin = createAdminClient(UI);
  #key = '';

  constructor(machine: BootedRoot) {
    this.#machine = machine;
  }

  /** Creates the first Administrator, and a route that needs a key. */
  async setUp(): Promise<void> {
    const admin = this.#admin;
    const token = this.#machine.run('cat', '/var/lib/sluice/setup-token');
    await admin.ok('POST', '/setup', { token, name: 'admin', password: PASSWORD });
    await admin.logIn('admin', PASSWORD);
    await admin.ok('POST', '/projects', { id: 'line', name: 'Line' });
    await admin.run('line', routePipeline({ id: 'echo', path: '/echo' }));
    this.#key = (await admin.ok<{ key: string }>('POST', '/projects/line/keys', { name: 'test', scopes: [] })).key;
  }

  /** The status of one call with the key; 0 without a response. */
  call(): Promise<number> {
    return statusOf(`${GATEWAY}/echo`, { 'X-API-Key': this.#key });
  }

  ready(): Promise<number> {
    return statusOf(`${GATEWAY}/health/ready`);
  }

  ui(): Promise<number> {
    return statusOf(UI);
  }

  /** A property of the unit, such as MainPID. */
  property(name: string): string {
    return this.#machine.run('systemctl', 'show', '--property', name, '--value', 'sluice');
  }

  get hostPid(): number {
    return Number(this.property('MainPID'));
  }

  /** The ID of the process with this title, as seen by the system's own init; 0: none. */
  pidOf(title: string): number {
    // Processes that end while they are read are ignored.
    const { out } = this.#machine.attempt('sh', '-c', `grep -slx ${title} /proc/[0-9]*/comm`);
    return Number(/^\/proc\/(\d+)\//.exec(out)?.[1] ?? 0);
  }

  /** From now until another gateway (and another host, if `host`) serves the route and the UI. */
  async untilReplaced(old: { gateway: number; host?: number }): Promise<Replacement> {
    const startMs = performance.now();
    let lastAnswerMs = startMs;
    let awayMs = 0;
    const isReplaced = async (): Promise<boolean> => {
      if ((await this.call()) === 200) {
        awayMs = Math.max(awayMs, performance.now() - lastAnswerMs);
        lastAnswerMs = performance.now();
        const gateway = this.pidOf('sluice-gateway');
        return gateway > 0 && gateway !== old.gateway && this.hostPid !== old.host && (await this.ui()) === 200;
      }
      return false;
    };
    await until('it serves again', isReplaced, { timeoutMs: BACK_MS_MAX, everyMs: 50 });
    return { seconds: (performance.now() - startMs) / 1000, awaySeconds: awayMs / 1000 };
  }
}

export interface Replacement {
  readonly seconds: number;
  /** The longest time without a successful call. */
  readonly awaySeconds: number;
}

/** A new connection for each call, like a caller after a restart. */
function statusOf(url: string, headers: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve) => {
    const call = request(url, { headers, agent: false, timeout: CALL_MS_MAX }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode ?? 0)).once('error', () => resolve(0));
    });
    call.once('timeout', () => call.destroy());
    call.once('error', () => resolve(0));
    call.end();
  });
}
