import type { GatewayState } from '#common/model/records.ts';
import type { Logger } from '#common/node/log.ts';
import { type Notice, type Notifier, SystemdNotifier } from './notifier.ts';
import { isSupervised } from './watched-gateway.ts';

/**
 * Reports the state of the service if systemd started it with `Type=notify`: ready when the routes answer, a heartbeat
 * for the watchdog, and stopping. Otherwise it does nothing.
 *
 * The heartbeat comes from the event loop of the host, so systemd replaces a host that is frozen or hangs. During the
 * start, each heartbeat extends the start timeout.
 */
export interface ServiceReport {
  /** Both ports are open. Resolves when systemd has been notified. */
  ready(watched: WatchedHost): Promise<void>;
  /** The service is stopping. Resolves when systemd has been notified. */
  stopping(): Promise<void>;
  /** Stops the heartbeat. */
  end(): void;
}

export interface WatchedHost {
  gateway(): { state: GatewayState; port: number | null };
  onChange(listener: () => void): () => void;
}

export type ReportEnvironment = Readonly<Record<string, string | undefined>>;

/** Interval of the heartbeat without a watchdog. */
const BEAT_MS = 5_000;
/** Start timeout, counted from each heartbeat. */
const START_USEC = String(90_000_000);

export function reportToSystemd(environment: ReportEnvironment, log: Logger): ServiceReport {
  const socket = environment['NOTIFY_SOCKET'];
  if (socket === undefined || process.platform !== 'linux') return SILENT;
  return new Report(new SystemdNotifier(socket, log), watchdogMs(environment), log);
}

const SILENT: ServiceReport = { ready: async () => {}, stopping: async () => {}, end: () => {} };

class Report implements ServiceReport {
  readonly #notifier: Notifier;
  readonly #log: Logger;
  readonly #beats: NodeJS.Timeout;
  readonly #watchdog: boolean;
  #host: WatchedHost | null = null;
  #state: GatewayState = 'starting';
  #sinceMs = performance.now();
  #isAlarmed = false;
  #unwatch: () => void = () => {};

  /** `silenceMs`: time without a heartbeat after which systemd ends this process; null: no watchdog. */
  constructor(notifier: Notifier, silenceMs: number | null, log: Logger) {
    this.#notifier = notifier;
    this.#log = log;
    this.#watchdog = silenceMs !== null;
    // Two messages may be lost before systemd acts.
    this.#beats = setInterval(() => this.#beat(), silenceMs === null ? BEAT_MS : silenceMs / 3);
    void notifier.tell({ STATUS: 'Starting: data and pipelines are being opened.' });
  }

  ready(host: WatchedHost): Promise<void> {
    // A restore replaces the host.
    this.#unwatch();
    this.#host = host;
    this.#unwatch = host.onChange(() => void this.#notifier.tell(this.#look(host)));
    return this.#notifier.tell({ READY: '1', ...this.#look(host) });
  }

  stopping(): Promise<void> {
    this.end();
    return this.#notifier.tell({ STOPPING: '1', STATUS: 'Stopping: calls in progress are being completed.' });
  }

  end(): void {
    clearInterval(this.#beats);
    this.#unwatch();
  }

  #look(host: WatchedHost): Notice {
    const { state, port } = host.gateway();
    if (state !== this.#state) this.#sinceMs = performance.now();
    this.#state = state;
    return { STATUS: statusOf(state, port) };
  }

  #beat(): void {
    if (this.#host === null) return void this.#notifier.tell({ EXTEND_TIMEOUT_USEC: START_USEC });
    if (!this.#watchdog) return;
    const isWell = isSupervised(this.#state, performance.now() - this.#sinceMs);
    if (isWell) void this.#notifier.tell({ WATCHDOG: '1' });
    else if (!this.#isAlarmed)
      this.#log.error('the gateway is neither running nor being restarted: systemd will restart Sluice');
    this.#isAlarmed = !isWell;
  }
}

function statusOf(state: GatewayState, port: number | null): string {
  if (state === 'running') return `Routes are served on port ${port}.`;
  if (state === 'draining') return 'Stopping: calls in progress are being completed.';
  return 'The gateway is being restarted; no route answers.';
}

/** WATCHDOG_PID differs in a child process, which inherits the variables but is not watched. */
function watchdogMs(environment: ReportEnvironment): number | null {
  const usec = Number(environment['WATCHDOG_USEC']);
  const pid = environment['WATCHDOG_PID'];
  if (!(usec > 0) || (pid !== undefined && Number(pid) !== process.pid)) return null;
  return usec / 1000;
}
