import type { RefusalWhy } from '#common/model/audit.ts';
import type { ListenAddress } from '../server.ts';
import type { TlsIdentity } from '#common/node/tls-context.ts';

/**
 * What the core and an HTTP thread tell each other. What concerns callers is many small things a turn of the event loop:
 * a batch is one flat list, posted once a turn, in which an item is its name (a number), mostly the socket's number, and
 * what stands beside the name below. All else is an object of its own. Both arrive in the order in which they were said.
 */
export type Batch = readonly Part[];
export type Part = string | number | null | Uint8Array<ArrayBuffer> | RefusalWhy['compared'];

/** From the thread. */
export const CALLER = {
  /** peer */
  opened: 1,
  closed: 2,
  /** marks (below), method, target, HTTP version, number of header texts, these */
  request: 3,
  /** a text, one character a byte, or bytes */
  body: 4,
  /** 1 if trailers came */
  bodyEnd: 5,
  /** code, cause: what came for the request is no HTTP */
  framingFailed: 6,
  gone: 7,
  /** 1 if it ends the connection: the socket has taken the reply. */
  replied: 8,
  /** code, cause: refused as a connection */
  refused: 9,
  /** bytes of its reply that wait for the caller */
  holdsReply: 10,
  /** instead of a socket its peer; code, cause, compared: a row for one that cannot be answered */
  record: 11,
  /** The caller has ended its side. */
  ended: 12,
} as const;

/** Marks of a request, added up. */
export const WAITS_FOR_CONTINUE = 1;
export const FOLLOWS_ON = 2;
/** Its body is small, and comes without being asked for. */
export const BRINGS_BODY = 4;

/** From the core. */
export const CORE = {
  /** cap, 1 if crowded */
  overCap: 1,
  continue: 2,
  readBody: 3,
  /** instead of a socket the bytes of bodies, of all its sockets, that the core has taken */
  bodiesTaken: 4,
  /** status, number of header texts, these, body or null */
  reply: 5,
  stopReading: 6,
  leaveBody: 7,
  /** the answer as it is */
  closing: 8,
  giveUpReply: 9,
  destroy: 10,
  /** The reply that follows refuses; whether the connection can be kept is the thread's to see. */
  turnAway: 11,
} as const;

export type Question =
  /** Answered by a thread that has loaded all that it needs. */
  | { readonly ask: 'up' }
  | { readonly ask: 'listen'; readonly address: ListenAddress }
  | { readonly ask: 'renew'; readonly identity: TlsIdentity }
  /** Answered when nothing listens any more, … */
  | { readonly ask: 'close' }
  /** … and when the last connection is gone. */
  | { readonly ask: 'end' };

export type Answer =
  | { readonly answer: 'listen'; readonly port: number }
  | { readonly answer: Question['ask']; readonly failed: { readonly code: string; readonly message: string } }
  | { readonly answer: 'up' | 'renew' | 'close' | 'end' };

export type ToThread = Batch | Question;
export type FromThread = Batch | Answer;

export interface ThreadInit {
  /** Null: plain HTTP. */
  readonly identity: TlsIdentity | null;
}
