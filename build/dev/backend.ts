import { type Developer, type DevSession, logIn, setUpDeveloper } from './developer.ts';
import { HostProcess, type Ready } from './host-process.ts';
import { inspectGateway } from './inspect-gateway.ts';
import type { DevOptions } from './options.ts';
import { restartGateway } from './restart-gateway.ts';
import type { Part } from './watch-sources.ts';

/** Host and gateway from the sources, and log-ins to them. */
export class Backend {
  readonly #developer: Developer;
  readonly #inspect: boolean;
  readonly #onServing: (part: Part) => void;
  readonly #host: HostProcess;
  #ready = Promise.withResolvers<Ready>();
  /** The session for this server's own calls, after the first one. */
  #session: Promise<DevSession> | null = null;
  #detach: () => void = () => {};

  /** `onServing` is called when the host, or its gateway alone, has been started. */
  constructor(options: DevOptions, developer: Developer, onServing: (part: Part) => void) {
    this.#developer = developer;
    this.#inspect = options.inspect;
    this.#onServing = onServing;
    this.#host = new HostProcess(options, async (ready) => {
      await setUpDeveloper(ready, developer);
      this.#ready.resolve(ready);
      await this.#serving('host');
    });
  }

  start(): Promise<void> {
    return this.#host.restart();
  }

  stop(): Promise<void> {
    this.#detach();
    return this.#host.stop();
  }

  /** A new session of the development user, as soon as the host is ready. */
  async logIn(): Promise<DevSession> {
    return logIn((await this.#ready.promise).ui, this.#developer);
  }

  async restart(part: Part): Promise<void> {
    if (part === 'host') await this.#restartHost();
    else await this.#restartGateway().catch(() => this.#restartHost());
  }

  #restartHost(): Promise<void> {
    this.#detach();
    this.#ready = Promise.withResolvers();
    this.#session = null;
    return this.#host.restart();
  }

  async #restartGateway(): Promise<void> {
    if (this.#host.pid === null) throw new Error('the host has ended');
    const { ui } = await this.#ready.promise;
    await restartGateway(ui, await this.#ownSession());
    await this.#serving('gateway');
  }

  #ownSession(): Promise<DevSession> {
    this.#session ??= this.logIn();
    return this.#session;
  }

  async #serving(part: Part): Promise<void> {
    this.#onServing(part);
    if (!this.#inspect) return;
    if (this.#host.pid !== null) this.#detach = await inspectGateway(this.#host.pid);
  }
}
