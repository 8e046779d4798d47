/**
 * An exchange's view of its caller: connection, request and reply. These are `Connection` and the objects of node:http
 * if the socket is in this thread, and their remote counterparts (threads/) if it is in another thread.
 */
export interface ExchangeConnection {
  readonly peer: string;
  readonly scheme: 'http' | 'https';
  /** The current request was pipelined after another one, whose connection had already been accepted. */
  readonly followsOn: boolean;
  /** Whether replies say `Connection: close` from now on. */
  readonly lastReply: boolean;
  /** A caller on it has presented a valid key. It is kept in preference to callers without a key. */
  keyed: boolean;
  /** The caller has gone and cannot receive a reply. */
  readonly gone: boolean;
  /**
   * Sends a refusal and keeps the connection. The exchange then sends the refusal like any other reply. If the
   * connection cannot be kept, this method sends the refusal and ends the connection. Returns whether it did so.
   */
  turnAway(status: number, lines: readonly string[], body: string): boolean;
  /** Stops reading and dispatching. */
  stopReading(): void;
  /** No more of the body is read from the socket until `resumeBody`; chunks that were already read still arrive. */
  pauseBody(): void;
  resumeBody(): void;
  /** The rest of the request is not read; its reply ends the connection. */
  leaveBody(): void;
  /** Sends a complete closing response. */
  sendClosing(answer: string): void;
  /** The reply was passed to the socket. */
  holdReply(): void;
  /** Checks how fast the caller reads its reply. */
  checkReply(nowMs: number): void;
  /** The exchange is done. */
  served(): void;
}

export interface ExchangeRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly httpVersion: string;
  /** Names and values alternate. */
  readonly rawHeaders: readonly string[];
  readonly rawTrailers: readonly string[];
  /** It has been received completely. */
  readonly complete: boolean;
  /** The body is read once there is a listener for `data`. */
  on(event: 'data', listener: (chunk: Buffer) => void): unknown;
  on(event: 'end', listener: () => void): unknown;
}

export interface ExchangeResponse {
  writeContinue(): void;
  /** Header lines: names and values alternate. */
  writeHead(status: number, headers: string[]): unknown;
  /** `finished` is called when the socket has accepted the whole reply. */
  end(finished: () => void): unknown;
  end(body: string | Uint8Array, finished: () => void): unknown;
}
