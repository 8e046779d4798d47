import type { AddressInfo } from 'node:net';
import { type FieldError, SluiceError } from '#common/errors/catalogue.ts';
import type { Settings } from '#common/model/settings.ts';
import type { Logger } from '#common/node/log.ts';
import { contextOptions, type TlsIdentity } from '#common/node/tls-context.ts';
import { createSerialQueue } from '#common/serial-queue.ts';
import type { Metrics } from './metrics.ts';
import { createScrapeServer, type ScrapeServer } from './scrape-server.ts';
import { ruleBroken } from '#common/errors/rules.ts';

/**
 * The separate address for scrapes from other machines: the settings `metricsHost` and `metricsPort`. It is open only
 * while a port and a token are set. If the gateway port uses TLS, it does too, with the same certificate.
 *
 * A change opens the new address before it closes the old one. If the port stays the same, the old address is closed
 * first, and opened again if the new one fails. An address that cannot be opened at the start is retried every RETRY_MS;
 * Sluice runs without it.
 */
export interface ScrapeAddress {
  /** The open port; null: none. */
  readonly port: number | null;
  /** Why the configured address is not open; null: it is open, or none is configured. */
  readonly trouble: string | null;
  /** At the start. Never rejects. */
  open(settings: Settings): Promise<void>;
  /**
   * Applies changed settings. Throws SluiceError `conflict` or `invalid` with a plain sentence and then changes nothing.
   * Settings with the same address as before never throw, even if that address cannot be opened.
   */
  configure(settings: Settings): Promise<void>;
  close(): Promise<void>;
}

export interface ScrapeAddressParts {
  metrics: Metrics;
  /** The settings with the certificate and key that the gateway uses. */
  forGateway: (settings: Settings) => Settings;
  log: Logger;
  retryMs?: number;
}

const RETRY_MS = 10_000;
const CLOSE_MS_MAX = 1_000;

interface Plan {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly identity: TlsIdentity | null;
}

interface Opened {
  readonly plan: Plan;
  readonly server: ScrapeServer;
}

export function createScrapeAddress(parts: ScrapeAddressParts): ScrapeAddress {
  return new Address(parts);
}

class Address implements ScrapeAddress {
  readonly #parts: ScrapeAddressParts;
  #token: string | null = null;
  #desired: Plan | null = null;
  #opened: Opened | null = null;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;
  /** The last queued operation; never rejects. */
  readonly #queue = createSerialQueue();
  trouble: string | null = null;

  constructor(parts: ScrapeAddressParts) {
    this.#parts = parts;
  }

  get port(): number | null {
    const address = this.#opened?.server.address() ?? null;
    return typeof address === 'object' && address !== null ? portOf(address) : null;
  }

  open(settings: Settings): Promise<void> {
    return this.#queue.take(async () => {
      this.#token = settings.metricsToken;
      this.#desired = planOf(this.#parts.forGateway(settings));
      await this.#try();
    });
  }

  configure(settings: Settings): Promise<void> {
    return this.#queue.take(async () => {
      const plan = planOf(this.#parts.forGateway(settings));
      if (!isSame(plan, this.#desired)) {
        await this.#swap(plan);
        this.#desired = plan;
        this.#clearTrouble();
      }
      this.#token = settings.metricsToken;
    });
  }

  close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    return this.#queue.take(() => this.#closeServer());
  }

  #clearTrouble(): void {
    this.trouble = null;
    clearTimeout(this.#retry);
  }

  async #try(): Promise<void> {
    if (this.#closed) return;
    try {
      await this.#swap(this.#desired);
      this.#clearTrouble();
    } catch (error) {
      const trouble = error instanceof Error ? error.message : String(error);
      if (trouble !== this.trouble) this.#parts.log.warn('the metrics cannot be served', { reason: trouble });
      this.trouble = trouble;
      this.#retry = setTimeout(() => void this.#queue.take(() => this.#try()), this.#parts.retryMs ?? RETRY_MS);
      this.#retry.unref();
    }
  }

  async #swap(next: Plan | null): Promise<void> {
    const before = this.#opened;
    if (next === null) return this.#closeServer();
    // Checked before the old address is closed.
    if (next.identity !== null) expectUsable(next.identity);
    const isSamePort = before !== null && next.port !== 0 && next.port === this.port;
    if (!isSamePort) {
      const opened = await this.#listen(next);
      await this.#closeServer();
      this.#opened = opened;
      return;
    }
    await this.#closeServer();
    try {
      this.#opened = await this.#listen(next);
    } catch (error) {
      await this.#restore(before.plan);
      throw error;
    }
  }

  /** If the old address cannot be opened again, it is retried like one at the start. */
  async #restore(plan: Plan): Promise<void> {
    this.#desired = plan;
    await this.#try();
  }

  async #listen(plan: Plan): Promise<Opened> {
    const { metrics, log } = this.#parts;
    const server = createScrapeServer({
      source: { token: () => this.#token, text: () => metrics.text() },
      identity: plan.identity,
      onError: (error) => log.error('a scrape of the metrics failed', { error }),
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host: plan.host, port: plan.port, exclusive: true }, () => {
        server.off('error', reject);
        resolve();
      });
    }).catch((error: NodeJS.ErrnoException) => {
      throw refusal(error, plan);
    });
    return { plan, server };
  }

  async #closeServer(): Promise<void> {
    const before = this.#opened;
    this.#opened = null;
    if (before !== null) await closed(before.server);
  }
}

/** Null: no address is configured. */
function planOf({ metricsHost, metricsPort, metricsToken, tls, tlsCertificate, tlsKey }: Settings): Plan | null {
  if (metricsPort === null || metricsToken === null) return null;
  if (tls === 'off') return { host: metricsHost, port: metricsPort, identity: null };
  const identity = { certificate: tlsCertificate ?? '', key: tlsKey ?? '' };
  return { host: metricsHost, port: metricsPort, identity };
}

function isSame(one: Plan | null, other: Plan | null): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function portOf({ port }: AddressInfo): number {
  return port;
}

/** Throws if the identity cannot be used: it never falls back to plain HTTP. */
function expectUsable(identity: TlsIdentity): void {
  try {
    process.getBuiltinModule('node:tls').createSecureContext(contextOptions(identity));
    if (identity.certificate === '') throw new RangeError('there is no certificate');
  } catch {
    // The message of OpenSSL may quote the key.
    const message = 'it cannot be used for TLS with its key';
    throw new SluiceError('invalid', `tlsCertificate: ${message}`, { errors: [{ path: 'tlsCertificate', message }] });
  }
}

function refusal(error: NodeJS.ErrnoException, { host, port }: Plan): SluiceError {
  const broken = problemOf(error.code ?? error.message, host, port);
  return new SluiceError('conflict', `${broken.path}: ${broken.message}`, { errors: [broken], cause: error });
}

function problemOf(code: string, host: string, port: number): FieldError {
  if (code === 'EADDRNOTAVAIL') return ruleBroken('metricsHost', 'address_missing', { address: host });
  const path = 'metricsPort';
  if (code === 'EADDRINUSE') return ruleBroken(path, 'port_taken', { port: String(port) });
  if (code === 'EACCES') return ruleBroken(path, 'port_refused', { port: String(port) });
  return { path, message: `cannot listen on ${host} port ${port} (${code}); choose another` };
}

async function closed(server: ScrapeServer): Promise<void> {
  const gone = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), CLOSE_MS_MAX);
  await gone;
  clearTimeout(timer);
}
