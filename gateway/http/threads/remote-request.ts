import type { ExchangeRequest } from '../caller.ts';

const NO_TRAILERS: readonly string[] = [];
/** The core only needs to know that there were trailers. */
const TRAILERS: readonly string[] = ['', ''];

/** A request whose socket is in an HTTP thread. */
export class RemoteRequest implements ExchangeRequest {
  readonly method: string;
  readonly url: string;
  readonly httpVersion: string;
  readonly rawHeaders: readonly string[];
  rawTrailers = NO_TRAILERS;
  complete = false;
  readonly #askForBody: (() => void) | null;
  #onData: ((chunk: Buffer) => void) | null = null;
  #onEnd: (() => void) | null = null;

  /** `line`: method, target, HTTP version. `askForBody` null: the body arrives without being requested. */
  constructor(line: readonly [string, string, string], rawHeaders: readonly string[], askForBody: (() => void) | null) {
    [this.method, this.url, this.httpVersion] = line;
    this.rawHeaders = rawHeaders;
    this.#askForBody = askForBody;
  }

  on(event: 'data', listener: (chunk: Buffer) => void): void;
  on(event: 'end', listener: () => void): void;
  on(event: 'data' | 'end', listener: (chunk: Buffer) => void): void {
    if (event === 'end') {
      this.#onEnd = listener as () => void;
      return;
    }
    this.#onData = listener;
    this.#askForBody?.();
  }

  take(chunk: Buffer): void {
    this.#onData?.(chunk);
  }

  end(trailers: boolean): void {
    this.complete = true;
    if (trailers) this.rawTrailers = TRAILERS;
    this.#onEnd?.();
  }
}
