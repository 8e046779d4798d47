import { spawn } from 'node:child_process';
import type { Logger } from '#common/node/log.ts';

/** Messages of sd_notify(3), such as `{ READY: '1', STATUS: 'Routes are served on port 8090.' }`. */
export type Notice = Readonly<Record<string, string>>;

/** Sends status messages to systemd. */
export interface Notifier {
  /** Resolves when systemd has read the message, or when sending failed, which is logged. Never rejects. */
  tell(notice: Notice): Promise<void>;
}

/** systemd-notify itself waits at most 5 s until systemd has read the message. */
const SEND_MS_MAX = 6_000;

/**
 * Sends messages with `systemd-notify`, one at a time, because Node has no Unix datagram sockets (decision 15). Messages
 * that arrive while one is being sent are merged and sent next, with the newest value of each name.
 */
export class SystemdNotifier implements Notifier {
  readonly #environment: NodeJS.ProcessEnv;
  readonly #log: Logger;
  #waiting: Notice | null = null;
  #sending: Promise<void> | null = null;
  #fails = false;

  /** `socket`: NOTIFY_SOCKET, as provided by systemd. */
  constructor(socket: string, log: Logger) {
    this.#environment = { PATH: process.env['PATH'], NOTIFY_SOCKET: socket };
    this.#log = log;
  }

  tell(notice: Notice): Promise<void> {
    this.#waiting = { ...this.#waiting, ...notice };
    this.#sending ??= this.#sendAll();
    return this.#sending;
  }

  async #sendAll(): Promise<void> {
    while (this.#waiting !== null) {
      const notice = this.#waiting;
      this.#waiting = null;
      const failure = await send(notice, this.#environment);
      if (failure !== null && !this.#fails)
        this.#log.warn('the status of the service could not be sent to systemd', { reason: failure });
      this.#fails = failure !== null;
    }
    this.#sending = null;
  }
}

/** Resolves to the reason of a failure; null: systemd has read the message. */
function send(notice: Notice, env: NodeJS.ProcessEnv): Promise<string | null> {
  const words = Object.entries(notice).map(([name, value]) => `${name}=${value}`);
  return new Promise((resolve) => {
    const child = spawn('systemd-notify', words, { env, stdio: 'ignore', timeout: SEND_MS_MAX, killSignal: 'SIGKILL' });
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(code === 0 ? null : `systemd-notify ended with ${signal ?? code}`));
  });
}
