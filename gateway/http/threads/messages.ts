import type { RefusalWhy } from '#common/model/audit.ts';
import type { ListenAddress } from '../server.ts';
import type { TlsIdentity } from '#common/node/tls-context.ts';

/**
 * Messages between the core and an HTTP thread. Those about callers are many small items per turn of the event loop: a
 * batch is one flat list, posted once per turn. An item is its name (a number), usually the socket's number, and the
 * values that are listed beside the name below. Every other message is an object. Both arrive in the order in which
 * they were sent.
 */
export type Batch = readonly Part[];
export type Part = string | number | null | Uint8Array<ArrayBuffer> | RefusalWhy['compared'];

/** From the thread. */
export const CALLER = {
  /** peer */
  opened: 1,
  closed: 2,
  /** marks (below), method, target, HTTP version, number of header strings, the header strings */
  request: 3,
  /** a string with one character per byte, or bytes */
  body: 4,
  /** 1 if trailers were received */
  bodyEnd: 5,
  /** code, cause: the data for the request is not HTTP */
  framingFailed: 6,
  gone: 7,
  /** 1 if it ends the connection; sent when the socket has taken the reply */
  replied: 8,
  /** code, cause: refused as a connection */
  refused: 9,
  /** bytes of its reply that wait for the caller */
  holdsReply: 10,
  /** the peer instead of a socket; code, cause, compared: a row for a socket that cannot receive a response */
  record: 11,
  /** The caller has ended its side. */
  ended: 12,
} as const;

/** Marks of a request, added up. */
export const WAITS_FOR_CONTINUE = 1;
export const FOLLOWS_ON = 2;
/** Its body is small and is sent without being requested. */
export const BRINGS_BODY = 4;

/** From the core. */
export const CORE = {
  /** cap, 1 if crowded */
  overCap: 1,
  continue: 2,
  readBody: 3,
  /** instead of a socket: bytes of bodies, of all its sockets, that the core has taken */
  bodiesTaken: 4,
  /** status, number of header strings, the header strings, body or null */
  reply: 5,
  stopReading: 6,
  leaveBody: 7,
  /** the complete response */
  closing: 8,
  giveUpReply: 9,
  destroy: 10,
  /** The reply that follows is a refusal; the thread decides whether the connection can be kept. */
  turnAway: 11,
} as const;

export type Question =
  /** Answered by a thread that has loaded everything it needs. */
  | { readonly ask: 'up' }
  | { readonly ask: 'listen'; readonly address: ListenAddress }
  | { readonly ask: 'renew'; readonly identity: TlsIdentity }
  /** Answered when it no longer listens, … */
  | { readonly ask: 'close' }
  /** … and when the last connection is gone. */
  | { readonly ask: 'end' };

export type Answer =
  | { readonly answer: 'listen'; readonly port: number }
  | { readonly answer: Question['ask']; readonly failed: { readonly code: string; readonly message: string } }
  | { readonly answer: 'up' | 'renew' | 'close' | 'end' };

interface Numbered {
  /** Links a request and its response. */
  readonly id: number;
}

export type ToThread = Batch | (Question & Numbered);
export type FromThread = Batch | (Answer & Numbered);

export interface ThreadInit {
  /** Null: plain HTTP. */
  readonly identity: TlsIdentity | null;
}
