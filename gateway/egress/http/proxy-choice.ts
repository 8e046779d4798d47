import { readEgressUrl } from '#common/model/egress-settings.ts';

export interface Proxy {
  readonly host: string;
  readonly port: number;
}

/** Which targets are called through the proxy (docs/spec/egress.md#addresses): only those whose name is on its list. */
export class ProxyChoice {
  readonly #proxy: Proxy | null;
  readonly #names: ReadonlySet<string>;
  /** `.example` for `*.example`. */
  readonly #endings: readonly string[];

  constructor(proxy: string | null, targets: readonly string[]) {
    const url = proxy === null ? null : readEgressUrl(proxy);
    this.#proxy = url === null ? null : { host: url.host, port: url.port };
    const names = targets.map((name) => name.toLowerCase());
    this.#names = new Set(names.filter((name) => !name.startsWith('*.')));
    this.#endings = names.filter((name) => name.startsWith('*.')).map((name) => name.slice(1));
  }

  /** `host`: lower-case. Null: called directly. */
  for(host: string): Proxy | null {
    if (this.#proxy === null) return null;
    const listed = this.#names.has(host) || this.#endings.some((ending) => host.endsWith(ending));
    return listed ? this.#proxy : null;
  }
}
