/**
 * What an exchange knows of its caller: connection, request and reply. They are `Connection` and those of node:http
 * where the socket is in this thread, and their stand-ins (threads/) where another thread has it.
 */
export interface ExchangeConnection {
  readonly peer: string;
  readonly scheme: 'http' | 'https';
  /** The request that is served came behind another, which it has waited for: the first of them was let in. */
  readonly followsOn: boolean;
  /** Whether replies say `Connection: close` from now on. */
  readonly lastReply: boolean;
  /** A valid key was shown over it: its place is kept before those of strangers. */
  keyed: boolean;
  /** Nobody is there any more to take a reply. */
  readonly gone: boolean;
  /**
   * The reply refuses, and keeps the connection, which is then told as any other; unless it cannot be kept. Then this
   * tells it, and ends the connection. Answers whether it did.
   */
  turnAway(status: number, lines: readonly string[], body: string): boolean;
  /** Nothing more is read or dispatched from here on. */
  stopReading(): void;
  /** The rest of the request is not read; its reply ends the connection. */
  leaveBody(): void;
  /** Sends a closing answer as it is. */
  sendClosing(answer: string): void;
  /** The reply was given to the socket. */
  holdReply(): void;
  /** Looks how fast the caller takes its reply. */
  checkReply(nowMs: number): void;
  /** The exchange is done. */
  served(): void;
}

export interface ExchangeRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly httpVersion: string;
  /** Name and value in turn. */
  readonly rawHeaders: readonly string[];
  readonly rawTrailers: readonly string[];
  /** It has come whole. */
  readonly complete: boolean;
  /** From the first listener for `data` on, the body is read. */
  on(event: 'data', listener: (chunk: Buffer) => void): unknown;
  on(event: 'end', listener: () => void): unknown;
  /** Until `resume` no more of the body is read, or what is read was bounded before. */
  pause(): unknown;
  resume(): unknown;
}

export interface ExchangeResponse {
  writeContinue(): void;
  /** Header lines, name and value in turn. */
  writeHead(status: number, headers: string[]): unknown;
  /** `finished` is called when the socket has taken all of it. */
  end(finished: () => void): unknown;
  end(body: string | Uint8Array, finished: () => void): unknown;
}
